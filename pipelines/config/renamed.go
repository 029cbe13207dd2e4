package config

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// renamed are keys that version 0.1.0 had under another name, by the end of their
// path. They are read for one release more.
var renamed = []struct{ old, now string }{
	{"hathitrust.least_matches", "min_matches"},
	{"hathitrust.most_matches", "max_matches"},
	{"hathitrust.without_words", "exclude_title_words"},
	{"windows.title_words", "exclude_title_words"},
	{"windows.shared", "min_shared_characters"},
}

// newName is the name that a key has now, by the end of its path.
func newName(key string) (now string, ok bool) {
	for _, r := range renamed {
		if key == r.old || strings.HasSuffix(key, "."+r.old) {
			return r.now, true
		}
	}
	return "", false
}

// withNewKeys puts the new names of renamed keys in the place of the old ones, and
// says so in a sentence for each. Nothing else in the file changes. A key that is
// written in another way than its name is left, and refused as unknown.
func withNewKeys(path string, raw []byte) (_ []byte, notes []string) {
	begins := lineBegins(raw)
	type edit struct {
		at, end int
		now     string
	}
	var edits []edit
	for key, nodes := range placesOf(raw) {
		now, ok := newName(key)
		if !ok {
			continue
		}
		old := key[strings.LastIndex(key, ".")+1:]
		t := keyToken(nodes[0])
		if t.Position.Line > len(begins) {
			continue
		}
		at := begins[t.Position.Line-1]
		for range t.Position.Column - 1 {
			_, size := utf8.DecodeRune(raw[at:])
			at += size
		}
		if t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType {
			at++
		}
		if !bytes.HasPrefix(raw[min(at, len(raw)):], []byte(old)) {
			continue
		}
		edits = append(edits, edit{at, at + len(old), now})
		notes = append(notes, fmt.Sprintf("%s:%d: %s is called %s now; the old name will be refused by the next release", path, t.Position.Line, old, now))
	}
	slices.SortFunc(edits, func(a, b edit) int { return b.at - a.at }) // the last one first: it moves no other
	for _, e := range edits {
		raw = slices.Concat(raw[:e.at], []byte(e.now), raw[e.end:])
	}
	slices.Sort(notes)
	return raw, notes
}

// keyToken is the token of a mapping's key, also where it follows a question mark.
func keyToken(n ast.Node) *token.Token {
	if m, ok := n.(*ast.MappingKeyNode); ok && m.Value != nil {
		n = m.Value
	}
	return n.GetToken()
}

// lineBegins are the offsets at which lines begin.
func lineBegins(raw []byte) []int {
	begins := []int{0}
	for i, c := range raw {
		if c == '\n' {
			begins = append(begins, i+1)
		}
	}
	return begins
}
