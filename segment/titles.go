package segment

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	commonplace "github.com/commonplace/commonplace"
)

// longTitle is a title of so many bytes that no more are added. Each passage repeats it.
const longTitle = 1000

// withTitles adds headings that have no number: paragraphs of one or two lines
// that the table of contents lists. Right below a numbered heading such a
// paragraph, or PREFACE and its like, is that heading's title and widens it.
func withTitles(text string, found []heading, paragraphs []span, t listing) []heading {
	found = slices.DeleteFunc(found, func(h heading) bool { // PREFACE in the contents
		return h.number == 0 && t.contents.begin <= h.begin && h.begin < t.contents.end
	})
	again := t.again
	var all []heading
	next := 0
	for i, p := range paragraphs {
		for next < len(found) && found[next].begin < p.begin {
			all = append(all, found[next])
			next++
		}
		for len(again) > 0 && again[0].paragraph < i {
			again = again[1:]
		}
		if p.end-p.begin > 160 {
			continue
		}
		isFound := next < len(found) && found[next].begin == p.begin
		key := ""
		isOne := false // of the contents' titles
		switch {
		case isFound && found[next].number != 0:
			continue
		case isFound:
			key = titleKey(text[p.begin:p.end])
		case len(again) > 0 && again[0].paragraph == i:
			a := again[0]
			if key = a.key; isNumbered(text, p) || !a.as && t.stands[key].as == 1 {
				continue
			}
			isOne = t.isOne(a)
		default:
			continue
		}
		title := oneLine(text[p.begin:p.end])
		if n := len(all); n > 0 && seen(text, all[n-1].end, p.begin, 2) == 0 && (all[n-1].number > 0 && !(all[n-1].widened && isOne) || titleKey(all[n-1].title) == key) {
			last := &all[n-1]
			last.widened = last.widened || !isFound
			if last.end = p.end; last.number > 0 && len(last.title) < longTitle {
				last.title = strings.TrimRight(last.title, " .:") + ". " + title
			}
			if isFound {
				next++
			}
			continue
		}
		if isOne { // what stands often is no title
			all = append(all, heading{begin: p.begin, end: p.end, kind: commonplace.PlaceChapter, title: title, listed: true})
		}
	}
	return withoutLists(text, append(all, found[next:]...))
}

// withoutLists drops three or more listed titles in a row that have next to
// nothing below them: a list of illustrations.
func withoutLists(text string, found []heading) []heading {
	kept := found[:0]
	for i := 0; i < len(found); {
		j := i
		for j < len(found) && found[j].listed && j+1 < len(found) && seen(text, found[j].end, found[j+1].begin, shortEntry) < shortEntry {
			j++
		}
		if j-i < 3 {
			j = i
		}
		if i = j; i < len(found) {
			kept = append(kept, found[i])
			i++
		}
	}
	return kept
}

// listing is what the table of contents lists, and where it stands again.
type listing struct {
	contents span
	listed   map[string]listedTitle
	again    []titleAgain
	stands   map[string]standing
}

func listingOf(text string, paragraphs []span) (t listing) {
	t.contents, t.listed = contentsTitles(text, paragraphs)
	t.again, t.stands = listedAgain(text, paragraphs, t.contents.end, t.listed)
	return t
}

// isOne says that a paragraph is a title of the contents: what stands often is none.
func (t listing) isOne(a titleAgain) bool {
	return t.stands[a.key].times <= t.listed[a.key].times || a.as && t.stands[a.key].as == 1
}

// begins are the bytes at which the titles without a number begin, in order.
func (t listing) begins(text string, paragraphs []span) (at []int) {
	for _, a := range t.again {
		if p := paragraphs[a.paragraph]; t.isOne(a) && !isNumbered(text, p) {
			at = append(at, p.begin)
		}
	}
	return at
}

// listedTitle is a title of the table of contents.
type listedTitle struct {
	times int    // that it stands there: a narrator may speak twice
	as    string // how it is written
}

// titleAgain is a paragraph that the table of contents lists.
type titleAgain struct {
	paragraph int
	key       string
	as        bool // it is written as there
}

// standing is how often a title stands after the contents, and how often of these
// as it is written there.
type standing struct{ times, as int }

// listedAgain finds the paragraphs after the table of contents that it lists,
// and how often each title stands there; twice in a row is once. What somebody
// says is no title.
func listedAgain(text string, paragraphs []span, after int, listed map[string]listedTitle) (again []titleAgain, stands map[string]standing) {
	if len(listed) == 0 {
		return nil, nil
	}
	endings := map[[3]byte]bool{}
	for key := range listed {
		endings[ending(key)] = true
	}
	stands = map[string]standing{}
	for i, p := range paragraphs {
		if p.begin < after || p.end-p.begin > 160 || !endings[ending(text[p.begin:p.end])] {
			continue
		}
		key := titleKey(text[p.begin:p.end])
		title, ok := listed[key]
		if !ok || isSaid(text[p.begin:p.end]) {
			continue
		}
		as := written(text[p.begin:p.end]) == title.as
		if n := len(again); n == 0 || again[n-1].key != key || again[n-1].paragraph != i-1 {
			s := stands[key]
			s.times++
			s.as += b2i(as)
			stands[key] = s
		}
		again = append(again, titleAgain{i, key, as})
	}
	return again, stands
}

// written is a title as it stands, with single spaces.
func written(title string) string {
	return strings.Trim(strings.Join(strings.Fields(title), " "), marks)
}

// ending is the last three letters of a title, in capitals; other than ASCII
// letters do not count. It tells nearly all paragraphs quickly
// to be no title.
func ending(s string) (last [3]byte) {
	n := 0
	for i := len(s) - 1; i >= 0 && n < len(last); i-- {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z':
			c -= 'a' - 'A'
		case c >= 'A' && c <= 'Z':
		default:
			continue
		}
		last[n] = c
		n++
	}
	return last
}

// isSaid says that a paragraph is somebody's words: it begins with a quotation
// mark and has small letters.
func isSaid(p string) bool {
	return strings.TrimLeft(p, "\"'‘“«") != p && p != strings.ToUpper(p)
}

// isNumbered says that a paragraph begins with a numbered heading.
func isNumbered(text string, p span) bool {
	l := lineAt(text, p.begin)
	var line [mostHeadings]heading
	found, _ := parseHeadings(line[:0], text, l.begin, min(l.end, p.end))
	return len(found) > 0 && found[0].number > 0
}

// contentsTitles finds the table of contents and the titles it lists. It goes
// from a paragraph that begins with the word Contents to the first paragraph of
// prose or the first title that stands a second time.
func contentsTitles(text string, paragraphs []span) (contents span, listed map[string]listedTitle) {
	const most = 400 // paragraphs of a table of contents, or before it
	for i, p := range paragraphs[:min(len(paragraphs), most)] {
		head := strings.ToUpper(strings.Trim(text[p.begin:min(p.end, p.begin+20)], marks+"\r\n"))
		if !strings.HasPrefix(head, "CONTENTS") && !strings.HasPrefix(head, "TABLE OF CONTENTS") {
			continue
		}
		listed = map[string]listedTitle{}
		contents = span{p.begin, p.end}
		var pictures illustrations
		for j, q := range paragraphs[i:min(len(paragraphs), i+most)] {
			body := text[q.begin:q.end]
			key := titleKey(body)
			head := pictures.next(text, paragraphs[i:i+j+1], key)
			if len(body) > 300 && isProse(body) || !head && j > 0 && listed[key].times > 0 && !isNumbered(text, q) {
				break
			}
			for l := range eachLine(body) {
				for _, title := range entryTitles(body[l.begin:l.end]) {
					if key := titleKey(title); len(key) > 3 && !pictures.begun {
						listed[key] = listedTitle{listed[key].times + 1, cmp.Or(listed[key].as, written(title))}
					}
				}
			}
			contents.end = q.end
		}
		delete(listed, "CONTENTS")
		delete(listed, "TABLEOFCONTENTS")
		return contents, listed
	}
	return span{}, nil
}

// entryTitles are the titles that an entry of the contents may stand for: the whole of it, and
// of "HANDS, concerning Wing Biddlebaum" or "PREFACE by a friend" also what is before the
// words that begin small, for the text may have that alone.
func entryTitles(entry string) []string {
	if len(entry) > 160 {
		return []string{entry} // no title
	}
	for at := strings.IndexByte(entry, ' '); at >= 0; at = nextSpace(entry, at) {
		word := strings.TrimLeft(entry[at:], " (_*")
		if first, _ := utf8.DecodeRuneInString(word); !unicode.IsLower(first) {
			continue
		}
		head := entry[:len(entry)-len(word)]
		if title := strings.TrimRight(head, " (_*,:;"); strings.ContainsAny(head[len(title):], ",:;(") || title == strings.ToUpper(title) {
			return []string{entry, title}
		}
	}
	return []string{entry}
}

// nextSpace is the space after the one at byte i, or -1.
func nextSpace(s string, i int) int {
	n := strings.IndexByte(s[i+1:], ' ')
	if n < 0 {
		return -1
	}
	return i + 1 + n
}

// illustrations tells a list of illustrations below the table of contents from an
// entry of the table that says where it is.
type illustrations struct {
	begun bool // the paragraph belongs to the list
	entry bool // the contents have one that says so
	lines int  // most of a paragraph so far
	gap   int  // most line ends between two paragraphs so far
}

// next looks at the last of the contents' paragraphs, and says whether the list
// begins with it. The list has titles above
// it. Where these are a paragraph each, as the entry would be, there is more space
// above the list than above a title, or it is named a second time.
func (l *illustrations) next(text string, contents []span, key string) (head bool) {
	n := len(contents) - 1
	q, gap := contents[n], 0
	if n > 0 {
		gap = strings.Count(text[contents[n-1].end:q.begin], "\n")
	}
	if key == "ILLUSTRATIONS" || key == "LISTOFILLUSTRATIONS" {
		head = !l.begun && (l.entry || n > 1 && (l.lines > 1 || gap > l.gap))
		l.begun, l.entry = l.begun || head, true
	}
	l.lines = max(l.lines, 1+strings.Count(strings.TrimSpace(text[q.begin:q.end]), "\n"))
	l.gap = max(l.gap, gap)
	return head
}

// isProse says that most lines of a paragraph are long and it ends a sentence.
func isProse(body string) bool {
	lines, long := 0, 0
	for l := range eachLine(body) {
		lines++
		if l.end-l.begin > 55 {
			long++
		}
	}
	return 3*long >= 2*lines && lines > 1
}

// titleKey is a title's letters and digits in capitals, without the page number
// and the chapter's number around it; empty for what is no title.
func titleKey(s string) string {
	if len(s) > 160 {
		return ""
	}
	s = strings.Trim(s, marks+"\r\n")
	if word, rest := cutWord(s); rest != "" && (rest[0] == '.' || rest[0] == ' ' && len(word) > 1) {
		if _, ok := roman(word); ok && word == strings.ToUpper(word) {
			s = strings.TrimLeft(rest, marks)
		}
	}
	s = strings.TrimRight(s, "0123456789 .\t")
	var b strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToUpper(r))
		}
	}
	return b.String()
}
