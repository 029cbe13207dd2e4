package crawl

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// FuzzPath checks that JSON keeps a path's bytes, and that no two names are shown
// alike.
func FuzzPath(f *testing.F) {
	for _, s := range [][2]string{{"a", "b"}, {"\xff", "\xfe"}, {"\xff", "\ufffd"}, {"caf\xe9", `"caf\xe9"`}, {`"a`, `"a\`}, {"", "\x00"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		text, err := json.Marshal(Path(a))
		var back Path
		if a == "" || a[0] != 0 { // as all paths
			if err != nil || json.Unmarshal(text, &back) != nil || string(back) != a {
				t.Fatalf("%q is written as %s and read as %q", a, text, back)
			}
		}
		if !utf8.ValidString(Printable(a)) || (Printable(a) == Printable(b)) != (a == b) {
			t.Fatalf("%q and %q are shown as %s and %s", a, b, Printable(a), Printable(b))
		}
	})
}
