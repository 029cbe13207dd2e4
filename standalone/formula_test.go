package standalone

import "testing"

func TestNoFormula(t *testing.T) {
	for cell, want := range map[string]string{
		"=HYPERLINK(A1)": "'=HYPERLINK(A1)", "+1": "'+1", "-- he said": "'-- he said", "@SUM": "'@SUM", "＝A1": "'＝A1", "\n=A1": "'\n=A1",
		"": "", "plain": "plain", "“=”": "“=”", "0.5": "0.5",
	} {
		if got := noFormula(cell); got != want {
			t.Errorf("%q is written as %q, want %q", cell, got, want)
		}
	}
}
