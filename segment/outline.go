package segment

import (
	"slices"
	"strings"

	commonplace "github.com/commonplace/commonplace"
)

// findHeadings finds the headings of a text, in order. A heading is a short
// paragraph, or the first line of one. Tables of contents are not taken for
// chapters, and bare numbers count only where they go up by one.
func findHeadings(text string, paragraphs []span) []heading {
	var found []heading
	for i, p := range paragraphs {
		found = append(found, headingsOf(text, p, i+1 < len(paragraphs))...)
	}
	found = withoutContents(text, found)
	found = inSequence(found)
	return ranked(found)
}

// span is bytes [begin, end) of a text.
type span struct{ begin, end int }

// headingsOf reads the headings at the head of one paragraph.
func headingsOf(text string, p span, more bool) []heading {
	if !mayHead(text[p.begin:p.end]) {
		return nil
	}
	first := lineAt(text, p.begin)
	if first.end-first.begin > 200 || !more && first.end >= p.end {
		return nil // nothing stands below it
	}
	found, rest := parseHeadings(text, first.begin, min(first.end, p.end))
	if len(found) == 0 {
		return nil
	}
	others := strings.TrimSpace(text[min(first.end, p.end):p.end])
	lines := 1 + strings.Count(others, "\n")
	end := p.end
	switch h := found[0]; {
	case others == "":
	case h.bare && (lines > 3 || !titles(others)):
		return nil // a numbered paragraph
	case h.number == 0 && !h.bare && !titles(others), lines > 4 || p.end-p.begin > 400:
		if rest != "" && !isTitle(rest) {
			return nil
		}
		end = first.end // the text begins on the next line
	}
	title := strings.Join(strings.Fields(text[p.begin:end]), " ")
	for i := range found {
		found[i].begin, found[i].end, found[i].title = p.begin, end, title
	}
	return found
}

// titles says that every line is a title.
func titles(lines string) bool {
	for l := range eachLine(lines) {
		if s := strings.Trim(lines[l.begin:l.end], " \t_*\"“”'‘’"); s != "" && !isTitle(s) {
			return false
		}
	}
	return true
}

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
// more headings with little below them, the first of which stands again where
// the text begins, or which stand under the word Contents.
func withoutContents(text string, found []heading) []heading {
	start := 0
	for start < len(found) && found[start].number == 0 {
		start++ // a preface may stand before the contents
	}
	if start >= len(found) {
		return found
	}
	announced := contentsAbove(text, found[start].begin)
	limit := shortEntry
	if announced {
		limit = longEntry
	}
	last := start // the first heading with a text below it
	for last < len(found)-1 && seen(text, found[last].end, found[last+1].begin, limit) < limit {
		last++
	}
	if last-start < 3 {
		return found
	}
	// Where the first entry stands again, the text begins.
	for i := last; i > start+1; i-- {
		if sameHeading(found[i], found[start]) {
			return slices.Delete(found, start, i)
		}
	}
	if !announced {
		return found
	}
	// The entries are written otherwise than the headings: keep only what leads to the first text.
	keep := last
	for keep > start && rank(found[keep-1].kind) < rank(found[last].kind) && seen(text, found[keep-1].end, found[keep].begin, 80) < 80 {
		keep--
	}
	return slices.Delete(found, start, keep)
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

// inSequence keeps bare numbers that count up from 1, and makes them sections
// where chapters have a word of their own, chapters where they have not.
func inSequence(found []heading) []heading {
	chapters, acts := 0, 0
	for _, h := range found {
		if !h.bare && h.kind == commonplace.PlaceChapter && h.number > 0 {
			chapters++
		}
		if h.kind == commonplace.PlaceAct {
			acts++
		}
	}
	var kept []heading
	var run []int // where in kept the numbers of this count are
	next := 1
	closeRun := func() { // a count that stopped at 1 is none
		if len(run) == 1 {
			kept = slices.Delete(kept, run[0], run[0]+1)
		}
		run = run[:0]
	}
	for _, h := range found {
		if h.bare {
			if acts > 0 || h.number != 1 && h.number != next {
				continue
			}
			if h.number == 1 {
				closeRun()
			}
			next = h.number + 1
			run = append(run, len(kept))
			if chapters > 1 {
				h.kind = commonplace.PlaceSection
			}
		}
		kept = append(kept, h)
	}
	closeRun()
	return kept
}

// kinds is how many kinds of units there are.
const kinds = 10

// ranks orders the kinds from the outermost in.
var ranks = [kinds]string{
	commonplace.PlaceDocument, commonplace.PlaceVolume, commonplace.PlaceBook, commonplace.PlacePart, commonplace.PlaceAct,
	commonplace.PlaceChapter, commonplace.PlaceScene, commonplace.PlaceSection, commonplace.PlaceSpeech, commonplace.PlaceParagraph,
}

func rank(kind string) int { return slices.Index(ranks[:], kind) }

// ranked settles what depends on the others: an epilogue or a first letter that
// has chapters of its own is as large as the parts around it.
func ranked(found []heading) []heading {
	large := ""
	for i, h := range found {
		if h.kind == commonplace.PlacePart || h.kind == commonplace.PlaceBook {
			large = h.kind
		}
		if large == "" || h.number != 0 || h.bare || i+1 >= len(found) {
			continue
		}
		if next := found[i+1]; next.kind == commonplace.PlaceChapter && next.number == 1 && next.begin-h.end < 200 {
			found[i].kind = large
		}
	}
	return found
}
