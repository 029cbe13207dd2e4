package files

import (
	"encoding/xml"
	"slices"
)

// teiDate is the date of the work in a TEI header: the first of its creation, else of its
// source. That of the publication is the file's own.
type teiDate struct {
	value string
	depth int // of the element whose words value gathers, 0 where it is whole
	rank  int // of the element that gave it
}

// start takes an element of the header, the last of the open ones.
func (d *teiDate) start(open []string, e xml.StartElement) {
	if len(open) <= d.depth {
		d.depth = 0
	}
	if d.depth == 0 && flat(d.value) == "" { // the one before held nothing
		d.rank = 0
	}
	rank := 0
	switch {
	case e.Name.Local != "date" && e.Name.Local != "origDate":
	case slices.Contains(open, "creation"):
		rank = 2
	case slices.Contains(open, "sourceDesc"):
		rank = 1
	}
	if rank <= d.rank {
		return
	}
	d.value, d.rank = teiWhen(e), rank
	if d.value == "" {
		d.depth = len(open)
	}
}

// words takes character data.
func (d *teiDate) words(open []string, s string) {
	if d.depth > 0 && len(open) >= d.depth {
		d.value += s
	}
}

// teiWhen is a date's normal form, as the attributes have it: a day, or from one to another.
func teiWhen(e xml.StartElement) string {
	for _, name := range []string{"when", "when-iso"} {
		if when := attribute(e, name); when != "" {
			return when
		}
	}
	for _, names := range [][2]string{{"notBefore", "notAfter"}, {"from", "to"}, {"notBefore-iso", "notAfter-iso"}, {"from-iso", "to-iso"}} {
		if a, b := attribute(e, names[0]), attribute(e, names[1]); a != "" && b != "" {
			return a + "/" + b
		}
	}
	return ""
}
