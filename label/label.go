// Package label turns alignments into what models are trained on.
//
// It needs a document, its passages and the alignments whose source it is. The packages
// segment and align make them; any other program may.
//
//	examples, rejects := label.Triples(doc, passages, alignments, label.Options{})
//	counts := label.Counts(passages, label.Quotations(doc.ID, alignments, nil), label.OverlapAny)
//
// There is one function for each paper's dataset:
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
// Nearly everything here is a plain function over one document's rows. It needs no more
// memory than the document. What compares rows with all others has packages of its own:
// label/group finds what must stay in one split, label/terms weighs the words that are
// quoted.
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
// A word of a context is a run of characters between white space as Python's str.split
// has it, so that any row can be checked with one line of Python:
// left_context.split() == text[:quote_begin].split()[-40:]. Tokens with tags are words and
// marks, as Unicode's word boundaries (UAX #29) cut them.
package label

import (
	"fmt"
	"math"

	"github.com/commonplace/commonplace"
)

// ContextWords is the number of words on either side of a quote that the paper
// takes for its context (RA-MTR, Appendix D).
const ContextWords = 40

// Options say how alignments become examples. Options that set neither words, similarity
// nor split stand for [Defaults].
type Options struct {
	ContextWords  int     // words of context on either side; 0 gives empty contexts
	MinSimilarity float64 // alignments below it are rejected; 1 reproduces the paper's exact search
	Split         Split   // who goes where

	// Groups has the groups of the document's alignments by id, from
	// [Grouping.Of]. One that is not named stays with its quote, or its source.
	Groups map[string]commonplace.Group

	// Pieces cuts a passage as a model's tokenizer does: the code points of each
	// piece, in order. Of a passage with an error there are no examples
	// ([ReasonUnreadable]). Nil leaves examples without pieces.
	Pieces func(passage string) ([]commonplace.Span, error)
}

// Defaults are the paper's constants, with every alignment taken and the split
// by quote (the paper splits by example, which lets a quote be in two splits).
func Defaults() Options {
	return Options{
		ContextWords: ContextWords,
		Split:        defaultSplit(ByQuote),
	}
}

// orDefaults is o, or the defaults where nothing of them is set.
func (o Options) orDefaults() Options {
	if o.ContextWords == 0 && o.MinSimilarity == 0 && o.Split == (Split{}) {
		d := Defaults()
		d.Groups, d.Pieces = o.Groups, o.Pieces
		return d
	}
	return o
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
