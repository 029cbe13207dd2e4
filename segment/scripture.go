package segment

import (
	"iter"
	"strconv"
	"strings"

	commonplace "github.com/commonplace/commonplace"
)

// leastVerses is how many verses in a row make a text a scripture.
const leastVerses = 20

// scripture is a text whose numbers of verses make chapters, and books where there are
// several. A book begins at 1:1, or at the short paragraphs without a number right above
// it, which are its title.
type scripture struct {
	text            string
	paragraphs      []span
	books, chapters int
}

// scriptureOf is nil where the text is none.
func scriptureOf(text string, paragraphs []span) *scripture {
	if !strings.Contains(text, "1:1") && !strings.Contains(text, "01:001:001") {
		return nil
	}
	s := &scripture{text: text, paragraphs: paragraphs}
	verses := 0
	for v := range colonMarks(text) {
		verses++
		if v.verse == 1 {
			s.chapters++
			s.books += b2i(v.chapter == 1)
		}
	}
	if verses < leastVerses {
		return nil
	}
	if s.books == 1 {
		s.books = 0 // the whole text is it
	}
	return s
}

// headings finds the headings in the text each time anew: every line can have two, so they
// are not kept.
func (s *scripture) headings() iter.Seq[heading] {
	return func(yield func(heading) bool) {
		p := 0      // the paragraph of the verse
		before := 0 // the end of the verse before
		for v := range colonMarks(s.text) {
			for p < len(s.paragraphs)-1 && s.paragraphs[p+1].begin <= v.begin {
				p++
			}
			if v.verse == 1 && v.chapter == 1 && s.books > 0 && !yield(s.book(v, p, before)) {
				return
			}
			if v.verse == 1 && !yield(heading{begin: v.begin, end: v.begin, kind: commonplace.PlaceChapter, number: v.chapter, title: strconv.Itoa(v.chapter)}) {
				return
			}
			before = v.end
		}
	}
}

// book is the heading above a verse 1:1 in paragraph p, behind the verse before.
func (s *scripture) book(v verseMark, p, before int) heading {
	begin, end := v.begin, v.begin
	for q := p - 1; q >= 0 && p-q <= 2 && s.paragraphs[q].begin > before && s.paragraphs[q].end-s.paragraphs[q].begin < 200; q-- {
		begin, end = s.paragraphs[q].begin, s.paragraphs[p-1].end
	}
	return heading{begin: begin, end: end, kind: commonplace.PlaceBook, title: strings.Join(strings.Fields(s.text[begin:end]), " ")}
}
