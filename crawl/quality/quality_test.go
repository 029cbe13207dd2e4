package quality

import (
	"compress/gzip"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestKnownWords(t *testing.T) {
	for text, want := range map[string]float64{
		"":                                    0,
		"1, 2. 3":                             0,
		"The ferryman had one Rule, and":      5.0 / 6, // no book says ferryman
		"Tlie ferrvman liad one rnle, and":    2.0 / 6,
		"Die Glocke lernt das Schweigen":      1.0 / 5, // die
		"the caf\u00e9 and\u2014the\xffriver": 4.0 / 5,
		"I a x":                               0,
	} {
		if got := KnownWords(text); math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: %.3f, want %.3f", text, got, want)
		}
	}
	// A large text is looked at in places: the same everywhere, the same share.
	large := strings.Repeat("the river and the xqzv ", 100_000)
	if got := KnownWords(large); math.Abs(got-0.8) > 0.01 {
		t.Errorf("%.3f of a large text", got)
	}
}

// The shared books are read by people: they score high, and lower the more of
// their letters are misread.
func TestKnownWordsOfRealBooks(t *testing.T) {
	found, _ := filepath.Glob("../../../shared/data/books/*.txt.gz")
	if len(found) == 0 {
		t.Skip("the shared books are not here")
	}
	for _, path := range found[:10] {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(z)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		clean := KnownWords(string(raw))
		misread := KnownWords(strings.NewReplacer("h", "li", "e", "c", "u", "n").Replace(string(raw)))
		if clean < 0.9 || misread > 0.7 {
			t.Errorf("%s: %.3f, misread %.3f", filepath.Base(path), clean, misread)
		}
	}
}

func BenchmarkKnownWords(b *testing.B) {
	text := strings.Repeat("It is a truth universally acknowledged, that a single man in possession ", 10_000)
	for b.Loop() {
		KnownWords(text)
	}
}
