package records

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/commonplace/commonplace/bounded"
)

// Errors of [Object].
var (
	ErrNotUTF8   = errors.New("the line is not UTF-8")
	ErrTwice     = errors.New("a name stands twice in the object, and only one value can be meant")
	ErrSurrogate = errors.New("half of a surrogate pair stands alone, which is no character")
)

// Object reads of a line's JSON object the members that have one of the names: their
// exact names, so that listing and reading see the same ones, which a struct, whatever
// the case, would not. Other members cost no memory. They may stand twice, since
// nothing is taken of them.
func Object(raw []byte, l bounded.Limits, names ...string) (map[string]json.RawMessage, error) {
	return Members(raw, l, nil, names...)
}

// Members is [Object], and gives the members that have none of the names to other, in
// their order. They may stand twice, too: both are given.
func Members(raw []byte, l bounded.Limits, other func(name string, value json.RawMessage), names ...string) (map[string]json.RawMessage, error) {
	if !utf8.Valid(raw) {
		return nil, ErrNotUTF8
	}
	object := make(map[string]json.RawMessage, len(names))
	twice := false
	err := bounded.Object(raw, l, func(name string, value json.RawMessage) {
		switch {
		case slices.Contains(names, name):
			twice = twice || object[name] != nil
			object[name] = value
		case other != nil:
			other(name, value)
		}
	})
	var over *bounded.Error
	switch {
	case errors.As(err, &over):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("not a JSON object: %w", err)
	case !wholeCharacters(raw):
		return nil, ErrSurrogate
	case twice:
		return nil, ErrTwice
	}
	return object, nil
}

// wholeCharacters says of valid JSON that its escapes are whole characters.
func wholeCharacters(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' { // which is in strings alone
			continue
		}
		if i++; raw[i] != 'u' {
			continue
		}
		switch code := unit(raw[i+1:]); {
		case code >= 0xdc00 && code < 0xe000:
			return false
		case code >= 0xd800 && code < 0xdc00:
			rest := raw[i+5:]
			if len(rest) < 6 || rest[0] != '\\' || rest[1] != 'u' {
				return false
			}
			if low := unit(rest[2:]); low < 0xdc00 || low >= 0xe000 {
				return false
			}
			i += 6
		}
		i += 4
	}
	return true
}

// unit is the four digits of an escape.
func unit(raw []byte) uint64 {
	code, err := strconv.ParseUint(string(raw[:4]), 16, 16)
	if err != nil {
		return 0 // valid JSON has four
	}
	return code
}
