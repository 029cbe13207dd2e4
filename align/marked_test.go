package align

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// The marks that close are found as before where kinds are mixed.
func TestQuotationsOfMixedMarks(t *testing.T) {
	text := strings.Repeat("“one two three ‘four five six’ seven” ", 2) + "“never closed at all ‘eight nine ten’"
	var got []string
	for _, s := range Quotations(text) {
		got = append(got, commonplace.Slice(text, s))
	}
	want := []string{"one two three ‘four five six’ seven", "four five six", "one two three ‘four five six’ seven", "four five six", "eight nine ten"}
	if !slices.Equal(got, want) {
		t.Errorf("quotations %q", got)
	}
}

// A place that is found for a quotation and for one around it has the confidence
// of the closer one, whatever the order and the number of candidates.
func TestMarkedTiesGoToTheClosestQuotation(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	var candidates []commonplace.Alignment
	for i := range int64(20) {
		for _, confidence := range []float64{0.5, 0.91, 0.97} {
			candidates = append(candidates, commonplace.Alignment{ID: fmt.Sprint(i), SourceID: fmt.Sprint("s", i), DerivedBegin: 100 * i, DerivedEnd: 100*i + 50, SourceEnd: 50, Score: 60, Similarity: 1, Confidence: confidence})
		}
	}
	want := MergeMarked(candidates, Defaults())
	for range 50 {
		r.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
		got := MergeMarked(candidates, Defaults())
		if len(got) != 20 || got[0].Confidence != 0.97 || !reflect.DeepEqual(got, want) {
			t.Fatalf("%d rows, the first of confidence %v", len(got), got[0].Confidence)
		}
	}
}
