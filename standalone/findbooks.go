package standalone

import (
	"cmp"
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/segment"
)

// books is what people ask of the sources beside their words: titles and chapters.
type books struct {
	opts    files.Options
	origins map[string]string // where the sources are, by their ids
	quoted  map[string]*book  // those of quoted files, without their texts
	read    readings
}

func newBooks(opts files.Options, all bool) *books {
	return &books{opts: opts, origins: map[string]string{}, quoted: map[string]*book{}, read: newReadings("book", all)}
}

// add takes in how a source was read, and where it is.
func (b *books) add(doc commonplace.Document, origin string) {
	b.origins[doc.ID] = origin
	b.read.add(doc, origin)
}

// named is a source by its id. The file that holds it is read again, once for all its
// documents.
func (b *books) named(ctx context.Context, id string) (*book, error) {
	if k := b.quoted[id]; k != nil {
		return k, nil
	}
	path, _, _ := strings.Cut(b.origins[id], "\x00")
	list, err := files.ListAll(ctx, []string{path})
	if err != nil {
		return nil, err
	}
	b.quoted[id] = &book{title: id} // for a file that is no longer what it was
	for d := range documentsOf(ctx, list.Files, b.opts) {
		doc, reject := d.read(ctx)
		for _, of := range []string{id, doc.ID} { // a text has another id below another folder
			if reject == nil && b.origins[of] == d.origin {
				b.quoted[of] = newBook(doc)
				b.quoted[of].text = nil
			}
		}
	}
	return b.quoted[id], ctx.Err()
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
	// Names may be parts of the text, which would stay as long as they do.
	b := &book{title: strings.Clone(cmp.Or(oneLine(doc.Title), filepath.Base(doc.ID))), author: strings.Clone(oneLine(doc.Author)), text: commonplace.NewOffsets(doc.Text)}
	for p := range segment.Passages(doc, segment.Segmenter{By: "paragraphs", Cut: segment.ByParagraphs}) {
		var titles []string
		for _, place := range p.Places {
			if place.Title != "" && place.Kind != "speech" {
				titles = append(titles, place.Title)
			}
		}
		title := strings.Join(titles, " · ")
		if n := len(b.chapters); n == 0 || b.chapters[n-1].title != title {
			b.chapters = append(b.chapters, heading{p.Begin, strings.Clone(title)})
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
