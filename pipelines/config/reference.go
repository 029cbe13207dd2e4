package config

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Reference is the table of every key of a config with its type, its
// default and what it means, in Markdown. configs/README.md holds it, and a test
// holds that page to it.
func Reference() string {
	var b strings.Builder
	b.WriteString("| key | type | default | |\n| --- | --- | --- | --- |\n")
	describe(&b, "", reflect.ValueOf(Default()))
	return b.String()
}

func describe(b *strings.Builder, prefix string, v reflect.Value) {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		key := f.Tag.Get("yaml")
		if key == "" || key == "-" {
			continue
		}
		key = prefix + key
		switch {
		case f.Type.Kind() == reflect.Struct:
			row(b, key, "", "", f.Tag.Get("doc"))
			describe(b, key+".", v.Field(i))
		case f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct:
			row(b, key, "list", "", f.Tag.Get("doc"))
			entry := reflect.New(f.Type.Elem()).Elem()
			switch f.Type.Elem() {
			case reflect.TypeFor[Source]():
				entry.Set(reflect.ValueOf(defaultSource()))
			case reflect.TypeFor[RankModel]():
				entry.Set(reflect.ValueOf(defaultRankModel()))
			}
			describe(b, key+"[].", entry)
		default:
			row(b, key, typeName(f.Type), defaultText(v.Field(i)), kindDocs(f.Tag.Get("doc")))
		}
	}
}

func row(b *strings.Builder, key, kind, value, doc string) {
	fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", key, kind, value, strings.ReplaceAll(doc, "|", `\|`))
}

func typeName(t reflect.Type) string {
	if t == reflect.TypeFor[time.Duration]() {
		return "time such as 3s"
	}
	if t.Kind() == reflect.Map && t.Elem() == reflect.TypeFor[time.Duration]() {
		return "map of times"
	}
	switch t.Kind() {
	case reflect.Pointer: // left out means something else than zero
		return typeName(t.Elem())
	case reflect.Int, reflect.Int64:
		return "whole number"
	case reflect.Float64:
		return "number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Int64 {
			return "list of whole numbers"
		}
		return "list of text"
	case reflect.Map:
		if t.Elem().Kind() == reflect.Slice {
			return "map of texts or lists"
		}
		return "map of text"
	}
	return "text"
}

func defaultText(v reflect.Value) string {
	if v.IsZero() && v.Kind() != reflect.Int && v.Kind() != reflect.Float64 {
		return ""
	}
	return fmt.Sprintf("`%v`", v.Interface())
}
