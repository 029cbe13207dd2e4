package ingest

import (
	"context"
	"fmt"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/segment"
	"github.com/commonplace/commonplace/table"
)

// Segment cuts documents into passages.
type Segment struct{}

func (Segment) Identity() engine.Identity {
	return engine.Identity{
		Name: "segment", Table: "passages", Revision: 5,
		Short: "segment documents into passages",
		Unit:  "documents",
		Rows:  true,
	}
}

func (Segment) Enabled(c *config.Config) bool { return c.HasSources() }

func (Segment) Settings(c *config.Config) any { return c.Segment }

func (Segment) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.SameShard("documents")}, nil
}

func (Segment) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s config.Segment
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	seg, err := segment.Parse(s.By)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Passages, func(o *engine.Output[commonplace.Passage]) error {
		for doc, err := range table.Documents.Rows(ctx, t.Path("documents"), "doc_id", "text", "characters", "role") {
			if err != nil {
				return err
			}
			if doc.Role == "derived" {
				continue
			}
			o.In++
			n := 0
			for p := range segment.Passages(doc, seg) {
				if err := o.Put(p); err != nil {
					return err
				}
				n++
			}
			if n == 0 {
				o.Reject(commonplace.Reject{ID: doc.ID, Reason: "no passages", Detail: fmt.Sprintf("nothing in it to cut by %s", seg.By)})
				continue
			}
			o.Taken++
		}
		return nil
	})
}
