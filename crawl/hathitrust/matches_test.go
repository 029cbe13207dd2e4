package hathitrust

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/bounded"
)

func TestMatches(t *testing.T) {
	const list = "\ufeffsource,htid,matches\nemma,mdp.1,1\nemma,mdp.2,7\nemma,mdp.3,900\nulysses,mdp.3,12\n"
	for _, c := range []struct {
		least, most int64
		want        string
	}{{0, 0, "mdp.1 mdp.2 mdp.3"}, {2, 100, "mdp.2 mdp.3"}, {100, 0, "mdp.3"}, {0, 1, "mdp.1"}} {
		m, err := ReadMatches(context.Background(), strings.NewReader(list), c.least, c.most, bounded.Limits{})
		if got := strings.Join(slices.Sorted(maps.Keys(m)), " "); err != nil || got != c.want {
			t.Errorf("%d to %d: %q, %v; want %q", c.least, c.most, got, err, c.want)
		}
	}
	for _, bad := range []string{"", "id,n\n", "htid,matches\nx\n", "htid,matches\nx,-1\n", "htid,matches\nx,many\n", "htid,matches\n\"x"} {
		if _, err := ReadMatches(context.Background(), strings.NewReader(bad), 0, 0, bounded.Limits{}); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// What a line has besides is not kept: it is counted nowhere.
func TestMatchesKeepNoLines(t *testing.T) {
	var list strings.Builder
	list.WriteString("htid,matches,more\n")
	for n := range 40 {
		fmt.Fprintf(&list, "mdp.%d,7,%s\n", n, strings.Repeat("x", 900_000))
	}
	text := list.String()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	m, err := ReadMatches(t.Context(), strings.NewReader(text), 0, 0, bounded.Limits{})
	runtime.GC()
	runtime.ReadMemStats(&after)
	if more := int64(after.HeapAlloc) - int64(before.HeapAlloc); err != nil || len(m) != 40 || more > 10<<20 {
		t.Errorf("%d MB are kept of %d volumes, %v", more>>20, len(m), err)
	}
	runtime.KeepAlive(text)
}

// FuzzMatches: no more volumes than lines, whatever the file.
func FuzzMatches(f *testing.F) {
	f.Add("htid,matches\nmdp.1,7\n\"mdp\n2\",-1\n", int64(0), int64(10))
	f.Add("\ufeff\nmatches,htid\n9223372036854775808,x", int64(-1), int64(0))
	f.Fuzz(func(t *testing.T, text string, least, most int64) {
		m, err := ReadMatches(t.Context(), strings.NewReader(text), least, most, bounded.Limits{})
		if len(m) > strings.Count(text, "\n") && err == nil {
			t.Errorf("%q: %d volumes", text, len(m))
		}
	})
}

// FuzzPages: a description of anything names 0 to 999,999 pages, or none.
func FuzzPages(f *testing.F) {
	f.Add([]byte(`{"numpages": "12"}`))
	f.Add([]byte("<numpages>000007</numpages>\xff"))
	f.Fuzz(func(t *testing.T, meta []byte) {
		if n, err := Pages(meta); err == nil && (n < 0 || n > 999_999) {
			t.Errorf("%q: %d", meta, n)
		}
	})
}
