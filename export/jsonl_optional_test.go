package export

import (
	"reflect"
	"testing"
)

// An optional value is the value, or null.
func TestJSONOfOptionalValues(t *testing.T) {
	type row struct {
		P *float64 `parquet:"p,optional"`
	}
	half := 0.5
	write := jsonOf(reflect.TypeFor[row](), nil)
	for want, r := range map[string]row{`{"p":0.5}`: {&half}, `{"p":null}`: {}} {
		if got := string(write(nil, reflect.ValueOf(r))); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
