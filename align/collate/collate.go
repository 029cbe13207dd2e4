// Package collate puts two texts one above the other, word by word, for people to
// compare.
package collate

import (
	"strings"
	"unicode"
)

// Kinds of columns in which two texts stand one above the other.
const (
	Same    = 0 // the same word
	Dressed = 1 // differs in case or punctuation alone
	Changed = 2 // another word, or the same damaged
	Missing = 3 // the source alone has it
	Added   = 4 // the derived side alone has it
)

// Column is one word of the source above one of the derived side.
type Column struct {
	Source  string `json:"s,omitempty"`
	Derived string `json:"d,omitempty"`
	Kind    int    `json:"k,omitempty"`
}

// maxWords bounds either side of what is aligned: the work grows with their
// product. Longer texts are shown to there.
const maxWords = 400

// Words puts two texts one above the other, word by word: the cheapest way of
// leaving out, putting in and changing words, where a change costs the less the
// more letters the two words have in common at their ends.
func Words(source, derived string) (columns []Column, cut bool) {
	s, d := strings.Fields(source), strings.Fields(derived)
	if len(s) > maxWords || len(d) > maxWords {
		s, d, cut = s[:min(len(s), maxWords)], d[:min(len(d), maxWords)], true
	}
	sf, df := folded(s), folded(d)
	width := len(d) + 1
	cost := make([]float32, (len(s)+1)*width)
	for i := range len(s) + 1 {
		for j := range width {
			switch {
			case i == 0:
				cost[j] = float32(j)
			case j == 0:
				cost[i*width] = float32(i)
			default:
				cost[i*width+j] = min(cost[(i-1)*width+j-1]+change(sf[i-1], df[j-1]), cost[(i-1)*width+j]+1, cost[i*width+j-1]+1)
			}
		}
	}
	for i, j := len(s), len(d); i > 0 || j > 0; {
		c := cost[i*width+j]
		switch {
		case i > 0 && j > 0 && c == cost[(i-1)*width+j-1]+change(sf[i-1], df[j-1]):
			i, j = i-1, j-1
			columns = append(columns, Column{s[i], d[j], kind(s[i], d[j], sf[i], df[j])})
		case i > 0 && c == cost[(i-1)*width+j]+1:
			i--
			columns = append(columns, Column{Source: s[i], Kind: Missing})
		default:
			j--
			columns = append(columns, Column{Derived: d[j], Kind: Added})
		}
	}
	for i, j := 0, len(columns)-1; i < j; i, j = i+1, j-1 {
		columns[i], columns[j] = columns[j], columns[i]
	}
	return joined(columns), cut
}

func kind(s, d, sf, df string) int {
	switch {
	case s == d:
		return Same
	case sf == df:
		return Dressed
	}
	return Changed
}

// joined makes one column of neighbouring words that are the same, to save room:
// the page splits them again. The derived side of such a column is left out.
func joined(columns []Column) []Column {
	out := columns[:0]
	for _, c := range columns {
		if last := len(out) - 1; c.Kind == Same && last >= 0 && out[last].Kind == Same {
			out[last].Source += " " + c.Source
			continue
		}
		if c.Kind == Same {
			c.Derived = ""
		}
		out = append(out, c)
	}
	return out
}

// folded are words in lower case with letters and digits alone.
func folded(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.Map(func(r rune) rune {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return -1
			}
			return unicode.ToLower(r)
		}, w)
	}
	return out
}

// change is the cost of one folded word for another, 0 to just under 2: leaving
// out one and putting in the other costs 2.
func change(a, b string) float32 {
	if a == b {
		return 0
	}
	short := min(len(a), len(b))
	front := 0
	for front < short && a[front] == b[front] {
		front++
	}
	back := 0
	for back < short-front && a[len(a)-1-back] == b[len(b)-1-back] {
		back++
	}
	// The conversion forbids fused arithmetic, which differs between machines.
	return 1.9 - float32(1.5*float32(front+back)/float32(max(len(a), len(b))))
}
