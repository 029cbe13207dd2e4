package align

import (
	"testing"
	"unicode/utf8"
)

func folds(text string) string {
	var f folded
	f.fold(text, 0, len(text))
	b := make([]byte, len(f.sym))
	for i, s := range f.sym {
		b[i] = s & symbol
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
		if s := Similarity(c[0], c[1]); s != 1 {
			t.Errorf("similarity of %q and %q is %v", c[0], c[1], s)
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
	var f folded
	f.fold(long, 0, len(long))
	starts := 0
	for _, s := range f.sym {
		if s&wordStart != 0 {
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
		var g folded
		g.fold(text, 0, len(text))
		if len(g.pos) != len(g.sym)+1 {
			t.Fatalf("%d positions for %d symbols", len(g.pos), len(g.sym))
		}
		last := uint32(0)
		for i, s := range g.sym {
			p := g.pos[i]
			if p < last || int(p) >= len(text) || utf8.ValidString(text) && !utf8.RuneStart(text[p]) {
				t.Fatalf("symbol %d stands at byte %d after %d", i, p, last)
			}
			if s&symbol == 0 {
				t.Fatalf("symbol %d is zero", i)
			}
			if e := g.end(text, i+1); e <= int(p) || e > len(text) {
				t.Fatalf("symbol %d ends at byte %d", i, e)
			}
			last = p
		}
		var m marks
		m.find(text, &g)
		for _, list := range [][]mark{m.open, m.close, m.intro} {
			for _, k := range list {
				if k.at < 0 || int(k.at) > len(g.sym) {
					t.Fatalf("mark at symbol %d of %d", k.at, len(g.sym))
				}
			}
		}
	})
}
