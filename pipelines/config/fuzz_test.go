package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever the config: it is refused in one sentence that calls it wrong, each time, or it
// gives the same settings each time. Reading it leaves nothing in its folder. Of several
// unknown keys any may be the one that is named.
func FuzzLoad(f *testing.F) {
	examples, err := filepath.Glob("../../configs/*.yaml")
	if err != nil || len(examples) == 0 {
		f.Fatal(examples, err)
	}
	for _, name := range examples {
		raw, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Add([]byte("out: o\nsources: [{name: a, files: [a.txt]}]\n"))
	f.Add([]byte("out: &a o\nshards: *a\n<<: {sources: [{name: a, gutenberg: [1342, 84]}]}\n"))
	f.Add([]byte("out: o\nsources: [{name: a, kind: articles, files: ['http://me:pass@a.org/']}]\n---\nout: p\n"))
	f.Add([]byte("? [a, b]\n: !!binary x\nout: gs://\xff/\nshards: 0x1p-2\nreuse: {files: ['**']}\n"))
	dir := f.TempDir()
	path := filepath.Join(dir, "run.yaml")
	f.Fuzz(func(t *testing.T, raw []byte) {
		if err := os.WriteFile(path, raw, 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := Load(t.Context(), path)
		again, other := Load(t.Context(), path)
		if err != nil {
			if m := err.Error(); !errors.Is(err, ErrInvalid) || strings.Contains(m, "\n") || !utf8.ValidString(m) {
				t.Errorf("no sentence on the config: %q", m)
			}
			if other == nil {
				t.Errorf("%v, then nothing", err)
			}
		} else if other != nil || !reflect.DeepEqual(c, again) {
			t.Errorf("%+v, then %+v, %v", c, again, other)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("%v, %v", left, err)
		}
	})
}
