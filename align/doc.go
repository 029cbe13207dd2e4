// Package align finds where one text repeats another, however damaged, and
// places every find exactly.
//
// Three uses, one engine:
//
//	stats := align.NewStats(o)            // count the sources once
//	stats.Count(book)                     // per document; Merge joins shards
//
//	list, err := align.NewQuoteList(quotes, stats, o)
//	rows := list.Find(book)               // all quotes at once, one pass over the book
//
//	info, err := align.BuildPart(w, books, stats, o)   // an index part on disk
//	part, err := align.OpenPart(path, stats, o)
//	candidates := part.Find(essay)                     // one derived document against one part
//	rows := align.Merge(candidates, o)                 // the candidates of all parts, made final
//
//	marked := align.MergeMarked(part.FindMarked(essay), o) // what stands between quotation marks, with a confidence
//	why, err := align.Explain(quote, book, stats, o)       // why a quote was found there, or was not
//	edits := align.Script(row.DerivedText, row.SourceText) // the edit script of an alignment
//
// docs/alignment.md states the score, its thresholds and every option.
//
// Any split of the sources into parts gives the same rows, as long as every
// part is built and opened with the same merged [Stats].
package align
