// Package align finds where one text repeats another, however damaged, and
// gives the exact spans on both sides.
//
// An [Aligner] holds sources in memory and finds what other texts quote of them:
//
//	a := align.New(align.Options{})
//	a.Add("gettysburg", address)
//	rows, err := a.Find("essay", essay)
//
// Each row is a [commonplace.Alignment]: code points of the essay and of the source, the
// words on both sides, their similarity, and the evidence in bits that this is a quotation
// and not chance. [Aligner.FindQuotes] finds the entries of a quote list, and
// [Aligner.FindMarked] words between quotation marks, even a few.
//
// # Why a row is there
//
// [Explain] reports which threshold a quote meets or misses in a document. [Script] is
// the edit script of an alignment, [Similarity] its identity. docs/alignment.md states
// the score, its thresholds and every option.
//
// # Collections larger than memory
//
// An Aligner does three things in turn. Each can be done alone, over files:
//
//   - Count the words: [NewStats], [Stats.Count]. Counts of parts of a collection are
//     added with [Stats.Merge].
//   - Build index parts and open them: [BuildPart], [OpenPart]. [NewQuoteList] needs
//     no index: it reads each source once, for all quotes.
//   - Search every part with [Part.Find] and make the candidates of all parts final with
//     [Merge]; or with [Part.FindMarked] and [MergeMarked].
//
// Any split of the sources into parts gives the same rows, as long as every
// part is built and opened with the same merged [Stats].
//
// # Inside
//
// The packages below do one step each, and import only those before them: fold (letters and
// digits), marks (quotation marks), ngrams (counts and surprisal), edit (alignment of
// letters), index (seeds), match (evidence), diagonal (hits near each other), merge
// (competition of candidates). They may change at any time.
package align
