package engine_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// A runner may run a task twice, and twice at once: both write the same.
func TestATaskRunsTwice(t *testing.T) {
	c := pipelinetest.Demo(t)
	stages := pipelinetest.Stages(t, c)
	before := pipelinetest.Snapshot(t, c.Out)
	for _, s := range stages {
		pl, err := engine.PlanNamed(t.Context(), c, s.Stage)
		if err == nil {
			err = pl.Ready()
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(table.RemoveCommit(t.Context(), storage.Default, c.Out, s.Table), table.RemoveTasks(t.Context(), c.Out, pl.Tasks()[0].Table)); err != nil {
			t.Fatal(err)
		}
		var records [4][]table.TaskRecord
		done := make(chan error)
		for i := range records {
			go func() {
				var err error
				for _, task := range pl.Tasks() {
					r, e := engine.RunTask(context.Background(), task)
					err = errors.Join(err, e)
					records[i] = append(records[i], r)
				}
				done <- err
			}()
		}
		for range records {
			if err := <-done; err != nil {
				t.Fatalf("%s: %v", s.Stage, err)
			}
		}
		for _, other := range records[1:] {
			if !bytes.Equal(storage.MustJSON(other), storage.MustJSON(records[0])) {
				t.Errorf("%s: the records differ", s.Stage)
			}
		}
		if err := pl.Commit(t.Context(), 0, records[0]); err != nil {
			t.Fatal(err)
		}
	}
	if d := pipelinetest.Differing(before, pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
		t.Errorf("the second time gave other bytes: %s", d)
	}
}
