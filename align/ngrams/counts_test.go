package ngrams

import (
	"bytes"
	"math"
	"reflect"
	"testing"
	"testing/iotest"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/aligntest"
	"github.com/commonplace/commonplace/align/fold"
)

func equalStats(a, b *Counts) bool {
	return a.Documents == b.Documents && a.Letters == b.Letters && a.Words == b.Words &&
		reflect.DeepEqual(a.unigrams, b.unigrams) && reflect.DeepEqual(a.ngrams, b.ngrams) && reflect.DeepEqual(a.seeds, b.seeds)
}

func madeCounts() *Counts {
	s := New()
	for _, b := range aligntest.Made().Books {
		s.Count(&b)
	}
	return s
}

func TestStatsMergeInAnyOrderAndReadBack(t *testing.T) {
	c := aligntest.Made()
	parts := []*Counts{New(), New()}
	for i, b := range c.Books {
		parts[i%2].Count(&b)
	}
	merged, whole := New(), madeCounts()
	for i := range parts {
		if err := merged.Merge(parts[1-i]); err != nil {
			t.Fatal(err)
		}
	}
	if !equalStats(merged, whole) {
		t.Error("counting apart and merging differs from counting at once")
	}
	var b bytes.Buffer
	n, err := merged.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("wrote %d of %d bytes: %v", n, b.Len(), err)
	}
	file := bytes.Clone(b.Bytes())
	back, err := Read(&b)
	if err != nil || !equalStats(back, merged) {
		t.Errorf("read back differently: %v", err)
	}
	if back, err := Read(iotest.HalfReader(bytes.NewReader(file))); err != nil || !equalStats(back, merged) {
		t.Errorf("read back in pieces differently: %v", err)
	}
	flipped := bytes.Clone(file)
	flipped[len(flipped)-9] ^= 4
	for _, bad := range [][]byte{flipped, file[:len(file)-1], nil, []byte("cpstats0"), file[:len(file)/2], file[:20]} {
		if _, err := Read(bytes.NewReader(bad)); err == nil {
			t.Errorf("%d damaged bytes were read without an error", len(bad))
		}
	}
}

func TestSurpriseOfWhatIsCommon(t *testing.T) {
	s := New()
	text := ""
	for range 200 {
		text += "at the end of the day he went to bed and the cat sat there. "
	}
	s.Count(&commonplace.Document{ID: "common", Text: text + "A scarce zygote perished."})
	common, rare := bitsOf(s, "at the end of the day"), bitsOf(s, "scarce zygote perished")
	if common > 15 || rare < 30 {
		t.Errorf("common phrase %.1f bits, rare one %.1f", common, rare)
	}
}

func bitsOf(s *Counts, text string) float64 {
	var f fold.Text
	f.Fold(text, 0, len(text))
	return s.ContextBits(&f, 0, len(f.Sym), false)
}

// contextBits reads every count once; surprise is the definition.
func TestContextBitsAddUpSurprise(t *testing.T) {
	counts := madeCounts()
	text := aligntest.Made().Books[3].Text[:2000]
	var f fold.Text
	f.Fold(text, 0, len(text))
	pad := f.Sym[:len(f.Sym)+fold.Padding]
	want := 0.0
	var u, v uint64
	for at := 0; at < len(f.Sym); {
		w, n := fold.WordHash(pad, at)
		want += counts.Surprisal(u, v, w, 1)
		u, v = v, w
		at += n
	}
	if got := counts.ContextBits(&f, 0, len(f.Sym), false); math.Abs(got-want) > 0.05 {
		t.Errorf("%.3f bits, want %.3f", got, want)
	}
}
