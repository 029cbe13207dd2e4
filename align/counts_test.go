package align

import (
	"bytes"
	"math"
	"reflect"
	"testing"
	"testing/iotest"

	"github.com/commonplace/commonplace/align/fold"
)

func equalStats(a, b *ngramCounts) bool {
	return a.documents == b.documents && a.letters == b.letters && a.words == b.words &&
		reflect.DeepEqual(a.unigrams, b.unigrams) && reflect.DeepEqual(a.ngrams, b.ngrams) && reflect.DeepEqual(a.seeds, b.seeds)
}

func TestStatsMergeInAnyOrderAndReadBack(t *testing.T) {
	c := made()
	parts := []*ngramCounts{newCounts(), newCounts()}
	for i, b := range c.books {
		parts[i%2].count(b.ID, b.Text)
	}
	merged := newCounts()
	for i := range parts {
		if err := merged.merge(parts[1-i]); err != nil {
			t.Fatal(err)
		}
	}
	if !equalStats(merged, c.stats.counts) {
		t.Error("counting apart and merging differs from counting at once")
	}
	var b bytes.Buffer
	n, err := merged.writeTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("wrote %d of %d bytes: %v", n, b.Len(), err)
	}
	whole := bytes.Clone(b.Bytes())
	back, err := readCounts(&b)
	if err != nil || !equalStats(back, merged) {
		t.Errorf("read back differently: %v", err)
	}
	if back, err := readCounts(iotest.HalfReader(bytes.NewReader(whole))); err != nil || !equalStats(back, merged) {
		t.Errorf("read back in pieces differently: %v", err)
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-9] ^= 4
	for _, bad := range [][]byte{flipped, whole[:len(whole)-1], nil, []byte("cpstats0"), whole[:len(whole)/2], whole[:20]} {
		if _, err := readCounts(bytes.NewReader(bad)); err == nil {
			t.Errorf("%d damaged bytes were read without an error", len(bad))
		}
	}
}

func TestSurpriseOfWhatIsCommon(t *testing.T) {
	s := newCounts()
	text := ""
	for range 200 {
		text += "at the end of the day he went to bed and the cat sat there. "
	}
	s.count("common", text+"A scarce zygote perished.")
	common, rare := bitsOf(s, "at the end of the day"), bitsOf(s, "scarce zygote perished")
	if common > 15 || rare < 30 {
		t.Errorf("common phrase %.1f bits, rare one %.1f", common, rare)
	}
}

func bitsOf(s *ngramCounts, text string) float64 {
	var f fold.Text
	f.Fold(text, 0, len(text))
	return s.contextBits(&f, 0, len(f.Sym), false)
}

// contextBits reads every count once; surprise is the definition.
func TestContextBitsAddUpSurprise(t *testing.T) {
	c := made()
	text := c.books[3].Text[:2000]
	var f fold.Text
	f.Fold(text, 0, len(text))
	pad := f.Sym[:len(f.Sym)+fold.Padding]
	want := 0.0
	var u, v uint64
	for at := 0; at < len(f.Sym); {
		w, n := fold.WordHash(pad, at)
		want += c.stats.counts.surprise(u, v, w, 1)
		u, v = v, w
		at += n
	}
	if got := c.stats.counts.contextBits(&f, 0, len(f.Sym), false); math.Abs(got-want) > 0.05 {
		t.Errorf("%.3f bits, want %.3f", got, want)
	}
}
