// Package check says what must hold of the rows of a run's tables, beyond order and
// unique keys: spans are what their document has between their offsets, numbers are
// finite, labels are those of the description.
//
// An entry of the package table names the check of its rows ([Document] to [Ranking],
// or a few lines of its own), and the texts elsewhere that they quote ([Side]). The
// package verify reads the tables and gives each row to its check with a [Row].
package check
