package label

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/commonplace/commonplace"
)

// Options without numbers are the defaults; those with any are taken as they are.
func TestZeroOptions(t *testing.T) {
	groups := map[string]commonplace.Group{"a": {Group: "b"}}
	want := Defaults()
	want.Groups = groups
	if got := (Options{Groups: groups}).orDefaults(); !reflect.DeepEqual(got, want) {
		t.Errorf("options: %+v", got)
	}
	for _, o := range []Options{{ContextWords: 1}, {MinSimilarity: 1}, {Split: Split{Train: 1, By: ByQuote}}} {
		if got := o.orDefaults(); !reflect.DeepEqual(got, o) {
			t.Errorf("%+v became %+v", o, got)
		}
	}
	windows := DefaultWindows()
	windows.Work = "w"
	if got := (WindowOptions{Work: "w"}).orDefaults(); got != windows {
		t.Errorf("windows: %+v", got)
	}
	if o := (WindowOptions{Sentences: 1}); o.orDefaults() != o {
		t.Error("options of windows that are set changed")
	}
	for i := range 100 {
		group := fmt.Sprint(i)
		if got, want := (Split{}).Of(group), defaultSplit(ByQuote).Of(group); got != want {
			t.Errorf("group %d is in %s without shares, %s with the default ones", i, got, want)
		}
	}
}
