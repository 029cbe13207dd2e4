package table

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/commonplace/commonplace"
)

func TestRowJSON(t *testing.T) {
	row := Row{{"b", "<é>\"\n"}, {"a", math.NaN()}, {"list", []string(nil)}, {"parts", []commonplace.Part{}}, {"n", int64(1) << 60}, {"yes", true}}
	b, err := json.Marshal(row)
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.Unmarshal(b, &back); err != nil || back["b"] != "<é>\"\n" || back["a"] != nil {
		t.Errorf("%s: %v", b, err)
	}
	direct, _ := row.MarshalJSON()
	if want := `{"b":"<é>\"\n","a":null,"list":[],"parts":[],"n":1152921504606846976,"yes":true}`; string(direct) != want {
		t.Errorf("got %s\nwant %s", direct, want)
	}
	if b, _ := (Row{}).MarshalJSON(); string(b) != "{}" {
		t.Errorf("%s", b)
	}
}
