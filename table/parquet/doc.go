// Package parquet reads and writes files of rows. It alone uses the Parquet library.
//
// A [Schema] is made from the tags of a row type. It writes files ([Writer]) whose
// bytes depend on the rows alone, and reads them by the names of their columns
// ([Reader]):
//
//	s := parquet.NewSchema[commonplace.Score]("scores")
//	w, err := s.CreateFile(ctx, path)
//	...
//	for row, err := range s.Rows(ctx, path, "passage_id", "score") { ... }
//
// # Damage and other tools
//
// The library allocates what a footer or a page claims. So every length is checked
// first (thrift.go, pages.go), and in files of other tools every page (guard.go): a
// flipped bit is an error that names the file, and a small file cannot take all memory.
//
// # Revising
//
// [Writer.Revise] copies a file with other numbers in some columns, without reading its
// other columns (revise.go).
package parquet
