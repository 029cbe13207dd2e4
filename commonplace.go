// Package commonplace holds the words of the field as types: a document is cut
// into passages, a quote is found in documents as alignments, alignments become
// examples and quote counts, a model gives every passage a score, and scores
// become rankings. What cannot be taken becomes a reject, never nothing.
//
// Everything else stands on this package and it stands on the standard library
// alone. It reads and writes nothing.
//
// # Offsets
//
// Every span is a pair of Unicode code point offsets, end exclusive, into the
// text of the record that the field names, so text[begin:end] is right in
// Python, where most readers of the tables are. Go strings are bytes: use
// [Offsets] to go from one to the other.
//
// # Tables
//
// Each type with parquet tags is one row of the table of the same name. The
// parquet tag is the column, the doc tag is its description in docs/tables.md.
package commonplace
