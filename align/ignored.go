package align

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/commonplace/commonplace/align/inflect"
	"github.com/commonplace/commonplace/align/match"
)

// Ignored is a list of phrases. It is not changed once it is used.
type Ignored struct{ Phrases []string }

// ReadIgnored reads a file of phrases: one a line; blank lines, and lines that begin with
// #, are none. A table or another file of a known kind is refused by its name: its lines are
// no phrases.
func ReadIgnored(name string, file []byte) (*Ignored, error) {
	if kind := strings.ToLower(filepath.Ext(name)); slices.Contains(noPhrases, kind) {
		return nil, fmt.Errorf("phrases stand one a line in a text, and this is %s", kind)
	}
	var list Ignored
	n := 0
	for line := range bytes.Lines(bytes.TrimPrefix(file, []byte("\ufeff"))) {
		n++
		text := strings.TrimSpace(string(line))
		switch {
		case !utf8.ValidString(text):
			return nil, fmt.Errorf("line %d is not UTF-8", n)
		case text == "" || strings.HasPrefix(text, "#"):
			continue
		case strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0:
			return nil, fmt.Errorf("line %d, %q, has no letter", n, text)
		}
		list.Phrases = append(list.Phrases, text)
	}
	if len(list.Phrases) == 0 {
		return nil, errors.New("it has no phrases; give one a line")
	}
	return &list, nil
}

var noPhrases = []string{".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".html", ".htm", ".xml", ".zip", ".gz", ".tar", ".pdf", ".docx", ".epub"}

// phrases are the phrases as they are looked up, nil where there are none.
func (o Options) phrases() *match.Phrases {
	if o.Ignore == nil || len(o.Ignore.Phrases) == 0 {
		return nil
	}
	return match.NewPhrases(o.Ignore.Phrases)
}

// Uninflected is the list for documents of the form of the function [Uninflected].
func (l *Ignored) Uninflected(code string) *Ignored {
	if l == nil {
		return nil
	}
	var bare Ignored
	for _, phrase := range l.Phrases {
		text, _ := inflect.Hide(phrase, code)
		bare.Phrases = append(bare.Phrases, text)
	}
	return &bare
}
