package gutenberg

import (
	"fmt"
	"strings"
)

// CatalogPath is where mirrors of the generated collection keep the catalogue feed.
const CatalogPath = "cache/epub/feeds/pg_catalog.csv.gz"

// Sites of Project Gutenberg that are for people: its policy blocks programs,
// although robots.txt does not. Their feeds are for programs.
var (
	PeopleSites = []string{"gutenberg.org", "www.gutenberg.org"}
	FeedPaths   = []string{"/cache/epub/feeds/", "/feeds/"}
)

// Address joins the root of a mirror and a path below it.
func Address(mirror, path string) string { return strings.TrimSuffix(mirror, "/") + "/" + path }

// Addresses are where a text may lie on a mirror, best first, in the order of
// [Mirror]: Unicode, generated, 8 bits, Big5, plain.
func Addresses(mirror string, ebook int64) []string {
	folder := MirrorPath(ebook)
	return []string{
		Address(mirror, fmt.Sprintf("%s/%d-0.txt", folder, ebook)),
		Address(mirror, fmt.Sprintf("cache/epub/%d/pg%d.txt", ebook, ebook)),
		Address(mirror, fmt.Sprintf("%s/%d-8.txt", folder, ebook)),
		Address(mirror, fmt.Sprintf("%s/%d-5.txt", folder, ebook)),
		Address(mirror, fmt.Sprintf("%s/%d.txt", folder, ebook)),
	}
}

// HeadedAddresses are the same, the generated text first. It has a header with title
// and author, which newer files of the other names lack.
func HeadedAddresses(mirror string, ebook int64) []string {
	all := Addresses(mirror, ebook)
	all[0], all[1] = all[1], all[0]
	return all
}

// AddressEncoding is what an address's name says of the text's encoding, empty
// when nothing.
func AddressEncoding(address string) string {
	if strings.HasSuffix(address, "-5.txt") {
		return "big5"
	}
	return ""
}
