package hathitrust

import (
	"strings"
	"unicode"

	"github.com/agnivade/levenshtein"
)

// page is one OCR page in lines, without line breaks.
type page struct {
	lines       []string
	first, last int  // the lines that stay: lines[first:last]
	title       bool // a title page: what is at its top is no running head
}

func newPage(text string) page {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\f", "\n").Replace(text)
	text = strings.TrimRight(text, "\n \t")
	p := page{}
	if text != "" {
		p.lines = strings.Split(text, "\n")
	}
	p.last = len(p.lines)
	return p
}

// near is how many pages on either side a running head is looked for: heads of
// left and right pages differ, so that the next alike is two pages on.
const near = 6

// dropHeads moves first and last of every page past running heads, running
// feet and page numbers: at most two lines at either end that hold only a
// number, or that stand, numbers aside, at the same end of two pages nearby.
// One OCR error in five characters is forgiven.
func dropHeads(pages []page) {
	type ends struct{ top, bottom [2]string }
	keys := make([]ends, len(pages))
	for i, p := range pages {
		for n, k := range edge(p, false) {
			keys[i].top[n] = headKey(p.lines[k])
		}
		for n, k := range edge(p, true) {
			keys[i].bottom[n] = headKey(p.lines[k])
		}
	}
	repeats := func(i int, key string, bottom bool) bool {
		if len(key) < 4 {
			return false
		}
		times := 0
		for j := max(0, i-near); j < min(len(pages), i+near+1); j++ {
			others := keys[j].top
			if bottom {
				others = keys[j].bottom
			}
			if j != i && (alike(key, others[0]) || alike(key, others[1])) {
				times++
			}
		}
		return times >= 2
	}
	for i := range pages {
		p := &pages[i]
		if p.title {
			continue
		}
		for n, k := range edge(*p, false) {
			if !isPageNumber(p.lines[k]) && !repeats(i, keys[i].top[n], false) {
				break
			}
			p.first = k + 1
		}
		for n, k := range edge(*p, true) {
			if k < p.first || !isPageNumber(p.lines[k]) && !repeats(i, keys[i].bottom[n], true) {
				break
			}
			p.last = k
		}
	}
}

// edge is the first two lines of a page that are not blank, or the last two
// from the bottom up.
func edge(p page, bottom bool) []int {
	var found []int
	for n := range len(p.lines) {
		k := n
		if bottom {
			k = len(p.lines) - 1 - n
		}
		if strings.TrimSpace(p.lines[k]) != "" {
			if found = append(found, k); len(found) == 2 {
				break
			}
		}
	}
	return found
}

// headKey is a line's letters in small letters: page numbers and OCR's specks aside.
func headKey(line string) string {
	if len(line) > 90 {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, line)
}

func alike(a, b string) bool {
	if b == "" {
		return false
	}
	if a == b {
		return true
	}
	longer := max(len(a), len(b))
	return len(a) >= 8 && len(b) >= 8 && 5*levenshtein.ComputeDistance(a, b) <= longer
}

// isPageNumber recognises 12, [12], - 12 -, xii, Page 12, and a signature such as B 2.
func isPageNumber(line string) bool {
	s := strings.Trim(line, " \t[](){}-–—.*•|")
	if s == "" || len(s) > 12 {
		return false
	}
	s = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(s), "page"), "p."))
	digits, roman, others := 0, 0, 0
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case strings.ContainsRune("ivxlc", r):
			roman++
		case r == ' ':
		default:
			others++
		}
	}
	return others == 0 && (roman == 0 && digits > 0 && digits <= 4 || digits == 0 && roman > 0) || digits > 0 && digits <= 2 && others == 1 && roman == 0 && len(s) <= 4
}
