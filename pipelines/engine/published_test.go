package engine_test

import (
	"context"
	"errors"
	"testing"

	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// A first build that ends between two stages leaves tables that fit one another, and is
// no version: others are missing. So it is after single stages, until the last one.
func TestAFirstBuildIsNoVersionUntilItsEnd(t *testing.T) {
	c := skewed(t)
	wholeAfter := func(what string, want bool) {
		t.Helper()
		night, err := table.Current(t.Context(), c.Out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.Fitting(t.Context(), storage.Default, night); err != nil {
			t.Errorf("%s: the tables do not fit: %v", what, err)
		}
		if _, err := table.Whole(t.Context(), storage.Default, night); errors.Is(err, table.ErrNotWhole) == want || err != nil && want {
			t.Errorf("%s: whole: %v", what, err)
		}
		status, err := engine.Look(t.Context(), night, nil)
		if err != nil || status.Whole != want {
			t.Errorf("%s: status says whole %v, %v", what, status.Whole, err)
		}
	}
	for _, last := range []string{"segment", "score", "rank"} {
		ctx, stop := context.WithCancel(t.Context())
		err := engine.Build(ctx, engine.Request{Config: c, Planning: func(stage string) {
			if stage == last {
				stop()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped before %s: %v", last, err)
		}
		wholeAfter("stopped before "+last, false)
	}
	for _, stage := range []string{"crawl", "segment", "score"} {
		if err := engine.Build(t.Context(), engine.Request{Config: c, Stages: []string{stage}}); err != nil {
			t.Fatal(err)
		}
		wholeAfter(stage, false)
	}
	if err := engine.Build(t.Context(), engine.Request{Config: c, Stages: []string{"rank"}}); err != nil {
		t.Fatal(err)
	}
	wholeAfter("rank", true)
}

// A run of one stage that no config asks more of is whole after it.
func TestAStageWithoutAConfigIsAVersion(t *testing.T) {
	c := skewed(t)
	if err := engine.Build(t.Context(), engine.Request{Config: c, Stages: []string{"crawl"}, Alone: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := table.Whole(t.Context(), storage.Default, c.Out); err != nil {
		t.Error(err)
	}
	if status, err := engine.Look(t.Context(), c.Out, nil); err != nil || !status.Whole || len(status.Tables) != 1 {
		t.Errorf("status is %+v, %v", status, err)
	}
}
