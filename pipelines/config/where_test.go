package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Conditions are read as they are written, one or a list, and refused with the key's name
// where no document can meet them.
func TestWhere(t *testing.T) {
	load := func(where string) (Conditions, error) {
		path := filepath.Join(t.TempDir(), "c.yaml")
		if err := os.WriteFile(path, []byte("out: x\nsources:\n  - name: a\n    files: [a]\n    where: "+where+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := Load(t.Context(), path)
		if err != nil {
			return nil, err
		}
		return c.Sources[0].Where, nil
	}
	got, err := load(`{volume: 0012, edition: 1.0, open: true, author: "Austen, Jane", series: [A, 2], date: [1850, 1850-03/1851, 1860/..], "idno:ISBN": x}`)
	want := Conditions{"volume": {"0012"}, "edition": {"1.0"}, "open": {"true"}, "author": {"Austen, Jane"}, "series": {"A", "2"}, "date": {"1850", "1850-03/1851", "1860/.."}, "idno:ISBN": {"x"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for where, want := range map[string]string{
		"{date: spring}":        `c.yaml:5: sources[0].where.date is "spring", must be a date or a period`,
		"{date: [1850, ../..]}": `sources[0].where.date is "../..", must be`,
		"{date: 1860/1850}":     `sources[0].where.date is "1860/1850", must be`,
		"{author: }":            "sources[0].where.author is",
		"{author: []}":          "sources[0].where.author is",
		"{author: ''}":          "sources[0].where.author is",
		"{author: [A, ' ']}":    "sources[0].where.author is",
		"{author: {is: A}}":     "sources[0].where.author is",
		"{author: [[A]]}":       "sources[0].where.author is",
		"{'': A}":               "sources[0].where is",
		"[author]":              "sources[0].where is",
		"author":                "sources[0].where is",
	} {
		if _, err := load(where); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", where, err)
		}
	}
}
