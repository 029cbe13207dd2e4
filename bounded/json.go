package bounded

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// ErrNoObject is what JSON of another kind gets.
var ErrNoObject = errors.New("it is JSON of another kind")

// Object gives the values of an object's own keys, as they are written, in their
// order. It keeps nothing, whatever the number of keys: what to keep is the
// caller's decision. Names differ by case; of a name that stands twice
// the last value counts, as in other readers, so the caller overwrites.
func Object(raw []byte, l Limits, take func(name string, value json.RawMessage)) error {
	if err := CheckDepth(raw, l); err != nil {
		return err
	}
	if !json.Valid(raw) {
		return json.Unmarshal(raw, &struct{}{}) // for its words
	}
	raw = bytes.TrimSpace(raw)
	if string(raw) == "null" {
		return nil
	}
	if raw[0] != '{' {
		return ErrNoObject
	}
	for at := 1; ; at++ {
		at = skipSpace(raw, at)
		if raw[at] == '}' {
			return nil
		}
		end := skipValue(raw, at)
		name := raw[at:end]
		at = skipSpace(raw, skipSpace(raw, end)+1) // behind the colon
		end = skipValue(raw, at)
		take(nameOf(name), json.RawMessage(raw[at:end:end]))
		if at = skipSpace(raw, end); raw[at] == '}' {
			return nil
		}
	}
}

// nameOf undoes the escapes of a name, of which most have none. Bytes that are not
// UTF-8 become U+FFFD, as in values.
func nameOf(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 && utf8.Valid(quoted) {
		return string(quoted[1 : len(quoted)-1])
	}
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return ""
	}
	return s
}

// CheckDepth refuses brackets that stand deeper inside one another than the limit,
// before a parser follows them.
func CheckDepth(raw []byte, l Limits) error {
	most := l.WithDefaults().Depth
	depth := int64(0)
	for at := 0; at < len(raw); at++ {
		switch raw[at] {
		case '"':
			at = skipString(raw, at) - 1
		case '{', '[':
			if depth++; depth > most {
				return Over("depth", most, "brackets stand more than %d deep inside one another", most)
			}
		case '}', ']':
			depth--
		}
	}
	return nil
}

func skipSpace(raw []byte, at int) int {
	for raw[at] == ' ' || raw[at] == '\t' || raw[at] == '\r' || raw[at] == '\n' {
		at++
	}
	return at
}

// skipString is the place behind a string that begins here, at most the end.
func skipString(raw []byte, at int) int {
	for at++; at < len(raw); {
		i := bytes.IndexAny(raw[at:], `"\`)
		if i < 0 {
			return len(raw)
		}
		if at += i; raw[at] == '"' {
			return at + 1
		}
		at += 2
	}
	return len(raw)
}

// skipValue is the place behind a value of valid JSON.
func skipValue(raw []byte, at int) int {
	depth := 0
	for ; at < len(raw); at++ {
		switch raw[at] {
		case '"':
			if at = skipString(raw, at); depth == 0 {
				return at
			}
			at--
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return at
			}
			if depth == 0 {
				return at + 1
			}
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return at
			}
		}
	}
	return at
}
