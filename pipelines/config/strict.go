package config

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/goccy/go-yaml"

	"github.com/commonplace/commonplace/bounded"
)

// decodeStrict reads YAML into v and refuses keys that v does not have. The caller
// has checked how deeply it is nested.
func decodeStrict(path string, raw []byte, v any) error {
	err := bounded.Parsed(func() error { return yaml.UnmarshalWithOptions(raw, v, yaml.Strict()) })
	if err == nil {
		if line := secondDocument(raw); line > 0 {
			return fmt.Errorf("%w: %s:%d: a second YAML document begins here; a config is one: put the two together, or into two files", ErrInvalid, path, line)
		}
		p := placesOf(raw)
		if key := p.halves(reflect.TypeOf(v)); key != "" {
			return fmt.Errorf("%w: %s:%d: %s is %s, must be %s", ErrInvalid, path, p.line(key), key, shown(p.value(key).String()), wholeNumber)
		}
		return nil
	}
	var unknown *yaml.UnknownFieldError
	if errors.As(err, &unknown) {
		key, _ := placesOf(raw).at(unknown.Token)
		last := key[strings.LastIndex(key, ".")+1:]
		if now, ok := newName(key); ok {
			return fmt.Errorf("%w: %s:%d: unknown key %q; it is called %q now", ErrInvalid, path, unknown.Token.Position.Line, last, now)
		}
		nearest := ""
		if right := keysAt(reflect.TypeOf(v), key); len(right) > 0 {
			nearest = fmt.Sprintf("; the nearest right one is %q", Nearest(last, right))
		}
		return fmt.Errorf("%w: %s:%d: unknown key %q%s", ErrInvalid, path, unknown.Token.Position.Line, shown(last), nearest)
	}
	var node *yaml.UnexpectedNodeTypeError
	var kind *yaml.TypeError
	var size *yaml.OverflowError
	if errors.As(err, &node) || errors.As(err, &kind) || errors.As(err, &size) {
		var y yaml.Error
		errors.As(err, &y)
		if key, value := placesOf(raw).at(y.GetToken()); key != "" {
			return fmt.Errorf("%w: %s:%d: %s is %s, must be %s", ErrInvalid, path, y.GetToken().Position.Line, key, shown(value), rightFor(reflect.TypeOf(v), key))
		}
	}
	var y yaml.Error
	if errors.As(err, &y) {
		return fmt.Errorf("%w: %s:%d: %s", ErrInvalid, path, y.GetToken().Position.Line, shown(y.GetMessage()))
	}
	p := placesOf(raw)
	if key := p.noTime(reflect.TypeOf(v)); key != "" {
		return fmt.Errorf("%w: %s:%d: %s is %s, must be %s", ErrInvalid, path, p.line(key), key, shown(p.value(key).String()), aTime)
	}
	return fmt.Errorf("%w: %s: %w", ErrInvalid, path, err)
}

// shown is what a config says, for a message: shortened, and without what may be a password.
func shown(said string) string {
	const most = 200
	switch {
	case strings.Contains(said, "@"):
		return "..."
	case len(said) > most:
		return strings.ToValidUTF8(said[:most], "") + "..."
	}
	return said
}

// Near is the nearest word, if at most half of its letters are others; empty otherwise.
func Near(word string, words []string) string {
	near := Nearest(word, words)
	if 2*levenshtein.ComputeDistance(word, near) > len(word) {
		return ""
	}
	return near
}

// secondDocument is the line of a second document, of which the decoder reads
// nothing; 0 when there is none.
func secondDocument(raw []byte) int {
	file, err := fileOf(raw)
	if err != nil {
		return 0 // the decoder has read it
	}
	read := false
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if read {
			return doc.Body.GetToken().Position.Line
		}
		read = true
	}
	return 0
}

// Nearest is the word with the smallest edit distance, the first of equals.
func Nearest(word string, words []string) string {
	best, least := "", -1
	for _, w := range words {
		if d := levenshtein.ComputeDistance(word, w); least < 0 || d < least {
			best, least = w, d
		}
	}
	return best
}
