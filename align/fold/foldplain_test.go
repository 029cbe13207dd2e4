package fold

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// plainFold is what fold does, a character at a time.
func plainFold(text string) (sym []byte, pos []uint32) {
	starts, word := true, 0
	put := func(s byte, i int, begins bool) {
		n := len(sym)
		if begins && !starts && n-word >= LongToken && (s+sym[n-1]*7+sym[n-2]*31)&3 == 0 {
			starts = true
		}
		if starts {
			s, word, starts = s|WordStart, n, false
		}
		sym, pos = append(sym, s), append(pos, uint32(i))
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		at := i
		i += size
		switch {
		case r == '\'':
		case r == '-':
			rest := strings.TrimLeft(text[i:], " \t\r\n")
			if gap := text[i : len(text)-len(rest)]; rest != "" && strings.ContainsAny(gap, "\r\n") {
				i += len(gap)
			} else {
				starts = true
			}
		case r < utf8.RuneSelf && ASCII[r] < 0x80:
			put(ASCII[r], at, true)
		case r < utf8.RuneSelf:
			starts = true
		default:
			e := expand(r)
			starts = starts || e.breaks || e.whole
			for _, s := range e.s[:e.N] {
				put(s, at, false)
			}
		}
	}
	return sym, append(pos, uint32(len(text)))
}

func TestFoldIsPlainFold(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	pieces := []string{"a", "b", "e", "word", "  ", " ", "-", "-\n", "\n", "\r\n", "'", "’", "é", "e\u0301", "ß", "ﬃ", "Ω", "ж", "日本", "\u00ad", "“", "7", "\xff", strings.Repeat("xyzw", 9)}
	for n := range 4000 {
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		if n == 0 {
			b.WriteString(strings.Repeat("ﬃŉ", 5000)) // more symbols than bytes were foreseen
		}
		text := b.String()
		var f Text
		f.Fold(text, 0, len(text))
		sym, pos := plainFold(text)
		if !bytes.Equal(f.Sym, sym) || !slices.Equal(f.Pos, pos) {
			t.Fatalf("%q\nfolds to %v\nplainly  %v", text, f.Sym, sym)
		}
		if pad := f.Sym[:len(f.Sym)+Padding][len(f.Sym):]; bytes.Count(pad, []byte{0}) != Padding {
			t.Fatalf("%q: padding is %v", text, pad)
		}
	}
}
