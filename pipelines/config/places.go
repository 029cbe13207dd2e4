package config

import (
	"reflect"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/commonplace/commonplace/bounded"
)

// places knows where the values of a YAML file stand, by key: "sources[0].role".
// Of a mapping's value the key's own node comes first, then the value.
type places map[string][]ast.Node

// placesOf reads a file that is YAML; of another there are no places.
func placesOf(raw []byte) places {
	p := places{}
	file, err := fileOf(raw)
	if err != nil {
		return p
	}
	for _, doc := range file.Docs {
		if doc.Body != nil {
			ast.Walk(p, doc.Body)
		}
	}
	return p
}

func fileOf(raw []byte) (file *ast.File, err error) {
	err = bounded.Parsed(func() (err error) {
		file, err = parser.ParseBytes(raw, 0)
		return err
	})
	return file, err
}

// Visit keeps a node that is a value.
func (p places) Visit(n ast.Node) ast.Visitor {
	switch n.(type) {
	case *ast.MappingValueNode, *ast.CommentGroupNode:
		return p
	}
	key := strings.TrimPrefix(strings.TrimPrefix(n.GetPath(), "$"), ".")
	p[key] = append(p[key], n)
	return p
}

// line is where a value is, or the nearest value around it; 0
// when the file does not give it.
func (p places) line(key string) int {
	for key != "" {
		if _, ok := p[key]; ok {
			return p.value(key).GetToken().Position.Line
		}
		key = key[:max(strings.LastIndexAny(key, ".["), 0)]
	}
	return 0
}

func (p places) value(key string) ast.Node { return p[key][len(p[key])-1] }

// at is the key of what begins at a token, and its value as it is written.
func (p places) at(t *token.Token) (key, value string) {
	for k, nodes := range p {
		for _, n := range nodes {
			own := n.GetToken().Position
			if own.Line == t.Position.Line && own.Column == t.Position.Column && len(k) > len(key) {
				key, value = k, p.value(k).String()
			}
		}
	}
	return key, strings.Join(strings.Fields(value), " ")
}

// halves is a key that takes a whole number and has another: YAML would cut it.
func (p places) halves(t reflect.Type) (key string) {
	for k := range p {
		if p.value(k).Type() == ast.FloatType && rightFor(t, k) == wholeNumber && (key == "" || k < key) {
			key = k
		}
	}
	return key
}

// noTime is a key that takes a time and has something else: YAML names no place.
func (p places) noTime(t reflect.Type) (key string) {
	for k := range p {
		if typeAt(t, k) == reflect.TypeFor[time.Duration]() && (key == "" || k < key) {
			if _, err := time.ParseDuration(p.value(k).String()); err != nil {
				key = k
			}
		}
	}
	return key
}

const (
	wholeNumber = "a whole number"
	aTime       = "a time, such as 3s, 5m or 168h"
)

// rightFor says what a key takes, from the type of its field.
func rightFor(t reflect.Type, key string) string {
	if typeAt(t, key) == reflect.TypeFor[time.Duration]() {
		return aTime
	}
	switch typeAt(t, key).Kind() {
	case reflect.Int, reflect.Int64:
		return wholeNumber
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list, such as [a, b]"
	case reflect.Struct, reflect.Map:
		return "keys with values"
	}
	return "a text"
}

// typeAt walks from a struct to the type of the field that a key names.
func typeAt(t reflect.Type, key string) reflect.Type {
	for _, step := range strings.FieldsFunc(key, func(r rune) bool { return r == '.' || r == '[' }) {
		switch t = pointedAt(t); t.Kind() {
		case reflect.Slice, reflect.Map:
			t = t.Elem()
		case reflect.Struct:
			for i := range t.NumField() {
				if t.Field(i).Tag.Get("yaml") == step {
					t = t.Field(i).Type
					break
				}
			}
		}
	}
	return pointedAt(t)
}

func pointedAt(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// keysAt are the keys that may stand in the same place as a key; none where a mark in the
// key's own name hides the place.
func keysAt(t reflect.Type, key string) []string {
	t = typeAt(t, key[:max(strings.LastIndex(key, "."), 0)])
	if t.Kind() != reflect.Struct {
		return nil
	}
	var keys []string
	for i := range t.NumField() {
		if k := t.Field(i).Tag.Get("yaml"); k != "" && k != "-" {
			keys = append(keys, k)
		}
	}
	return keys
}
