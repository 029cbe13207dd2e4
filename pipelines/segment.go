package pipelines

import (
	"context"
	"fmt"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/segment"
	"github.com/commonplace/commonplace/table"
)

// segmentStage cuts documents into passages.
type segmentStage struct{}

func (segmentStage) Identity() Identity {
	return Identity{
		Name: "segment", Table: "passages", Revision: 4,
		Short: "cut documents into passages",
		Unit:  "documents",
		Rows:  true,
	}
}

func (segmentStage) Enabled(c *config.Config) bool { return c.HasSources() }

func (segmentStage) Settings(c *config.Config) any { return c.Segment }

func (segmentStage) Plan(context.Context, *planner) (Deps, error) {
	return Deps{Inputs: sameShard("documents")}, nil
}

func (segmentStage) Make(ctx context.Context, t Task) (table.TaskRecord, error) {
	var s config.Segment
	if err := t.decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	seg, err := segment.Parse(s.By)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return output(ctx, t, table.Passages, func(o *out[commonplace.Passage]) error {
		for doc, err := range table.Documents.Rows(t.path("documents"), "doc_id", "text", "characters", "role") {
			if err != nil {
				return err
			}
			if doc.Role == "derived" {
				continue
			}
			o.in++
			n := 0
			for p := range segment.Passages(doc, seg) {
				if err := o.put(p); err != nil {
					return err
				}
				n++
			}
			if n == 0 {
				o.refuse(commonplace.Reject{ID: doc.ID, Reason: "no passages", Detail: fmt.Sprintf("nothing in it to cut by %s", seg.By)})
				continue
			}
			o.taken++
		}
		return nil
	})
}
