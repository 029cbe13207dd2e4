package segment

import (
	"slices"
	"strings"
	"unicode"

	commonplace "github.com/commonplace/commonplace"
)

// withTitles adds headings that have no number: paragraphs of one or two lines
// that the table of contents lists. Right below a numbered heading such a
// paragraph, or PREFACE and its like, is that heading's title and widens it.
func withTitles(text string, found []heading, paragraphs []span) []heading {
	contents, listed := contentsTitles(text, paragraphs)
	found = slices.DeleteFunc(found, func(h heading) bool { // PREFACE in the contents
		return h.number == 0 && contents.begin <= h.begin && h.begin < contents.end
	})
	times := countTitles(text, paragraphs, contents.end, listed)
	var all []heading
	next := 0
	for _, p := range paragraphs {
		for next < len(found) && found[next].begin < p.begin {
			all = append(all, found[next])
			next++
		}
		if p.end-p.begin > 160 {
			continue
		}
		isFound := next < len(found) && found[next].begin == p.begin
		key := ""
		switch {
		case isFound && found[next].number != 0:
			continue
		case isFound:
			key = titleKey(text[p.begin:p.end])
		case p.begin >= contents.end && len(listed) > 0:
			if key = titleKey(text[p.begin:p.end]); !listed[key] || isNumbered(text, p) || isSaid(text[p.begin:p.end]) {
				continue
			}
		default:
			continue
		}
		title := strings.Join(strings.Fields(text[p.begin:p.end]), " ")
		if n := len(all); n > 0 && seen(text, all[n-1].end, p.begin, 2) == 0 && (all[n-1].number > 0 || titleKey(all[n-1].title) == key) {
			last := &all[n-1]
			if last.end = p.end; last.number > 0 {
				last.title = strings.TrimRight(last.title, " .:") + ". " + title
			}
			if isFound {
				next++
			}
			continue
		}
		if !isFound && times[key] == 1 { // what stands often is no title
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

// countTitles counts how often each listed title stands after the table of
// contents; twice in a row is once.
func countTitles(text string, paragraphs []span, after int, listed map[string]bool) map[string]int {
	times := map[string]int{}
	last := ""
	for _, p := range paragraphs {
		if len(listed) == 0 || p.begin < after {
			continue
		}
		key := titleKey(text[p.begin:min(p.end, p.begin+161)])
		if key != "" && listed[key] && key != last {
			times[key]++
		}
		last = key
	}
	return times
}

// isSaid says that a paragraph is somebody's words: it begins with a quotation
// mark and has small letters.
func isSaid(p string) bool {
	return strings.TrimLeft(p, "\"'‘“«") != p && p != strings.ToUpper(p)
}

// isNumbered says that a paragraph begins with a numbered heading.
func isNumbered(text string, p span) bool {
	l := lineAt(text, p.begin)
	found, _ := parseHeadings(text, l.begin, min(l.end, p.end))
	return len(found) > 0 && found[0].number > 0
}

// contentsTitles finds the table of contents and the titles it lists. It goes
// from a paragraph that begins with the word Contents to the first paragraph of
// prose or the first title that stands a second time.
func contentsTitles(text string, paragraphs []span) (contents span, listed map[string]bool) {
	const most = 400 // paragraphs of a table of contents, or before it
	for i, p := range paragraphs[:min(len(paragraphs), most)] {
		head := strings.ToUpper(strings.Trim(text[p.begin:min(p.end, p.begin+20)], marks+"\r\n"))
		if !strings.HasPrefix(head, "CONTENTS") && !strings.HasPrefix(head, "TABLE OF CONTENTS") {
			continue
		}
		listed = map[string]bool{}
		contents = span{p.begin, p.end}
		for j, q := range paragraphs[i:min(len(paragraphs), i+most)] {
			body := text[q.begin:q.end]
			if len(body) > 300 && isProse(body) || j > 0 && listed[titleKey(body)] && !isNumbered(text, q) {
				break
			}
			for l := range eachLine(body) {
				if key := titleKey(body[l.begin:l.end]); len(key) > 3 {
					listed[key] = true
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
