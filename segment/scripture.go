package segment

import (
	"strconv"
	"strings"

	commonplace "github.com/commonplace/commonplace"
)

// leastVerses is how many verses in a row make a text a scripture.
const leastVerses = 20

// scripture makes chapters, and books where there are several, of the numbers
// of verses; none when the text is no scripture. A book begins at 1:1, or at
// the short paragraphs without a number right above it, which are its title.
func scripture(text string, paragraphs []span) []heading {
	if !strings.Contains(text, "1:1") && !strings.Contains(text, "01:001:001") {
		return nil
	}
	verses := colonMarks(text)
	if len(verses) < leastVerses {
		return nil
	}
	books := 0
	for _, v := range verses {
		if v.chapter == 1 && v.verse == 1 {
			books++
		}
	}
	var found []heading
	p := 0 // the paragraph of the verse
	for i, v := range verses {
		for p < len(paragraphs)-1 && paragraphs[p+1].begin <= v.begin {
			p++
		}
		if v.verse != 1 {
			continue
		}
		before := 0 // the end of the verse before
		if i > 0 {
			before = verses[i-1].end
		}
		if v.chapter == 1 && books > 1 {
			begin, end := v.begin, v.begin
			for q := p - 1; q >= 0 && p-q <= 2 && paragraphs[q].begin > before && paragraphs[q].end-paragraphs[q].begin < 200; q-- {
				begin, end = paragraphs[q].begin, max(end, paragraphs[q].end)
			}
			if begin < v.begin {
				end = paragraphs[p-1].end
			}
			found = append(found, heading{begin: begin, end: end, kind: commonplace.PlaceBook, number: len(found) + 1,
				title: strings.Join(strings.Fields(text[begin:end]), " ")})
		}
		found = append(found, heading{begin: v.begin, end: v.begin, kind: commonplace.PlaceChapter, number: v.chapter, title: strconv.Itoa(v.chapter)})
	}
	return found
}
