package engine_test

import (
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
)

// Names of stages and tables are of many lengths; what follows them is aligned.
func TestLinesOfABuildAreAligned(t *testing.T) {
	c := pipelinetest.Dataset(t, "conversations", nil)
	r := engine.Request{Config: c}
	lines, err := engine.Plan(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	ends := map[int][]string{} // by the column at which the text after both names begins
	for _, line := range lines {
		before, _, _ := strings.Cut(line, " run, ")
		ends[len([]rune(before))] = append(ends[len([]rune(before))], line)
	}
	if len(ends) != 1 {
		t.Errorf("columns at %d places:\n%s", len(ends), strings.Join(lines, "\n"))
	}
	columns := engine.ColumnsOf(r)
	if got, want := columns.Stage("rank"), len("conversations"); len(got) != want {
		t.Errorf("%q, want %d columns", got, want)
	}
}
