package config

import "github.com/commonplace/commonplace/crawl/files"

var quotusKind = Kind{
	Name:      "quotus",
	Short:     "transcripts with a date",
	Reads:     "transcripts, one per file or one per entry of a zip",
	Decides:   "the date comes from the name (`2009-01-20-x.txt`, `20090120.txt`) or a short line at the head (`January 20, 2009`), else the year from the name",
	Help:      []string{"transcripts with a date in their names or first lines"},
	Columns:   files.MetadataFields,
	FromFiles: true,
}
