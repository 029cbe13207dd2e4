package standalone

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/charset"
)

// readings is how documents were read: their encodings, and the frames that were removed.
type readings struct {
	what      string // what they are called: book or document
	all       bool   // each has a sentence, and not only those that are not plain UTF-8
	n, framed int
	encodings map[string]int
	sentences []string // on those that have one
	more      int      // others that should have one
}

func newReadings(what string, all bool) readings {
	return readings{what: what, all: all, encodings: map[string]int{}}
}

func (r *readings) add(doc commonplace.Document, origin string) {
	r.n++
	r.encodings[doc.Encoding]++
	if doc.RemovedFraction > 0 {
		r.framed++
	}
	switch {
	case !r.all && isPlain(doc):
	case !r.all && len(r.sentences) == mostReadings:
		r.more++
	default:
		r.sentences = append(r.sentences, reading(doc, origin))
	}
}

// isPlain says that nothing had to be decided about a document's encoding, and that
// every byte was read.
func isPlain(doc commonplace.Document) bool {
	return doc.Encoding == "utf-8" && !strings.Contains(doc.EncodingReason, ": ")
}

// reading is a sentence on how a document was read.
func reading(doc commonplace.Document, origin string) string {
	path, id, listed := strings.Cut(origin, "\x00")
	at := crawl.Printable(path)
	if listed {
		at += ", " + id
	}
	reason, odd, _ := strings.Cut(doc.EncodingReason, ": ")
	why := map[string]string{
		charset.ByBOM:      "by its byte order mark",
		charset.ByDeclared: "as it declares",
		charset.ByGuess:    "by a guess",
	}[reason]
	s := at + ": read as " + doc.Encoding
	for _, more := range []string{why, odd} {
		if more != "" {
			s += ", " + more
		}
	}
	if doc.RemovedFraction > 0 {
		s += fmt.Sprintf("; %.1f %% of it, Project Gutenberg's frame, was removed", 100*doc.RemovedFraction)
	}
	return s
}

// mostReadings are more sentences than anybody reads who did not ask for them.
const mostReadings = 20

// report says how documents were read, each in a sentence, and how many of them there are
// of which kind.
func (r *readings) report(report func(string)) {
	for _, s := range r.sentences {
		report(s)
	}
	if r.more > 0 {
		report(fmt.Sprintf("and %d more that are not plain utf-8: -v names them", r.more))
	}
	report(r.summary())
}

// summary says how the documents were read.
func (r *readings) summary() string {
	var encodings []string
	for _, e := range slices.SortedFunc(maps.Keys(r.encodings), func(x, y string) int {
		return cmp.Or(cmp.Compare(r.encodings[y], r.encodings[x]), cmp.Compare(x, y))
	}) {
		encodings = append(encodings, fmt.Sprintf("%d in %s", r.encodings[e], e))
	}
	s := fmt.Sprintf("%s: %s", commonplace.CountOf(r.n, r.what), strings.Join(encodings, ", "))
	if r.framed > 0 {
		s += fmt.Sprintf("; Project Gutenberg's frame was removed from %d, and offsets count without it", r.framed)
	}
	return s
}
