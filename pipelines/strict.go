package pipelines

import (
	"errors"
	"fmt"
	"reflect"
	"sort"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/goccy/go-yaml"
)

// decodeStrict reads YAML into v and refuses keys that v does not have.
func decodeStrict(path string, raw []byte, v any) error {
	err := yaml.UnmarshalWithOptions(raw, v, yaml.Strict())
	if err == nil {
		return nil
	}
	var unknown *yaml.UnknownFieldError
	if errors.As(err, &unknown) {
		key := between(unknown.Message, `"`)
		near := nearest(key, yamlKeys(reflect.TypeOf(v)))
		return fmt.Errorf("%w: %s:%d: unknown key %q; the nearest right one is %q", ErrConfig, path, unknown.Token.Position.Line, key, near)
	}
	var y yaml.Error
	if errors.As(err, &y) {
		return fmt.Errorf("%w: %s:%d: %s", ErrConfig, path, y.GetToken().Position.Line, y.GetMessage())
	}
	return fmt.Errorf("%w: %s: %w", ErrConfig, path, err)
}

// between is what stands between the first two marks.
func between(s, mark string) string {
	_, s, _ = strings.Cut(s, mark)
	s, _, _ = strings.Cut(s, mark)
	return s
}

// yamlKeys are all keys of a struct and of the structs in it, sorted.
func yamlKeys(t reflect.Type) []string {
	var keys []string
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if key := f.Tag.Get("yaml"); key != "" {
			keys = append(keys, key)
			keys = append(keys, yamlKeys(f.Type)...)
		}
	}
	sort.Strings(keys)
	return keys
}

// nearest is the word with the smallest edit distance, the first of equals.
func nearest(word string, words []string) string {
	best, least := "", -1
	for _, w := range words {
		if d := levenshtein.ComputeDistance(word, w); least < 0 || d < least {
			best, least = w, d
		}
	}
	return best
}
