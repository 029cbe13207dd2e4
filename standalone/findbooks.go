package standalone

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/segment"
)

// books knows of documents what people ask beside the words: titles, chapters, and
// how they were read.
type books struct {
	opts    files.Options
	origins map[string]string // where they lie, by their ids
	known   map[string]*book  // those that documents quote, without their texts

	n, framed int
	encodings map[string]int
}

// count counts how a book was read.
func (b *books) count(doc commonplace.Document) {
	if doc.ID == "" {
		return
	}
	b.n++
	b.encodings[doc.Encoding]++
	if doc.RemovedFraction > 0 {
		b.framed++
	}
}

// summary says how the books were read.
func (b *books) summary() string {
	var encodings []string
	for _, e := range slices.SortedFunc(maps.Keys(b.encodings), func(x, y string) int {
		return cmp.Or(cmp.Compare(b.encodings[y], b.encodings[x]), cmp.Compare(x, y))
	}) {
		encodings = append(encodings, fmt.Sprintf("%d in %s", b.encodings[e], e))
	}
	s := fmt.Sprintf("%s: %s", counted(b.n, "book"), strings.Join(encodings, ", "))
	if b.framed > 0 {
		s += fmt.Sprintf("; Project Gutenberg's frame was removed from %d, and offsets count without it", b.framed)
	}
	return s
}

// named is a book by its id. Its file is read again, once.
func (b *books) named(ctx context.Context, id string) (*book, error) {
	if k := b.known[id]; k != nil {
		return k, nil
	}
	k := &book{title: id}
	path, _, _ := strings.Cut(b.origins[id], "\x00")
	list, err := files.ListAll(ctx, []string{path})
	if err != nil {
		return nil, err
	}
	for d := range documentsOf(ctx, list.Files, b.opts) {
		if doc, reject := d.read(ctx); reject == nil && d.origin == b.origins[id] {
			k = newBook(doc)
			k.text = nil
			break
		}
	}
	b.known[id] = k
	return k, ctx.Err()
}

// book is one document.
type book struct {
	title, author string
	chapters      []heading
	text          *commonplace.Offsets // nil of a book that is not at hand
}

// heading is where the units begin that bear a title, outermost first.
type heading struct {
	begin int64
	title string
}

func newBook(doc commonplace.Document) *book {
	b := &book{title: cmp.Or(oneLine(doc.Title), filepath.Base(doc.ID)), author: oneLine(doc.Author), text: commonplace.NewOffsets(doc.Text)}
	for p := range segment.Passages(doc, segment.Segmenter{By: "paragraphs", Cut: segment.ByParagraphs}) {
		var titles []string
		for _, place := range p.Places {
			if place.Title != "" && place.Kind != "speech" {
				titles = append(titles, place.Title)
			}
		}
		title := strings.Join(titles, " · ")
		if n := len(b.chapters); n == 0 || b.chapters[n-1].title != title {
			b.chapters = append(b.chapters, heading{p.Begin, title})
		}
	}
	return b
}

// chapter is the headings of the units that an offset lies in.
func (b *book) chapter(at int64) string {
	i, exact := slices.BinarySearchFunc(b.chapters, at, func(h heading, at int64) int { return cmp.Compare(h.begin, at) })
	if !exact {
		i--
	}
	if i < 0 {
		return ""
	}
	return b.chapters[i].title
}

var blankLine = regexp.MustCompile(`\r?\n[ \t]*\r?\n\s*`)

// around are the words before and after a span; ¶ stands where a paragraph begins.
func (b *book) around(begin, end int64) (before, after string) {
	const words, far = 12, 400 // so many words have fewer code points
	all := int64(b.text.Len())
	piece := func(from, to int64) []string {
		text := b.text.Slice(commonplace.Span{Begin: int(from), End: int(to)})
		return strings.Fields(blankLine.ReplaceAllString(text, " ¶ "))
	}
	head, tail := piece(max(0, begin-far), begin), piece(end, min(all, end+far))
	if begin > far && len(head) > 0 {
		head = head[1:] // it may be cut
	}
	if end+far < all && len(tail) > 0 {
		tail = tail[:len(tail)-1]
	}
	before = strings.Join(head[max(0, len(head)-words):], " ")
	after = strings.Join(tail[:min(len(tail), words)], " ")
	if len(head) > 0 && b.space(begin-1) {
		before += " "
	}
	if len(tail) > 0 && b.space(end) {
		after = " " + after
	}
	return before, after
}

// space says that white space stands at an offset.
func (b *book) space(at int64) bool {
	return strings.TrimSpace(b.text.Slice(commonplace.Span{Begin: int(at), End: int(at) + 1})) == ""
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// counted is a number with what it counts.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
