package hathitrust

import (
	"strings"
	"unicode"
	"unicode/utf8"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// join makes one text of pages: their lines without heads and feet, a line
// break between pages, and words that a hyphen breaks over lines or pages put
// together. It fills Begin, End, Head and Foot of the pages and says where
// hyphens were taken out.
func join(pages []page, out []commonplace.Page, joinHyphens bool, budget *bounded.Budget) (text string, hyphens []int64, err error) {
	known := map[string]int{}
	if joinHyphens {
		if known, err = words(pages, budget); err != nil {
			return "", nil, err
		}
	}
	var b []byte
	points := int64(0)
	write := func(s string) {
		b = append(b, s...)
		points += int64(utf8.RuneCountInString(s))
	}
	broken := "" // the part of a word before the hyphen that ends the text so far
	for i, p := range pages {
		out[i].Head = strings.Join(p.lines[:p.first], "\n")
		out[i].Foot = strings.Join(p.lines[p.last:], "\n")
		begun := false
		for _, line := range p.lines[p.first:p.last] {
			if broken != "" && strings.TrimSpace(line) == "" && !begun {
				continue // a blank line at a page's top does not part a word
			}
			rest := firstWord(line)
			if whole := broken + rest; broken != "" && rest != "" && together(known, broken, rest, whole) {
				_, size := utf8.DecodeLastRune(b)
				b = b[:len(b)-size]
				points--
				hyphens = append(hyphens, points)
				for j := i - 1; j >= 0 && out[j].End > points; j-- { // the hyphen ended an earlier page
					out[j].Begin, out[j].End = min(out[j].Begin, points), points
				}
				line = strings.TrimLeft(line, " \t")
			} else if points > 0 {
				write("\n")
			}
			if !begun {
				out[i].Begin, begun = points, true
			}
			write(line)
			if broken = ""; joinHyphens {
				broken = lastBroken(line)
			}
		}
		if !begun {
			out[i].Begin = points
		}
		out[i].End = points
	}
	return string(b), hyphens, nil
}

// words counts the words of all pages, with hyphens inside them.
func words(pages []page, budget *bounded.Budget) (map[string]int, error) {
	known := map[string]int{}
	for _, p := range pages {
		for _, line := range p.lines[p.first:p.last] {
			for _, w := range strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) {
				w = strings.ToLower(strings.Trim(w, "-"))
				if known[w]++; known[w] == 1 {
					if err := budget.Hold(wordBytes); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	return known, nil
}

// together says that a broken word is written in one: not when the volume has
// it with a hyphen in the middle of lines and never without.
func together(known map[string]int, left, right, whole string) bool {
	if r, _ := utf8.DecodeRuneInString(right); !unicode.IsLower(r) {
		return false
	}
	return known[strings.ToLower(whole)] > 0 || known[strings.ToLower(left+"-"+right)] == 0
}

// lastBroken is the part of a word before the hyphen that ends a line, empty
// when none does. OCR writes the hyphen as - ¬ or U+00AD.
func lastBroken(line string) string {
	for _, h := range []string{"-", "¬", "\u00ad"} {
		if before, ok := strings.CutSuffix(line, h); ok {
			i := strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsLetter(r) })
			if part := before[i+1:]; utf8.RuneCountInString(part) > 1 {
				return part
			}
		}
	}
	return ""
}

// firstWord is the letters that a line begins with.
func firstWord(line string) string {
	line = strings.TrimLeft(line, " \t")
	for i, r := range line {
		if !unicode.IsLetter(r) {
			return line[:i]
		}
	}
	return line
}
