package records

import (
	"errors"
	"testing"

	"github.com/commonplace/commonplace/bounded"
)

func TestObject(t *testing.T) {
	for raw, want := range map[string]error{
		`{"id":"a","ID":"b"}`:                        nil,
		`{"a":{"b":1,"b":2},"c":[{"d":":"}],"e":""}`: nil,
		`{"a":"\ud83d\ude00 \u00e9 \\ud800 \""}`:     nil,
		`{"other":1,"other":2}`:                      nil,
		`{}`:                                         nil,
		`{"id":"a","id":"b"}`:                        ErrTwice,
		`{"id":"a","\u0069d":"b"}`:                   ErrTwice,
		`{"a":"\ud800"}`:                             ErrSurrogate,
		`{"a":"\ud800\ud800"}`:                       ErrSurrogate,
		`{"a":"\ud800\n"}`:                           ErrSurrogate,
		`{"a":"\ude00\ud83d"}`:                       ErrSurrogate,
		`{"\ud800":1}`:                               ErrSurrogate,
		"{\"a\":\"\xff\"}":                           ErrNotUTF8,
	} {
		if object, err := Object([]byte(raw), bounded.Limits{}, "id", "a", "c", "e"); !errors.Is(err, want) || err == nil && object == nil {
			t.Errorf("%s: %v, want %v", raw, err, want)
		}
	}
	for _, raw := range []string{"", "[]", `{"a":1`, `"a"`} {
		if object, err := Object([]byte(raw), bounded.Limits{}, "id", "a", "c", "e"); err == nil {
			t.Errorf("%s: %v", raw, object)
		}
	}
}
