package marks

import (
	"testing"

	"github.com/commonplace/commonplace/align/fold"
)

func FuzzMarks(f *testing.F) {
	for _, s := range []string{"", "“A plain line.”", "'tis: “won-\nderful…", "[x] [abc]", "\xff\xfe", "ﬃ\u200d\u00ad”"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var g fold.Text
		g.Fold(text, 0, len(text))
		var m Marks
		m.Find(text, &g)
		for _, list := range [][]Mark{m.Open, m.Close, m.Colons} {
			for _, k := range list {
				if k.At < 0 || int(k.At) > len(g.Sym) {
					t.Fatalf("mark at symbol %d of %d", k.At, len(g.Sym))
				}
			}
		}
	})
}
