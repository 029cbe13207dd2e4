// Package standalone aligns, segments and tokenizes folders of text without a
// config, without tables and without Beam. Its functions are those behind the bare
// commands `commonplace align`, `segment` and `tokenize`.
//
// Files are UTF-8 and are taken as they are: nothing is stripped and no newline is
// changed, so that offsets count in the file's own characters. Results come in the
// order of the ids.
package standalone
