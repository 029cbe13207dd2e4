package fold

import (
	"testing"
	"unicode/utf8"
)

func folds(text string) string {
	var f Text
	f.Fold(text, 0, len(text))
	b := make([]byte, len(f.Sym))
	for i, s := range f.Sym {
		b[i] = s & Mask
	}
	return string(b)
}

func TestFoldMakesEqual(t *testing.T) {
	for _, c := range [][2]string{
		{"The Passage, of TIME", "the passage of time"},
		{"won-\nderful", "wonderful"},
		{"won-\r\n  derful", "wonderful"},
		{"to-day", "today"},
		{"ſuch ſtuff", "such stuff"},
		{"ﬁnd the ﬂoor, eﬃcient", "find the floor, efficient"},
		{"Ægypt, œuvre, Straße", "aegypt oeuvre strasse"},
		{"é è ü ç", "e e u c"},
		{"e\u0301", "é"},
		{"don’t “stop”", "don't 'stop'"},
		{"soft\u00adhyphen", "softhyphen"},
		{"ΜΗΝΙΝ ἄειδε", "μηνιν αειδε"},
		{"Война И Мир", "война и мир"},
	} {
		if folds(c[0]) != folds(c[1]) {
			t.Errorf("%q and %q fold to different symbols", c[0], c[1])
		}
	}
	for _, c := range [][2]string{{"log", "dog"}, {"1", "l"}, {"日本", "本日"}, {"ж", "з"}} {
		if folds(c[0]) == folds(c[1]) {
			t.Errorf("%q and %q fold to the same symbols", c[0], c[1])
		}
	}
}

func TestFoldCutsTokensWithoutSpaces(t *testing.T) {
	long := ""
	for range 500 {
		long += "abcdefghijklm"
	}
	var f Text
	f.Fold(long, 0, len(long))
	starts := 0
	for _, s := range f.Sym {
		if s&WordStart != 0 {
			starts++
		}
	}
	if starts < 20 {
		t.Errorf("%d word starts in a token of %d letters", starts, len(long))
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"", "A plain line.", "won-\nderful", "e\u0301\u0323", "日本語 text", "\xff\xfe", "[x] [abc]", "ﬃ\u200d\u00ad", "-\n-\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var g Text
		g.Fold(text, 0, len(text))
		if len(g.Pos) != len(g.Sym)+1 {
			t.Fatalf("%d positions for %d symbols", len(g.Pos), len(g.Sym))
		}
		last := uint32(0)
		for i, s := range g.Sym {
			p := g.Pos[i]
			if p < last || int(p) >= len(text) || utf8.ValidString(text) && !utf8.RuneStart(text[p]) {
				t.Fatalf("symbol %d stands at byte %d after %d", i, p, last)
			}
			if s&Mask == 0 {
				t.Fatalf("symbol %d is zero", i)
			}
			if e := g.End(text, i+1); e <= int(p) || e > len(text) {
				t.Fatalf("symbol %d ends at byte %d", i, e)
			}
			last = p
		}
	})
}

func TestLettersThatShareASymbolAreNotTheSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"ابت", "ىيت", false}, {"ابت", "ابت", true}, {"一", string(rune(0x4e00 + 34*34)), false}, {"Ճշմարտ", "ճշմարտ", true},
		{"école", "ecole", true}, {"æon ﬁn", "aeon fin", true}, {"한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8", true}, {"ab-ت", "ab-\n ت", true},
	} {
		if folds(c.a) == folds(c.b) && SameSigns(c.a, c.b) != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, !c.same)
		}
	}
}
