package quotes

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
)

// A question about a run that is not there leaves nothing behind, neither in a
// folder of others nor one that was not there.
func TestAQuestionLeavesNothingBehind(t *testing.T) {
	c := pipelinetest.Demo(t)
	for _, out := range []string{filepath.Join(c.Out, "deep"), t.TempDir()} {
		c.Out = out
		_, failed := os.Stat(out)
		if _, err := Explain(t.Context(), Question{Config: c, DocID: "alpha", Text: "any words"}); !errors.Is(err, config.ErrInvalid) {
			t.Errorf("explain: %v", err)
		}
		if _, err := os.Stat(out); (err == nil) != (failed == nil) {
			t.Errorf("%s was made", out)
		} else if names, _ := os.ReadDir(out); len(names) > 0 {
			t.Errorf("%s holds %s", out, names[0].Name())
		}
	}
}
