package config

// KindWARC reads what an archive keeps.
const KindWARC = "warc"

var warcKind = Kind{
	Name:      KindWARC,
	Short:     "what any crawler kept in WARC files",
	Files:     ".warc and .warc.gz",
	Reads:     "texts and pages that servers gave whole (status 200), in WARC files of our own or another crawler's",
	Decides:   "a document's id is its address; of a page the article on it is the text",
	Help:      []string{"texts and pages that any crawler kept in WARC files"},
	OnDisk:    true,
	FromFiles: true,
}
