package segment

import (
	"slices"
	"strings"

	commonplace "github.com/commonplace/commonplace"
)

// seen is how much text stands between two bytes, white space not counted.
func seen(text string, begin, end, atMost int) int {
	n := 0
	for i := begin; i < end && n <= atMost; i++ {
		if asciiSpace[text[i]] == 0 {
			n++
		}
	}
	return n
}

// Entries of a table of contents have less text below them than chapters:
// summaries under the word Contents, or next to nothing.
const (
	shortEntry = 300
	longEntry  = 1500
)

// withoutContents drops the table of contents at the front of a book: three or
// more headings with little below them, one of the first of which stands again
// where the text begins, or which stand under the word Contents.
func withoutContents(text string, found []heading) []heading {
	start := 0
	for start < len(found) && found[start].number == 0 {
		start++ // a preface may stand before the contents
	}
	if start >= len(found) {
		return found
	}
	announced := slices.ContainsFunc(found[start:min(start+3, len(found))], func(h heading) bool { return contentsAbove(text, h.begin) })
	limit := shortEntry
	if announced {
		limit = longEntry
	}
	last := start // the first heading with a text below it
	for last < len(found)-1 && seen(text, found[last].end, found[last+1].begin, limit) < limit {
		last++
	}
	if last-start < 2 {
		return found
	}
	// Where one of the first entries stands again, the text begins. A list of
	// illustrations may stand between the last entry and it.
	for first := start; first < min(start+3, last); first++ {
		for i := min(last+2, len(found)-1); i > first+1; i-- {
			if sameHeading(found[i], found[first]) {
				for i-1 > first && goesOn(found[i-1], found[i]) { // the entry of chapter 1 was no heading
					i--
				}
				return slices.Delete(found, start, i)
			}
		}
	}
	if !announced {
		return found
	}
	// The entries are written otherwise than the headings: keep only what leads to the first text.
	if slices.ContainsFunc(found[last+1:], func(h heading) bool { return sameHeading(h, found[last]) }) {
		return slices.Delete(found, start, last+1) // the last entry, too, stands again
	}
	keep := last
	for keep > start && rank(found[keep-1].kind) < rank(found[last].kind) && seen(text, found[keep-1].end, found[keep].begin, 80) < 80 {
		keep--
	}
	return slices.Delete(found, start, keep)
}

// withoutNotes drops five or more chapters at a book's end that have little below
// them and were there before: notes, or contents in the French manner.
func withoutNotes(text string, found []heading) []heading {
	type key struct {
		kind   string
		number int
		bare   bool
	}
	earliest := map[key]int{}
	for i, h := range found {
		if k := (key{h.kind, h.number, h.bare}); earliest[k] == 0 {
			earliest[k] = i + 1
		}
	}
	first := len(found)
	for first > 0 {
		h, end := found[first-1], len(text)
		if first < len(found) {
			end = found[first].begin
		}
		earlier := earliest[key{h.kind, h.number, h.bare}] - 1
		if h.kind != commonplace.PlaceChapter || earlier == first-1 || seen(text, h.end, end, longEntry) >= longEntry {
			break
		}
		first--
	}
	if len(found)-first < 5 {
		return found
	}
	return found[:first]
}

// goesOn says that b counts on from a.
func goesOn(a, b heading) bool {
	return a.kind == b.kind && a.bare == b.bare && a.number > 0 && a.number+1 == b.number
}

func sameHeading(a, b heading) bool {
	return a.kind == b.kind && a.number == b.number && a.bare == b.bare
}

// contentsAbove says that the word Contents stands in the 600 bytes before.
func contentsAbove(text string, at int) bool {
	above := strings.ToUpper(strings.ToValidUTF8(text[max(0, at-600):at], ""))
	for _, word := range []string{"CONTENTS", "TABLE DES MATIÈRES", "INHALT", "INDICE", "ÍNDICE", "INHOUD"} {
		if strings.Contains(above, word) {
			return true
		}
	}
	return false
}
