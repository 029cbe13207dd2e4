package config

// KindPassages reads CSV files of passages.
const KindPassages = "passages"

var passagesKind = Kind{
	Name:      KindPassages,
	Short:     "CSV files with one line per passage",
	Reads:     "CSV files with a header and one line per passage, such as a Bible's verses",
	Decides:   "`columns` says which columns are `document`, `chapter`, `verse` and `text`; the lines of a document are its text",
	Columns:   []string{"document", "chapter", "verse", "text"},
	FromFiles: true,
}
