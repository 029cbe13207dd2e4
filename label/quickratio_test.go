package label

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Figures of RapidFuzz 3.14.6: fuzz.QRatio(a, b, processor=utils.default_process) / 100.
func TestQuickRatioIsRapidFuzzs(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"The tide turned.", "the tide turned", 1},
		{"We walked along the wet and shining quay toward the lamp.", "wet and shining quay toward the lamp", .782609},
		{"And of this place, thought she, I might have been mistress!", "“And of this place,” she thought, “I might [now] have been mistress.”", .887097},
		{"Größe – 愛 café", "GRÖSSE 愛 CAFÉ", .814815},
		{"...", "a", 0},
		{"abc", "xyz", 0},
		{strings.Repeat("It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want of a wife.", 3),
			strings.Repeat("It is a truth universally acknowledged that a man in possession of a fortune must want a wife. ", 3), .887836},
	} {
		if got := QuickRatio(c.a, c.b); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%q and %q: %.6f, want %.6f", c.a, c.b, got, c.want)
		}
	}
}

// A bound that is refused early is below the bound, and every other ratio is exact.
func TestRatioAboveIsTheRatio(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 3000 {
		text := func() string {
			b := make([]rune, r.IntN(90))
			for i := range b {
				b[i] = []rune("abcdefg  éЖ,.")[r.IntN(13)]
			}
			return string(b)
		}
		a, b := text(), text()
		if r.IntN(2) == 0 {
			b = a[:len(a)/2] + b
		}
		exact := QuickRatio(a, b)
		for _, least := range []float64{.3, .6, .8} {
			if got := ratioAbove(plain(a), plain(b), least); got != exact && (got != 0 || exact >= least) {
				t.Fatalf("%q, %q: %v with the bound %v, %v without", a, b, got, least, exact)
			}
		}
	}
}
