package datasets

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/segment"
	"github.com/commonplace/commonplace/table"
)

// Windows makes windows of quoted sentences (RELiC).
type Windows struct{}

func (Windows) Identity() engine.Identity {
	return engine.Identity{
		Name: "window", Table: "windows", Revision: 2, Group: "label",
		Keys:  map[string]string{"": "label"},
		Short: "make windows around quoted sentences",
		Unit:  "alignments",
	}
}

func (Windows) Enabled(c *config.Config) bool {
	return c.HasSources() && config.Makes(config.DataWindows)(c)
}

func (Windows) Settings(c *config.Config) any {
	return windowSettings{c.Label.Windows, c.Label.Split}
}

func (Windows) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	return givenSplits(ctx, p.Config)
}

func (Windows) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.And(engine.SameShard("passages", "alignments", "works"), engine.Whole("documents"))}, nil
}

func (Windows) Check(ctx context.Context, out string, c table.Commit) (engine.Checks, error) {
	return checkWindows(ctx, out, c)
}

type windowSettings struct {
	Windows config.Windows `json:"windows"`
	Split   config.Split   `json:"split"`
}

func (Windows) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s windowSettings
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	cut, err := segment.Parse(s.Windows.Cut)
	if err != nil {
		return table.TaskRecord{}, err
	}
	works, err := readWorks(ctx, t.Path("works"))
	if err != nil {
		return table.TaskRecord{}, err
	}
	split, err := splitOf(ctx, t, s.Split)
	if err != nil {
		return table.TaskRecord{}, err
	}
	filter := s.Windows.Filter()
	return engine.WriteShard(ctx, t, table.Windows, func(out *engine.Output[commonplace.Window]) error {
		return join.EachBatch(ctx, t, func(b *join.Batch) error {
			var rows []commonplace.Window
			err := b.EachPair(func(volume commonplace.Document, sentences func() []commonplace.Passage, source *join.Source, alignments []commonplace.Alignment) error {
				if why := filter.Refuses(volume, len(alignments)); why != "" {
					// Asked for, no fault of the input: counted and not rejected.
					out.Count("in_other_volumes", int64(len(alignments)))
					return nil
				}
				o := label.WindowOptions{
					Sentences: s.Windows.Sentences, Shared: s.Windows.Shared, Similarity: s.Windows.Similarity,
					Split: split, Work: works[source.Doc.ID],
				}
				windows, rejects := label.Windows(volume, sentences(), source.Doc, source.Passages, alignments, o)
				out.In += int64(len(alignments))
				out.Taken += int64(len(alignments) - len(rejects))
				whole := map[string]bool{}
				for _, w := range windows {
					for _, id := range w.AlignmentIDs {
						whole[id] = true
					}
				}
				out.Count("of_parts_of_sentences", int64(len(alignments)-len(rejects)-len(whole)))
				rows = append(rows, windows...)
				for _, r := range rejects {
					out.Reject(r)
				}
				return nil
			}, func(text string) iter.Seq[segment.Piece] { return cut.Cut(label.BlankCitations(text)) })
			if err != nil {
				return err
			}
			slices.SortFunc(rows, func(a, b commonplace.Window) int {
				return cmp.Or(cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceBegin, b.SourceBegin), cmp.Compare(a.SourceEnd, b.SourceEnd),
					cmp.Compare(a.DerivedID, b.DerivedID), cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd))
			})
			for _, w := range rows {
				out.Count("in_"+w.Split, 1)
				if err := out.Put(w); err != nil {
					return err
				}
			}
			return nil
		})
	})
}
