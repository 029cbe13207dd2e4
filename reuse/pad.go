package reuse

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// pad stands where a text has nothing against the other. A hyphen of a text is
	// written as [hyphen], as passim does, so that a pad is no letter.
	pad    = '-'
	hyphen = '\u2010'

	// maxCells bounds the table of an alignment: a longer piece without a common run
	// of letters is padded at its end and not aligned.
	maxCells = 4 << 20
	// runLength is the length of the runs that divide long texts.
	runLength = 16
)

// Pad writes two texts one above the other, code point by code point: as few letters as
// possible are changed, and what only one has stands above pads. White space equals white
// space, and a line break stands above nothing else.
func Pad(source, target string) (s1, s2 string) {
	var p padding
	p.align([]rune(strings.ReplaceAll(source, "-", string(hyphen))), []rune(strings.ReplaceAll(target, "-", string(hyphen))))
	return string(p.above), string(p.below)
}

// letters is the length of a padded text without pads, in code points.
func letters(s string) int { return utf8.RuneCountInString(s) - strings.Count(s, string(pad)) }

// same counts places at which two padded texts are equal.
func same(s1, s2 string) int {
	a, b := []rune(s1), []rune(s2)
	n := 0
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			n++
		}
	}
	return n
}

type padding struct{ above, below []rune }

func (p *padding) align(a, b []rune) {
	front := 0
	for front < len(a) && front < len(b) && alike(a[front], b[front]) {
		front++
	}
	p.put(a[:front], b[:front])
	a, b = a[front:], b[front:]
	back := 0
	for back < len(a) && back < len(b) && alike(a[len(a)-1-back], b[len(b)-1-back]) {
		back++
	}
	p.middle(a[:len(a)-back], b[:len(b)-back])
	p.put(a[len(a)-back:], b[len(b)-back:])
}

// middle aligns texts that differ at both ends.
func (p *padding) middle(a, b []rune) {
	switch {
	case len(a) == 0 || len(b) == 0:
		p.put(a, b)
	case (len(a)+1)*(len(b)+1) <= maxCells:
		p.table(a, b)
	default:
		runs := commonRuns(a, b)
		i, j := 0, 0
		for _, r := range runs {
			p.align(a[i:r[0]], b[j:r[1]])
			i, j = r[0], r[1]
		}
		if len(runs) == 0 {
			p.put(a, b)
		} else {
			p.align(a[i:], b[j:])
		}
	}
}

// put writes two texts side by side and pads the shorter one at its end.
func (p *padding) put(a, b []rune) {
	p.above = append(p.above, a...)
	p.below = append(p.below, b...)
	for range len(b) - len(a) {
		p.above = append(p.above, pad)
	}
	for range len(a) - len(b) {
		p.below = append(p.below, pad)
	}
}

func alike(a, b rune) bool { return a == b || unicode.IsSpace(a) && unicode.IsSpace(b) }

// table aligns two texts with the fewest changes.
func (p *padding) table(a, b []rune) {
	width := len(b) + 1
	cost := make([]int32, (len(a)+1)*width)
	for j := range width {
		cost[j] = int32(j)
	}
	for i := 1; i <= len(a); i++ {
		cost[i*width] = int32(i)
		for j := 1; j <= len(b); j++ {
			c := 1 + min(cost[(i-1)*width+j], cost[i*width+j-1])
			if step, ok := over(a[i-1], b[j-1]); ok {
				c = min(c, cost[(i-1)*width+j-1]+step)
			}
			cost[i*width+j] = c
		}
	}
	from := len(p.above)
	for i, j := len(a), len(b); i > 0 || j > 0; {
		c := cost[i*width+j]
		if i > 0 && j > 0 {
			if step, ok := over(a[i-1], b[j-1]); ok && c == cost[(i-1)*width+j-1]+step {
				i, j = i-1, j-1
				p.above, p.below = append(p.above, a[i]), append(p.below, b[j])
				continue
			}
		}
		if i > 0 && c == cost[(i-1)*width+j]+1 {
			i--
			p.above, p.below = append(p.above, a[i]), append(p.below, pad)
		} else {
			j--
			p.above, p.below = append(p.above, pad), append(p.below, b[j])
		}
	}
	slices.Reverse(p.above[from:])
	slices.Reverse(p.below[from:])
}

// over is the cost of one letter above another; a line break stands above white space alone.
func over(a, b rune) (cost int32, ok bool) {
	if alike(a, b) {
		return 0, true
	}
	return 1, a != '\n' && b != '\n'
}

// commonRuns are places at which both texts have a run of letters that each has only
// once, in the order of both: the longest such row of places.
func commonRuns(a, b []rune) [][2]int {
	once := func(text []rune) map[string]int {
		at := map[string]int{}
		for i := 0; i+runLength <= len(text); i++ {
			key := string(text[i : i+runLength])
			if _, twice := at[key]; twice {
				at[key] = -1
			} else {
				at[key] = i
			}
		}
		return at
	}
	inB := once(b)
	var pairs [][2]int
	for key, i := range once(a) {
		if j, ok := inB[key]; ok && i >= 0 && j >= 0 {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	slices.SortFunc(pairs, func(x, y [2]int) int { return x[0] - y[0] })
	var piles []int // the last pair of the shortest-reaching row of each length
	before := make([]int, len(pairs))
	for i, p := range pairs {
		k, _ := slices.BinarySearchFunc(piles, p[1], func(pile, b int) int { return pairs[pile][1] - b })
		if before[i] = -1; k > 0 {
			before[i] = piles[k-1]
		}
		if k == len(piles) {
			piles = append(piles, i)
		} else {
			piles[k] = i
		}
	}
	if len(piles) == 0 {
		return nil
	}
	var row [][2]int
	for i := piles[len(piles)-1]; i >= 0; i = before[i] {
		row = append(row, pairs[i])
	}
	slices.Reverse(row)
	return row
}
