package segment

import (
	"iter"
	"slices"
	"strings"

	commonplace "github.com/commonplace/commonplace"
)

// findHeadings finds the headings of a text, in order. A heading is a short
// paragraph, or the first line of one. Tables of contents are not taken for
// chapters, and bare numbers count only where they go up by one.
func findHeadings(text string, paragraphs []span) headingList {
	if s := scriptureOf(text, paragraphs); s != nil {
		return headingList{scripture: s}
	}
	var found []heading
	var line [mostHeadings]heading
	for i, p := range paragraphs {
		found = append(found, headingsOf(line[:0], text, p, i+1 < len(paragraphs))...)
	}
	found = withoutNotes(text, withoutContents(text, found))
	t := listingOf(text, paragraphs)
	found = inSequence(found, t.begins(text, paragraphs))
	found = withTitles(text, found, paragraphs, t)
	return headingList{found: ranked(found)}
}

// headingList has the headings of a text, in order.
type headingList struct {
	found     []heading
	scripture *scripture // which has them instead
}

func (h headingList) len() int {
	if h.scripture != nil {
		return h.scripture.books + h.scripture.chapters
	}
	return len(h.found)
}

func (h headingList) each() iter.Seq[heading] {
	if h.scripture != nil {
		return h.scripture.headings()
	}
	return slices.Values(h.found)
}

// span is bytes [begin, end) of a text.
type span struct{ begin, end int }

// headingsOf reads the headings at the head of one paragraph, into an empty slice.
func headingsOf(into []heading, text string, p span, more bool) []heading {
	if !mayHead(text[p.begin:p.end]) {
		return nil
	}
	first := lineAt(text, p.begin)
	if first.end-first.begin > 200 || !more && first.end >= p.end {
		return nil // nothing stands below it
	}
	found, rest := parseHeadings(into, text, first.begin, min(first.end, p.end))
	if len(found) == 0 {
		return nil
	}
	others := strings.TrimSpace(text[min(first.end, p.end):p.end])
	if isContents(others, found[0].kind) {
		return nil
	}
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
	title := oneLine(text[p.begin:end])
	for i := range found {
		found[i].begin, found[i].end, found[i].title = p.begin, end, title
	}
	return found
}

// isContents says that a heading stands among others of its kind, line by line.
func isContents(lines, kind string) bool {
	var line [mostHeadings]heading
	for l := range eachLine(lines) {
		if more, _ := parseHeadings(line[:0], lines, l.begin, l.end); len(more) > 0 && more[0].kind == kind {
			return true
		}
	}
	return false
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

// inSequence keeps bare numbers that count up from 1, and makes them sections
// where chapters have a word of their own, chapters where they have not. Where
// "I. A SCANDAL" and a lone "I" both begin a count, the first are the chapters
// and the others their sections. titles are the bytes at which the titles of the
// contents begin.
func inSequence(found []heading, titles []int) []heading {
	chapters := 0
	var begins [2]bool // a count of lone numbers, of titled ones
	for _, h := range found {
		switch {
		case h.bare && h.number == 1:
			begins[b2i(h.titled)] = true
		case !h.bare && h.kind == commonplace.PlaceChapter && h.number > 0:
			chapters++
		}
	}
	apart := begins[0] && begins[1]
	acts := has(found, commonplace.PlaceAct)
	counts := [2]count{{next: 1, titles: titles}, {next: 1, titles: titles}}
	keep := make([]bool, len(found))
	for i, h := range found {
		if !h.bare {
			keep[i] = true
			continue
		}
		same := func(g heading) bool { return g.bare && (!apart || g.titled == h.titled) }
		above := func(g heading) bool {
			return !g.bare && rank(g.kind) <= rank(commonplace.PlaceChapter) || apart && g.titled && !h.titled
		}
		if !acts {
			counts[b2i(apart && h.titled)].take(i, found, keep, same, above)
		}
		if chapters > 1 || apart && !h.titled {
			found[i].kind = commonplace.PlaceSection
		}
	}
	for _, c := range counts {
		c.close(keep)
	}
	var kept []heading
	for i, h := range found {
		if keep[i] {
			kept = append(kept, h)
		}
	}
	return kept
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// count follows numbers that go up by one.
type count struct {
	next   int
	first  int // heading with the number 1
	last   int // heading that was kept last
	long   bool
	titles []int // bytes at which the titles of the contents begin
}

// take keeps heading i if it goes on with the count or begins another. A 1
// begins another when a 2 follows on it before the number that would go on; a II
// does when a III is next and it stands in another unit, for the first section of
// a story often has no number.
func (c *count) take(i int, found []heading, keep []bool, same, above func(heading) bool) {
	switch n := found[i].number; {
	case n == c.next && n > 1:
		c.next, c.long, keep[i] = n+1, true, true
	case n == 1 && (c.next <= 2 || restarts(found[i+1:], c.next, same)):
		c.close(keep)
		c.next, c.first, c.long, keep[i] = 2, i, false, true
	case n == 2 && !found[i].titled && strings.Trim(found[i].title, marks) == "II" && nextOf(found[i+1:], same) == 3 && c.ends(i, found, same, above):
		c.close(keep)
		c.next, c.long, keep[i] = 3, true, true
	}
	if keep[i] {
		c.last = i
	}
}

// ends says that the count does not go on after heading i: something above it
// stands before i, or the next number does not come before such. Where it does,
// what counts from II is inside, as the stanzas of a poem are.
func (c *count) ends(i int, found []heading, same, above func(heading) bool) bool {
	if c.next == 1 || c.titled(found[c.last].end, found[i].begin) || slices.ContainsFunc(found[c.last+1:i], above) {
		return true
	}
	for _, h := range found[i+1 : min(len(found), i+500)] {
		switch {
		case above(h) || c.titled(found[i].end, h.begin):
			return true
		case same(h) && h.number == c.next:
			return false
		}
	}
	return true
}

// titled says that a title of the contents begins in [from, to) bytes of the text.
func (c *count) titled(from, to int) bool {
	at, _ := slices.BinarySearch(c.titles, from)
	return at < len(c.titles) && c.titles[at] < to
}

// nextOf is the next number of a count, 0 when there is none.
func nextOf(after []heading, same func(heading) bool) int {
	for _, h := range after[:min(len(after), 500)] {
		if same(h) {
			return h.number
		}
	}
	return 0
}

// close drops a count that stopped at 1.
func (c *count) close(keep []bool) {
	if c.next == 2 && !c.long {
		keep[c.first] = false
	}
}

// restarts says that a 2 follows on a 1 before the number that would go on with
// the count before it.
func restarts(after []heading, next int, same func(heading) bool) bool {
	for _, h := range after[:min(len(after), 500)] { // so that a million numbers take no longer than they are
		if same(h) && (h.number == 2 || h.number == next) {
			return h.number == 2
		}
	}
	return false
}

// kinds is how many kinds of units there are.
const kinds = 10

// ranks orders the kinds from the outermost in.
var ranks = [kinds]string{
	commonplace.PlaceDocument, commonplace.PlaceVolume, commonplace.PlaceBook, commonplace.PlacePart, commonplace.PlaceAct,
	commonplace.PlaceChapter, commonplace.PlaceScene, commonplace.PlaceSection, commonplace.PlaceSpeech, commonplace.PlaceParagraph,
}

func rank(kind string) int { return slices.Index(ranks[:], kind) }

// closingSections makes a lone word such as Conclusion below numbered sections
// the last of these where the contents' titles are the chapters and another
// follows: it ends an essay and not the book.
func closingSections(found []heading) {
	last := -1
	for i, h := range found {
		if h.listed {
			last = i
		}
	}
	inside := false // of a title
	for i, h := range found[:max(0, last)] {
		inside = inside || h.listed
		if inside && h.number == 0 && !h.listed && h.kind == commonplace.PlaceChapter && found[i-1].kind == commonplace.PlaceSection {
			found[i].kind = commonplace.PlaceSection
		}
	}
}

// ranked settles what depends on the others: what leads to a chapter 1 of its
// own is a part, be it an epilogue, a story of a collection or the scene of a
// novel, and so are its like.
func ranked(found []heading) []heading {
	closingSections(found)
	acts := has(found, commonplace.PlaceAct)
	large := commonplace.PlacePart // what an epilogue is
	if !has(found, large) && has(found, commonplace.PlaceBook) {
		large = commonplace.PlaceBook
	}
	parts := has(found, large)
	titles, scenes := false, false
	for i, h := range found[:max(0, len(found)-1)] {
		next := found[i+1]
		if next.kind != commonplace.PlaceChapter || next.number != 1 || next.begin-h.end > 200 {
			continue
		}
		switch {
		case h.listed:
			titles = true
		case h.kind == commonplace.PlaceScene && !acts:
			scenes = true
		case h.number == 0 && parts:
			found[i].kind = large
		}
	}
	for i, h := range found {
		if titles && h.listed || scenes && h.kind == commonplace.PlaceScene {
			found[i].kind = commonplace.PlacePart
		}
	}
	return found
}

func has(found []heading, kind string) bool {
	return slices.ContainsFunc(found, func(h heading) bool { return h.kind == kind })
}
