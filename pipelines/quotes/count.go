package quotes

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Count counts how often each passage is quoted.
type Count struct{}

func (Count) Identity() engine.Identity {
	return engine.Identity{
		Name: "count", Table: "quote_counts", Revision: 5,
		Short: "count how often each passage is quoted",
		Unit:  "passages",
	}
}

func (Count) Enabled(c *config.Config) bool { return c.HasSources() }

func (Count) Settings(c *config.Config) any { return CountSettingsOf(c) }

func (Count) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	return givenCounts(ctx, p.Config)
}

func (Count) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.And(engine.SameShard("documents", "passages", "alignments"), QuotedBy(engine.SameShard))}, nil
}

// countsFile is where a task finds given counts.
type countsFile struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// givenCounts hashes the file of counts, where the config takes one.
func givenCounts(ctx context.Context, c *config.Config) (engine.External, error) {
	if c.Count.From == config.CountAlignments {
		return engine.External{Extra: func(int, int) json.RawMessage { return storage.MustJSON(countsFile{}) }}, nil
	}
	sum, err := storage.SumOf(ctx, c.Count.File)
	if err != nil {
		return engine.External{}, fmt.Errorf("%w: %s: count.file: %w", config.ErrInvalid, c.Where("count.file"), err)
	}
	f := countsFile{c.Count.File, sum}
	return engine.External{
		Count: func(ctx context.Context) (map[string]int64, error) {
			n := int64(0)
			counts, err := f.read(ctx, c.Count.Columns, c.Count.Limits)
			for _, rows := range counts {
				for _, r := range rows {
					if r.Known {
						n++
					}
				}
			}
			return map[string]int64{filepath.Base(f.Path): n}, err
		},
		Version:   storage.Key(sum, c.Count.Columns),
		CountName: "counts",
		Contents:  func(int, int) string { return sum },
		Parts:     engine.OnePart("file of count.file", sum),
		Extra:     func(int, int) json.RawMessage { return storage.MustJSON(f) },
	}, nil
}

// read reads the file, which has to be as it was listed.
func (f countsFile) read(ctx context.Context, columns map[string]string, limits bounded.Limits) (byDocument map[string][]files.Count, err error) {
	err = engine.ReadUnchanged(ctx, f.Path, f.SHA256, func(name string) (err error) {
		byDocument, err = files.ReadCounts(ctx, name, columns, limits)
		return err
	})
	return byDocument, err
}

var lastCounts worker.Memo[map[string][]files.Count]

func (Count) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s CountSettings
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	quoted, err := NewCounting(ctx, t, s)
	if err != nil {
		return table.TaskRecord{}, err
	}
	listed := map[string][]files.Count{}
	if s.From != config.CountAlignments {
		var f countsFile
		err := json.Unmarshal(t.Extra, &f)
		if err == nil {
			listed, err = lastCounts.Get(ctx, f.SHA256+string(t.Settings), func() (map[string][]files.Count, error) { return f.read(ctx, s.Columns, s.Limits) })
		}
		if err != nil {
			return table.TaskRecord{}, err
		}
	}
	return engine.WriteShard(ctx, t, table.QuoteCounts, func(out *engine.Output[commonplace.QuoteCount]) error {
		given := OpenPlaces(ctx, t, 0)
		defer given.Stop()
		err := join.EachDocument(ctx, t, func(doc commonplace.Document, passages []commonplace.Passage, alignments []commonplace.Alignment) error {
			places, err := given.Of(doc.ID)
			if err != nil {
				return err
			}
			out.In += int64(len(passages))
			quotations, dropped := quoted.Of(doc, alignments, places)
			for why, n := range dropped {
				out.Count(why, n)
			}
			counts := label.Counts(passages, quotations, s.Overlap)
			if rows := listed[doc.ID]; len(rows) > 0 {
				if err := addGiven(out, doc.ID, passages, counts, rows); err != nil {
					return err
				}
			}
			for _, c := range counts {
				if err := out.Put(c); err != nil {
					return err
				}
				out.Taken++
			}
			return nil
		})
		if err != nil {
			return err
		}
		return given.End()
	})
}

// countableOf says which alignments count.
func countableOf(c config.Count) label.Countable {
	return label.Countable{MinConfidence: c.MinConfidence, Boilerplate: c.Boilerplate, MaxShare: c.MaxShare}
}

// addGiven adds the counts that a file gives for passages of a document. What
// does not fit is an error: counts at the wrong passages would be believed.
func addGiven(out *engine.Output[commonplace.QuoteCount], docID string, passages []commonplace.Passage, counted []commonplace.QuoteCount, rows []files.Count) error {
	byID := map[string]int64{}
	for _, r := range rows {
		if r.Passage < 1 || r.Passage > int64(len(passages)) {
			return fmt.Errorf("line %d of the counts is of passage %d of document %s, which has %d: cut the document as the counts are", r.Line, r.Passage, docID, len(passages))
		}
		p := passages[r.Passage-1]
		if r.Text != "" && label.Normalise(r.Text) != label.Normalise(p.Text) {
			return fmt.Errorf("line %d of the counts is of %q, and passage %s is %q: cut the document as the counts are", r.Line, r.Text, p.ID, p.Text)
		}
		if r.Known {
			byID[p.ID] += r.Count
			out.Count("given", 1)
		} else {
			out.Count("given_without_a_count", 1)
		}
	}
	for _, r := range label.AddCounts(counted, byID) {
		return fmt.Errorf("counts of document %s: %s: %s: %s", docID, r.ID, r.Reason, r.Detail)
	}
	return nil
}
