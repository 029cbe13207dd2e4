package collate

import (
	"fmt"
	"strings"
	"testing"
)

func shown(columns []Column) string {
	var b strings.Builder
	for _, c := range columns {
		fmt.Fprintf(&b, "[%s|%s|%d]", c.Source, c.Derived, c.Kind)
	}
	return b.String()
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ source, derived, want string }{
		{"and then you learn to cut", "and then you leam to cut", "[and then you||0][learn|leam|2][to cut||0]"},
		{"The sea, the sea", "the sea the sea", "[The|the|1][sea,|sea|1][the sea||0]"},
		{"a loaf that has to last", "a loaf has to last", "[a loaf||0][that||3][has to last||0]"},
		{"to last", "to the very last", "[to||0][|the|4][|very|4][last||0]"},
		{"", "new", "[|new|4]"},
		{"old", "", "[old||3]"},
		{"", "", ""},
		{"so tbe light", "so the light", "[so||0][tbe|the|2][light||0]"},
	} {
		if got, _ := Words(c.source, c.derived); shown(got) != c.want {
			t.Errorf("%q over %q: %s, want %s", c.source, c.derived, shown(got), c.want)
		}
	}
}

// Whatever the texts, reading one line of the columns gives the text back.
func FuzzWords(f *testing.F) {
	f.Add("the sea is calm", "tne sea calm to-night")
	f.Add(" a  b\n", "é “x” b")
	f.Fuzz(func(t *testing.T, source, derived string) {
		columns, cut := Words(source, derived)
		if cut {
			return
		}
		var s, d []string
		for _, c := range columns {
			if c.Source != "" {
				s = append(s, c.Source)
			}
			if c.Kind == Same {
				c.Derived = c.Source
			}
			if c.Derived != "" {
				d = append(d, c.Derived)
			}
		}
		if got, want := strings.Join(s, " "), strings.Join(strings.Fields(source), " "); got != want {
			t.Errorf("source %q, want %q", got, want)
		}
		if got, want := strings.Join(d, " "), strings.Join(strings.Fields(derived), " "); got != want {
			t.Errorf("derived %q, want %q", got, want)
		}
	})
}

func TestWordsAreBounded(t *testing.T) {
	columns, cut := Words(strings.Repeat("word ", 100000), "word")
	if !cut || len(columns) > 2*maxWords {
		t.Errorf("%d columns, cut %v", len(columns), cut)
	}
}
