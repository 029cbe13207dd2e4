// Package report writes a run as one HTML page that people can look at: what
// went through the stages, where each book is quotable, what was quoted, and a
// reader in which every passage stands with its context and its quotations.
//
//	err := report.Write(ctx, w, "out/twain", report.Options{Judge: judge})
//
// The page is self-contained: it opens from a file, loads nothing, and its
// Content-Security-Policy forbids it to. Every text comes from books and goes
// through html/template or, in the browser, through textContent; no text of a
// book is ever parsed as HTML. Without scripts the page shows all but the reader.
//
// # Memory
//
// Tables are streamed, as many shards at once as there are processors. Held are the
// [Options.Top] best passages with their texts, as many of the most quoted, and a strip
// of numbers for each of [Options.Books] books.
package report
