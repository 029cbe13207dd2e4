package datasets

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

func (Examples) PreJobs(ctx context.Context, r engine.Request) ([]string, error) {
	return unknownGiven(ctx, r.Config, Examples{})
}

func (Windows) PreJobs(ctx context.Context, r engine.Request) ([]string, error) {
	return unknownGiven(ctx, r.Config, Windows{})
}

func (Replies) PreJobs(ctx context.Context, r engine.Request) ([]string, error) {
	return unknownGiven(ctx, r.Config, Replies{})
}

func (PositionTokens) PreJobs(ctx context.Context, r engine.Request) ([]string, error) {
	return unknownGiven(ctx, r.Config, PositionTokens{})
}

// unknownGiven warns of ids of label.split.file that nothing of the run has: what they were
// to name is split at random. It refuses a file of which nothing is known. The first stage
// that splits rows says so: all tables with ids are made before it.
func unknownGiven(ctx context.Context, c *config.Config, stage engine.Enabler) ([]string, error) {
	splitting := []engine.Enabler{Examples{}, Windows{}, Replies{}, PositionTokens{}}
	first := slices.IndexFunc(splitting, func(s engine.Enabler) bool { return s.Enabled(c) })
	if c.Label.Split.File == "" || splitting[first] != stage {
		return nil, nil
	}
	given := splitFile{Path: c.Label.Split.File, Folds: c.Label.Counts.Folds}
	var err error
	if given.SHA256, err = storage.SumOf(ctx, given.Path); err != nil {
		return nil, err
	}
	list, err := given.open(ctx)
	if err != nil {
		return nil, err
	}
	unknown := map[string]bool{}
	for _, id := range slices.AppendSeq(slices.Collect(maps.Keys(list.Splits)), maps.Keys(list.Folds)) {
		unknown[id] = true
	}
	all := len(unknown)
	for _, err := range []error{
		remove(ctx, unknown, c.Out, table.Quotes, func(q commonplace.Quote) []string { return []string{q.ID} }, "quote_id"),
		remove(ctx, unknown, c.Out, table.Documents, func(d commonplace.Document) []string {
			if d.Role == "derived" {
				return nil // a quotation has the split of what it quotes
			}
			return []string{d.ID}
		}, "doc_id", "role"),
		remove(ctx, unknown, c.Out, table.Conversations, func(c commonplace.Conversation) []string { return []string{c.ID} }, "conversation_id"),
		remove(ctx, unknown, c.Out, table.Alignments, func(a commonplace.Alignment) []string { return []string{a.ID, label.QuoteID(a)} }, "alignment_id", "quote_id", "derived_id", "derived_begin", "derived_end"),
	} {
		if err != nil {
			return nil, err
		}
	}
	switch len(unknown) {
	case 0:
		return nil, nil
	case all:
		return nil, fmt.Errorf("%w: %s: none of its %d ids is that of a context, a quote, a source or a conversation of this run, such as %q", config.ErrInvalid, c.Where("label.split.file"), all, slices.Min(slices.Collect(maps.Keys(unknown))))
	}
	return []string{fmt.Sprintf("warning: label.split.file: %d of its %d ids are those of no context, quote, source or conversation of this run, such as %q", len(unknown), all, slices.Min(slices.Collect(maps.Keys(unknown))))}, nil
}

// remove takes away the ids that a table of the run has.
func remove[T any](ctx context.Context, ids map[string]bool, run string, t *table.Table[T], of func(T) []string, columns ...string) error {
	c, err := table.ReadCommit(ctx, storage.Default, run, t.Name)
	if errors.Is(err, table.ErrNoRecord) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, path := range c.ShardPaths(run) {
		if len(ids) == 0 {
			return nil
		}
		for row, err := range t.Rows(ctx, path, columns...) {
			if err != nil {
				return err
			}
			for _, id := range of(row) {
				delete(ids, id)
			}
		}
	}
	return nil
}
