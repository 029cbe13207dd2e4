package match

import (
	"math/rand/v2"
	"testing"

	"github.com/commonplace/commonplace/align/fold"
)

// commonOfTable is inCommon.characters by trying every pair of places.
func commonOfTable(d, s []byte) (i, j int) {
	type run struct{ characters, letters int }
	rows := [2][]run{make([]run, len(s)+1), make([]run, len(s)+1)}
	best := adjacentCharacters - 1
	i, j = -1, -1
	for di, c := range d {
		was, now := rows[di&1], rows[di&1^1]
		for sj, x := range s {
			r := run{}
			if c&fold.Mask == x&fold.Mask {
				r = run{1, 1}
				if before := was[sj]; before.letters > 0 && c&fold.WordStart == x&fold.WordStart {
					r = run{before.characters + 1 + int(c>>7), before.letters + 1}
				}
			}
			if now[sj+1] = r; r.characters > best {
				best, i, j = r.characters, di+1-r.letters, sj+1-r.letters
			}
		}
	}
	return i, j
}

// The longest row of common characters is that of the whole table.
func TestCommonCharactersAreThoseOfTheTable(t *testing.T) {
	r := rand.New(rand.NewPCG(123, 124))
	var c inCommon
	found := 0
	for range 4000 {
		letters, starts := 1+r.IntN(4), 1+r.IntN(5)
		side := func() []byte {
			b := make([]byte, r.IntN(60))
			for i := range b {
				b[i] = byte(1 + r.IntN(letters))
				if r.IntN(starts) == 0 {
					b[i] |= fold.WordStart
				}
			}
			return b
		}
		d, s := side(), side()
		if len(d) > 12 && r.IntN(2) == 0 {
			s = append(s, d[r.IntN(len(d)-12):]...)
		}
		wantI, wantJ := commonOfTable(d, s)
		i, j, _ := c.characters(d, s)
		if i != wantI || j != wantJ {
			t.Fatalf("%v and %v: at %d and %d, of the table at %d and %d", d, s, i, j, wantI, wantJ)
		}
		if i >= 0 {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("%d rows", found)
	}
}
