package records

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Errors of [Object].
var (
	ErrNotUTF8   = errors.New("the line is not UTF-8")
	ErrTwice     = errors.New("a name stands twice in the object, and only one value can be meant")
	ErrSurrogate = errors.New("half of a surrogate pair stands alone, which is no character")
)

// Object reads a line's JSON object by the exact names of its members: listing and
// reading see the same ones, which a struct, whatever the case, would not.
func Object(raw []byte) (map[string]json.RawMessage, error) {
	if !utf8.Valid(raw) {
		return nil, ErrNotUTF8
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	members, whole := scan(raw)
	switch {
	case !whole:
		return nil, ErrSurrogate
	case members != len(object):
		return nil, ErrTwice
	}
	return object, nil
}

// scan counts the members of an object that is valid JSON, and says that its
// escapes are whole characters.
func scan(raw []byte) (members int, whole bool) {
	depth, inside := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inside && c == '\\':
			i++
			if raw[i] != 'u' {
				continue
			}
			switch code := unit(raw[i+1:]); {
			case code >= 0xdc00 && code < 0xe000:
				return 0, false
			case code >= 0xd800 && code < 0xdc00:
				rest := raw[i+5:]
				if len(rest) < 6 || rest[0] != '\\' || rest[1] != 'u' {
					return 0, false
				}
				if low := unit(rest[2:]); low < 0xdc00 || low >= 0xe000 {
					return 0, false
				}
				i += 6
			}
			i += 4
		case c == '"':
			inside = !inside
		case inside:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == ':' && depth == 1:
			members++
		}
	}
	return members, true
}

// unit is the four digits of an escape.
func unit(raw []byte) uint64 {
	code, err := strconv.ParseUint(string(raw[:4]), 16, 16)
	if err != nil {
		return 0 // json.Unmarshal has read them
	}
	return code
}
