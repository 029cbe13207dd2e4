package datasets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/quotus"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// CompareReference holds the alignments that the Quotus file brings against ours.
type CompareReference struct{}

func (CompareReference) Identity() engine.Identity {
	return engine.Identity{
		Name: "compare_reference", Formerly: "agree", Table: "agreements", Revision: 1, Group: "label",
		Short: "compare the Quotus file's alignments with ours",
		Unit:  "quotes",
	}
}

func (CompareReference) Enabled(c *config.Config) bool {
	return Queries{}.Enabled(c) && c.Label.Queries.Given != ""
}

func (CompareReference) Settings(c *config.Config) any { return referenceSettings{c.Limits.Changed()} }

// referenceSettings are empty where no limit was changed.
type referenceSettings struct {
	Limits bounded.Limits `json:"limits,omitzero"`
}

func (CompareReference) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	return givenAlignments(ctx, p.Config)
}

func (CompareReference) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.SameShard("documents", "passages", "alignments")}, nil
}

func givenAlignments(ctx context.Context, c *config.Config) (engine.External, error) {
	sum, err := storage.SumOf(ctx, c.Label.Queries.Given)
	if err != nil {
		return engine.External{}, fmt.Errorf("%w: %s: label.queries.given: %w", config.ErrInvalid, c.Where("label.queries.given"), err)
	}
	f := givenFile{c.Label.Queries.Given, sum}
	return engine.External{
		Count: func(ctx context.Context) (map[string]int64, error) {
			n := int64(0)
			err := engine.ReadUnchanged(ctx, f.Path, f.SHA256, func(name string) error {
				return eachGiven(ctx, name, c.Limits, func(c quotus.Cluster, _ *commonplace.Reject) { n += int64(len(c.Quotes)) })
			})
			return map[string]int64{"label.queries.given": n}, err
		},
		CountName: "quotes",
		Version:   sum,
		Contents:  func(int, int) string { return sum },
		Parts:     engine.OnePart("file of label.queries.given", sum),
		Extra:     func(int, int) json.RawMessage { return storage.MustJSON(f) },
	}, nil
}

// givenFile is where a task finds the Quotus file.
type givenFile struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// Make reads the file once for a shard and keeps the quotes of its
// transcripts. Quotes of transcripts that are not among the documents belong to
// no shard and are counted by the first.
func (CompareReference) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var f givenFile
	if err := json.Unmarshal(t.Extra, &f); err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Agreements, func(o *engine.Output[commonplace.Agreement]) error {
		given, err := f.read(ctx, t, o)
		if err != nil {
			return err
		}
		err = join.EachDocument(ctx, t, func(doc commonplace.Document, passages []commonplace.Passage, alignments []commonplace.Alignment) error {
			quotes := given[doc.ID]
			delete(given, doc.ID)
			slices.SortStableFunc(quotes, func(a, b label.GivenQuote) int { return strings.Compare(a.ID, b.ID) })
			rows, rejects := label.Agreements(doc, passages, alignments, quotes)
			for _, r := range rows {
				o.Count(strings.ReplaceAll(r.Verdict, " ", "_"), 1)
				if err := o.Put(r); err != nil {
					return err
				}
				o.Taken++
			}
			for _, r := range rejects {
				o.Reject(r)
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, quotes := range given {
			o.Count("of_no_document", int64(len(quotes)))
			o.Taken += int64(len(quotes))
		}
		return nil
	})
}

// read gives the quotes of a shard's transcripts, by transcript. The file has to be
// as it was listed.
func (f givenFile) read(ctx context.Context, t engine.Task, o *engine.Output[commonplace.Agreement]) (given map[string][]label.GivenQuote, err error) {
	err = engine.ReadUnchanged(ctx, f.Path, f.SHA256, func(name string) (err error) {
		given, err = givenOf(ctx, name, t, o)
		return err
	})
	return given, err
}

func givenOf(ctx context.Context, path string, t engine.Task, o *engine.Output[commonplace.Agreement]) (map[string][]label.GivenQuote, error) {
	var settings referenceSettings
	if err := t.Decode(&settings); err != nil {
		return nil, err
	}
	given := map[string][]label.GivenQuote{}
	return given, eachGiven(ctx, path, settings.Limits, func(c quotus.Cluster, reject *commonplace.Reject) {
		switch {
		case reject != nil:
			if table.ShardOf(reject.ID, t.Of) == t.Shard {
				o.In++
				o.Reject(*reject)
			}
		case table.ShardOf(c.Source, t.Of) == t.Shard:
			for _, q := range c.Quotes {
				o.In++
				given[c.Source] = append(given[c.Source], label.GivenQuote{ID: q.ID, Text: q.Text, Similarity: q.Similarity, Paragraphs: q.Paragraphs, Align: q.Align})
			}
		}
	})
}

// eachGiven reads the file's clusters; what is none comes as a reject.
func eachGiven(ctx context.Context, path string, l bounded.Limits, take func(quotus.Cluster, *commonplace.Reject)) error {
	f, err := storage.OpenInput(ctx, path)
	if err != nil {
		return err
	}
	defer f.Close()
	for c, err := range quotus.ReadQuotes(ctx, f, "quotes", l) {
		reject, err := commonplace.Refused(err)
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		take(c, reject)
	}
	return nil
}
