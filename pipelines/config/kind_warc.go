package config

// KindWARC reads what an archive keeps.
const KindWARC = "warc"

var warcKind = Kind{
	Name:      KindWARC,
	Short:     "texts and pages in any crawler's WARC files",
	Files:     ".warc and .warc.gz",
	Reads:     "texts and pages that servers answered completely (status 200), in WARC files of any crawler",
	Decides:   "a document's id is its address; the text of a page is the article on it",
	Help:      []string{"texts and pages in any crawler's WARC files"},
	OnDisk:    true,
	FromFiles: true,
}
