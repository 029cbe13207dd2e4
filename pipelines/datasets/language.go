package datasets

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer/features"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/label/terms"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/pipelines/quotes"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Language makes language models of what is quoted and of all text: one
// table for the whole run.
type Language struct{}

func (Language) Identity() engine.Identity {
	return engine.Identity{
		Name: "language", Table: "language", Revision: 1, Group: "label",
		Keys:     map[string]string{"": "label.counts", "least": "label.counts.language", "count": "count", "seed": "label.split.seed"},
		Short:    "compare the words of quoted text with those of all text",
		Unit:     "passages",
		OneShard: true,
	}
}

func (Language) Enabled(c *config.Config) bool {
	return config.Makes(config.DataCounts)(c) && c.Label.Counts.Language > 0
}

func (Language) Settings(c *config.Config) any {
	return languageSettings{c.Label.Counts.Language, foldSettingsOf(c), quotes.CountSettingsOf(c)}
}

func (Language) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	return givenSplits(ctx, p.Config)
}

func (Language) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.And(engine.Whole("documents", "passages", "alignments", "quote_counts", "works"), quotes.QuotedBy(engine.Whole))}, nil
}

type languageSettings struct {
	Least int `json:"least"`
	foldSettings
	Count quotes.CountSettings `json:"count"` // which quotations count
}

func (Language) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s languageSettings
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	foldOf, err := s.of(ctx, t, t.Paths("works")...)
	if err != nil {
		return table.TaskRecord{}, err
	}
	quoted, err := quotes.NewCounting(ctx, t, s.Count)
	if err != nil {
		return table.TaskRecord{}, err
	}
	documents, passages, alignments, counts := t.Paths("documents"), t.Paths("passages"), t.Paths("alignments"), t.Paths("quote_counts")
	for _, in := range t.Inputs {
		if in.Of != len(documents) && in.Table != "quotes" {
			return table.TaskRecord{}, fmt.Errorf("%w: table %s has %d shards, documents %d: build them in one run", config.ErrInvalid, in.Table, in.Of, len(documents))
		}
	}
	return engine.WriteShard(ctx, t, table.Language, func(o *engine.Output[commonplace.NGram]) (err error) {
		l := terms.NewLanguage(s.Folds, int64(s.Least), storage.TempDir(ctx))
		defer func() { err = errors.Join(err, storage.Mark(l.Close())) }()
		for k, path := range documents {
			given := join.Open(ctx, table.QuoteCounts, counts[k], func(c *commonplace.QuoteCount) string { return c.DocID })
			places := quotes.OpenPlaces(ctx, t, k)
			err := join.EachDocumentOf(ctx, path, passages[k], alignments[k], func(doc commonplace.Document, cut []commonplace.Passage, found []commonplace.Alignment) error {
				counts, err := given.Of(doc.ID)
				if err != nil {
					return err
				}
				at, err := places.Of(doc.ID)
				if err == nil {
					err = ctx.Err()
				}
				if err != nil || len(cut) == 0 {
					return err
				}
				quotations, _ := quoted.Of(doc, found, at)
				o.In += int64(len(cut))
				o.Taken += int64(len(cut))
				fold, err := foldOf(doc.ID)
				if err != nil {
					return err
				}
				return addWords(l, fold, doc, cut, quotations, s.Count.Overlap, counts)
			})
			if err == nil {
				err = given.End()
			}
			if err == nil {
				err = places.End()
			}
			given.Stop()
			places.Stop()
			if err != nil {
				return err
			}
		}
		terms := int64(0)
		var failed error // of the row, and not of the sorters
		err = l.NGrams(func(n commonplace.NGram) error {
			if n.Fold < 0 {
				terms++
			}
			failed = o.Put(n)
			return failed
		})
		if failed == nil {
			err = storage.Mark(err)
		}
		o.Count("terms", terms)
		return err
	})
}

// addWords counts the words of a document's passages. What portions quote is the
// words whose first letters they take; what a file says was quoted is all words of
// the passage.
func addWords(l *terms.Language, fold int64, doc commonplace.Document, passages []commonplace.Passage, quoted []label.Quotation, overlap string, counts []commonplace.QuoteCount) error {
	if len(counts) != len(passages) {
		return fmt.Errorf("document %s has %d passages and %d quote counts: build both in one run", doc.ID, len(passages), len(counts))
	}
	var words []terms.QuotedWord
	var places []int64
	ends := make([]int, len(passages)) // of each passage among the words
	for i, p := range passages {
		if counts[i].PassageID != p.ID {
			return fmt.Errorf("quote count %d of document %s is of passage %s where %s is wanted", i, doc.ID, counts[i].PassageID, p.ID)
		}
		place, last := p.Begin, 0
		features.Words(p.Text, func(word string, begin int) {
			place += int64(utf8.RuneCountInString(p.Text[last:begin]))
			last = begin
			words, places = append(words, terms.QuotedWord{Word: word}), append(places, place)
		})
		ends[i] = len(words)
	}
	quotations, found := label.QuotationsAt(places, quoted), label.Counts(passages, quoted, overlap)
	begin := 0
	for i, end := range ends {
		for k := begin; k < end; k++ {
			words[k].Quotations = quotations[k] + counts[i].Count - found[i].Count
		}
		if err := l.Add(fold, words[begin:end]); err != nil {
			return storage.Mark(err)
		}
		begin = end
	}
	return nil
}
