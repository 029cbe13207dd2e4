package edit

import (
	"math/rand/v2"
	"testing"

	"github.com/commonplace/commonplace/align/fold"
)

// slowExtend is the best score of an alignment of prefixes of d and s with
// affine gaps, by Gotoh's full tables, with no band and no drop.
func slowExtend(d, s []byte) int {
	const low = -1 << 20
	n, m := len(d), len(s)
	table := func() [][]int {
		t := make([][]int, n+1)
		for i := range t {
			t[i] = make([]int, m+1)
			for j := range t[i] {
				t[i][j] = low
			}
		}
		return t
	}
	best, up, left := table(), table(), table()
	best[0][0] = 0
	top := 0
	for i := 0; i <= n; i++ {
		for j := 0; j <= m; j++ {
			if i > 0 {
				up[i][j] = max(up[i-1][j]+scoreGap, best[i-1][j]+scoreOpen+scoreGap)
				best[i][j] = max(best[i][j], up[i][j])
			}
			if j > 0 {
				left[i][j] = max(left[i][j-1]+scoreGap, best[i][j-1]+scoreOpen+scoreGap)
				best[i][j] = max(best[i][j], left[i][j])
			}
			if i > 0 && j > 0 {
				v := scoreMismatch
				if d[i-1] == s[j-1] {
					v = scoreMatch
				}
				best[i][j] = max(best[i][j], best[i-1][j-1]+v)
			}
			top = max(top, best[i][j])
		}
	}
	return top
}

// scoreOf adds up the pairs of an extension as the tables do.
func scoreOf(pairs []Pair, d, s []byte, step int) int {
	score := 0
	lastD, lastS := -1, -1
	for _, p := range pairs {
		x, y := int(p.D), int(p.S)
		if step < 0 {
			x, y = len(d)-1-x, len(s)-1-y
		}
		if g := x - lastD - 1; g > 0 {
			score += scoreOpen + g*scoreGap
		}
		if g := y - lastS - 1; g > 0 {
			score += scoreOpen + g*scoreGap
		}
		if d[p.D]&fold.Mask == s[p.S]&fold.Mask {
			score += scoreMatch
		} else {
			score += scoreMismatch
		}
		lastD, lastS = x, y
	}
	return score
}

func reversed(b []byte) []byte {
	out := make([]byte, len(b))
	for i := range b {
		out[len(b)-1-i] = b[i]
	}
	return out
}

// Where the drop does not stop it, the extension is the full tables' optimum;
// where it does, it is no better.
func TestExtendReachesTheFullTables(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var x Extender
	same := 0
	const rounds = 1500
	for range rounds {
		d := make([]byte, 5+r.IntN(120))
		for i := range d {
			d[i] = byte(1 + r.IntN(20))
		}
		var s []byte
		for _, c := range d {
			switch r.IntN(12) {
			case 0:
			case 1:
				s = append(s, c, byte(1+r.IntN(20)))
			case 2:
				s = append(s, byte(1+r.IntN(20)))
			default:
				s = append(s, c)
			}
		}
		for step := -1; step <= 1; step += 2 {
			di, si, dEnd, sEnd, a, b := 0, 0, len(d), len(s), d, s
			if step < 0 {
				di, si, dEnd, sEnd, a, b = len(d), len(s), 0, 0, reversed(d), reversed(s)
			}
			pairs, _, _, _ := x.Extend(nil, d, s, di, si, step, dEnd, sEnd)
			got, want := scoreOf(pairs, d, s, step), slowExtend(a, b)
			if got > want {
				t.Fatalf("score %d above the optimum %d", got, want)
			}
			if got == want {
				same++
			}
		}
	}
	// Twelve per cent of damage seldom makes a drop of xDrop before the end.
	if same < 2*rounds*97/100 {
		t.Errorf("%d of %d extensions are optimal", same, 2*rounds)
	}
}

func TestExtendGoesOverBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	d := make([]byte, 10*blockSymbols+77)
	for i := range d {
		d[i] = byte(1 + r.IntN(26))
	}
	s := append([]byte{}, d...)
	for i := 50; i < len(s); i += 97 {
		s[i] = s[i]%26 + 1
	}
	var x Extender
	pairs, dn, sn, _ := x.Extend(nil, d, s, 0, 0, 1, len(d), len(s))
	if dn != len(d) || sn != len(s) || len(pairs) != len(d) {
		t.Errorf("%d and %d of %d symbols, %d pairs", dn, sn, len(d), len(pairs))
	}
}
