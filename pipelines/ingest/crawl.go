package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/crawl/quality"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/table"
)

// Crawl reads the sources into documents. A container such as a zip or a
// list holds many documents, so the stage is sharded by document: what a task
// reads are items of all sources, in the order of their ids.
type Crawl struct{}

func (Crawl) Identity() engine.Identity {
	return engine.Identity{
		Name: "crawl", Table: "documents", Revision: 16,
		Keys:    map[string]string{"": "sources"},
		Short:   "read the sources into documents",
		Unit:    "inputs",
		Guarded: true, PerName: true,
	}
}

func (Crawl) Enabled(c *config.Config) bool { return c.HasSources() }

func (Crawl) Settings(c *config.Config) any { return sourceSettings(c) }

func (Crawl) PreJobs(ctx context.Context, r engine.Request) ([]string, error) {
	return fetchAll(ctx, r)
}

func (Crawl) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	return listSources(ctx, p)
}

func (Crawl) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{}, nil
}

func (Crawl) Prune(ctx context.Context, _ *config.Config, t engine.Task) error {
	return cache.Prune(ctx, cache.Dir(t.Out), nil, inputsKind, listedKind)
}

// sourceSettings are the sources by name, so that one more or one less is no
// change of the others.
func sourceSettings(c *config.Config) any {
	byName := map[string]config.Source{}
	for _, s := range c.Sources {
		byName[s.Name] = s
	}
	return byName
}

func (Crawl) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var sources map[string]config.Source
	if err := t.Decode(&sources); err != nil {
		return table.TaskRecord{}, err
	}
	list, err := itemsOf(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Documents, func(o *engine.Output[commonplace.Document]) (err error) {
		readers := openSources(sources, list)
		defer func() {
			for _, r := range readers {
				err = errors.Join(err, r.close())
			}
		}()
		o.Parts = partsOf(list)
		before, left := yesterday{ctx: ctx, t: t}, leaver{o: o}
		defer before.close()
		last := ""
		for _, it := range list {
			o.In += 1 + it.Untold
			o.Unrecorded += it.Untold
			unreadable := false
			doc, err := readItem(ctx, readers[it.Source], sources[it.Source], it)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			reject := commonplace.RejectOf(err)
			switch {
			case err != nil && reject == nil: // no fault of the document: it may be there tomorrow
				return err
			case reject != nil:
				// What is as it was listed gives the same tomorrow; this may not.
				o.InputChanged = o.InputChanged || reject.Reason == files.ReasonChanged || reject.Reason == files.ReasonUnreadable && it.sum() != ""
				was, there, err := before.keeps(it, *reject)
				if err != nil {
					return err
				}
				if there {
					runner.Log(ctx).Warn("kept as it was", "document", it.ID.String(), "reason", reject.Reason, "detail", reject.Detail)
					doc, unreadable = describedNow(was, sources[it.Source], it), true
					break
				}
				// The path is this machine's: the row names the source and the place in it.
				reject.Location = it.Source + ": " + it.Rel
				o.Reject(*reject)
				continue
			}
			if o.Taken > 0 && doc.ID == last {
				return fmt.Errorf("two documents are called %q; this is a fault of the program", doc.ID)
			}
			last = doc.ID
			if left.out(&doc, sources[it.Source].Where) {
				continue
			}
			if unreadable {
				o.Count(engine.Unreadable, 1)
			}
			if err := o.Put(doc); err != nil {
				return err
			}
			if isUndated(&doc) {
				o.Count(undated+doc.Source, 1)
			}
			o.Taken++
		}
		return nil
	})
}

// openSources gives each source of a task's items its reader.
func openSources(sources map[string]config.Source, list []item) map[string]reader {
	bySource := map[string][]item{}
	for _, it := range list {
		if it.Duplicate == "" && it.Reject == nil {
			bySource[it.Source] = append(bySource[it.Source], it)
		}
	}
	readers := map[string]reader{}
	for name, items := range bySource {
		s := sources[name]
		if items[0].Fetched {
			readers[name] = answerReader(kinds[s.Kind].remote, s)
			continue
		}
		readers[name] = kinds[s.Kind].local.open(s, items)
	}
	return readers
}

// readItem reads one document and gives it what the source says of all of them.
func readItem(ctx context.Context, r reader, s config.Source, it item) (commonplace.Document, error) {
	switch {
	case it.Reject != nil:
		return commonplace.Document{}, &commonplace.RejectError{Reject: *it.Reject}
	case it.Duplicate != "":
		return commonplace.Document{}, refusal(it.ID.String(), "duplicate id", it.Duplicate+" has this id already")
	}
	doc, err := r.read(ctx, it)
	if err != nil {
		return doc, err
	}
	if doc.ID != it.ID.String() {
		return doc, refusal(it.ID.String(), files.ReasonChanged, fmt.Sprintf("it was listed under this id and says now that it is %q; run again", doc.ID))
	}
	if err := files.CheckStructure(doc, s.Limits); err != nil {
		return doc, err
	}
	it.Said.Apply(&doc)
	doc.Source, doc.Role = s.Name, s.Role
	doc.Rights = cmp.Or(doc.Rights, s.Rights)
	setLanguage(&doc, s)
	doc.KnownWords = quality.KnownWords(doc.Text)
	return doc, nil
}
