package align

import "testing"

func FuzzMarks(f *testing.F) {
	for _, s := range []string{"", "“A plain line.”", "'tis: “won-\nderful…", "[x] [abc]", "\xff\xfe", "ﬃ\u200d\u00ad”"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var g folded
		g.fold(text, 0, len(text))
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
