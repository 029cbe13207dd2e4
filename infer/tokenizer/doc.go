// Package tokenizer turns text into the ids that transformer models read, from a
// Hugging Face tokenizer.json as it is: WordPiece (BERT, MiniLM), byte-level BPE
// (RoBERTa, BART, GPT-2) and Unigram (XLM-R, T5), in pure Go.
//
//	t, err := tokenizer.Open("tokenizer.json")
//	e, err := t.Encode("No man is an island.")
//	e.IDs, e.Spans // ids, and where each stands in the text, in code points
//
// Ids, type ids and offsets are those of the reference, the Python package
// tokenizers, including its habits; what a file asks for and is not known here
// is refused by name when the file is read. A [Tokenizer] is safe for concurrent
// use.
//
// There are two ways through. One does each step of the file in turn with an
// alignment for every character (aligned.go), slow and obvious. Short cuts for the
// common families (chunks_*.go) remember words they have seen. Tests compare the
// first with the reference and the second with the first. The package subword has
// the models of words.
package tokenizer
