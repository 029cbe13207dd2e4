// Package label turns alignments into what models are trained on, one function
// a paper's dataset:
//
//   - [Triples]: quote, contexts, positive passage, BIO tags; [Sampler] adds
//     negatives (RA-MTR, Appendix D)
//   - [Queries]: what a journalist had written before a quote, and the spans of
//     the transcript; [Clusters], [DateSplit] (context-based quotation
//     recommendation, "Dataset")
//   - [Counts]: how often a passage is quoted; [Marked], [Singles], [Sequences],
//     [Pairs], [Fold] (content-based models of quotation, sections 3 and 4)
//   - [QuotationList.Replies]: when and what to quote in conversations (when and
//     what to quote, Appendix B)
//   - [Windows]: quoted sentences with the sentences around them (RELiC,
//     Appendix A)
//
// Nearly everything here is a plain function over one document's rows, so it can
// be tested without a runner and costs no more memory than the document. What has
// to be compared with everything else ([Grouper], [ConversationGrouper],
// [WorkFinder]) is shown row by row and lies in temporary files:
//
//	o := label.Defaults()
//	o.Groups = groups // of the alignments by id, from Grouping.Of
//	examples, rejects := label.Triples(doc, passages, alignments, o)
//	counts := label.Counts(passages, label.Quotations(doc.ID, alignments, nil), label.OverlapAny)
//
// # Promises
//
//   - Offsets are code points, end exclusive, and text[begin:end] is the
//     exported span in every row.
//   - Every alignment that goes in comes out as one example or as one reject.
//   - The order of the input does not matter, and the output depends on nothing
//     else: no clock, no random source; splits come from a hash, so that adding
//     a book moves no other example ([Split]).
//
// # Words
//
// A word is a run of characters between white space as Python's str.split
// has it, so that any row can be checked with one line of Python:
// left_context.split() == text[:quote_begin].split()[-40:].
package label

import (
	"fmt"
	"math"

	"github.com/commonplace/commonplace"
)

// ContextWords is the number of words on either side of a quote that the paper
// takes for its context (RA-MTR, Appendix D).
const ContextWords = 40

// Options say how alignments become examples.
type Options struct {
	ContextWords  int     // words of context on either side; 0 gives empty contexts
	MinSimilarity float64 // alignments below it are rejected; 1 reproduces the paper's exact search
	Split         Split   // who goes where

	// Groups has the groups of the document's alignments by id, from
	// [Grouping.Of]. One that is not named stays with its quote, or its source.
	Groups map[string]commonplace.Group

	// Pieces cuts a passage as a model's tokenizer does: the code points of each
	// piece, in order. Nil leaves examples without pieces.
	Pieces func(passage string) []commonplace.Span
}

// Defaults are the paper's constants, with every alignment taken and the split
// by quote (the paper splits by example, which lets a quote be in two splits).
func Defaults() Options {
	return Options{
		ContextWords: ContextWords,
		Split:        Split{Train: 0.8, Validation: 0.1, Test: 0.1, By: ByQuote},
	}
}

// Validate says in one sentence what cannot be meant, or nothing.
func (o Options) Validate() error {
	if o.ContextWords < 0 {
		return fmt.Errorf("context_words is %d: give a number of words, 0 or more (the paper's is %d)", o.ContextWords, ContextWords)
	}
	if math.IsNaN(o.MinSimilarity) || o.MinSimilarity < 0 || o.MinSimilarity > 1 {
		return fmt.Errorf("min_similarity is %v: give a number from 0 (take all) to 1 (exact after folding)", o.MinSimilarity)
	}
	return o.Split.Validate()
}
