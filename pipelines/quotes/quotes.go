package quotes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/crawl/quotus"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/ingest"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/sorting"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Quotes reads the lists of quotations. They are one shard: a stage that looks
// for quotes needs them all.
type Quotes struct{}

func (Quotes) Identity() engine.Identity {
	return engine.Identity{
		Name: "quotes", Table: "quotes", Revision: 10,
		Short:   "read the lists of quotations",
		Unit:    "quotes",
		Guarded: true, PerName: true,
		OneShard: true,
	}
}

func (Quotes) Enabled(c *config.Config) bool { return c.HasSources() }

func (Quotes) Settings(c *config.Config) any { return listSettings(c) }

func (Quotes) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	return listQuotes(ctx, p.Config)
}

func (Quotes) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{}, nil
}

// listSettings are the lists by name, as [sourceSettings].
func listSettings(c *config.Config) any {
	byName := map[string]config.QuoteList{}
	for _, q := range c.Quotes {
		byName[q.Name] = q
	}
	return byName
}

// listFrom is where a task finds a list.
type listFrom struct {
	Source string `json:"source"` // name in the settings
	Path   string `json:"path"`
	Rel    string `json:"rel"`
	SHA256 string `json:"sha256"`
}

// listQuotes hashes the lists.
func listQuotes(ctx context.Context, c *config.Config) (engine.External, error) {
	lists, pending := make([]listFrom, len(c.Quotes)), false
	for i, q := range c.Quotes {
		pending = pending || q.Gutenberg > 0 // which the build fetches first
		lists[i] = listFrom{Source: q.Name, Path: q.Path, Rel: filepath.Base(q.Path), SHA256: ingest.HashFile(ctx, q.Path)}
	}
	var contents strings.Builder
	parts := engine.Parts{}
	for i, l := range lists {
		if l.SHA256 == "" && c.Quotes[i].Gutenberg > 0 {
			return engine.External{Pending: true, Contents: func(int, int) string { return "" }, Extra: func(int, int) json.RawMessage { return nil }}, nil
		}
		if l.SHA256 == "" {
			return engine.External{}, fmt.Errorf("%w: %s: quotes[%d].path is %q, which cannot be read; a path is relative to the config file", config.ErrInvalid, c.File(), i, l.Path)
		}
		fmt.Fprintf(&contents, "%q %q %s\n", l.Source, l.Rel, l.SHA256)
		parts.Add("list", l.Source, l.Rel, l.SHA256)
	}
	return engine.External{
		Count: func(ctx context.Context) (map[string]int64, error) {
			count := map[string]int64{}
			for i, l := range lists {
				n, err := CountList(ctx, c.Quotes[i], l.Path)
				if err != nil {
					return nil, err
				}
				count[l.Source] = n
			}
			return count, nil
		},
		Version:  storage.Key(contents.String(), listSettings(c)),
		Contents: func(int, int) string { return contents.String() },
		Parts:    parts,
		Extra:    func(int, int) json.RawMessage { return storage.MustJSON(lists) },
		Pending:  pending,
	}, nil
}

// CountList counts the entries of a list, readable or not.
func CountList(ctx context.Context, s config.QuoteList, path string) (n int64, err error) {
	name, done, err := storage.OnDisk(ctx, path)
	if err != nil {
		return 0, err
	}
	defer done()
	for _, err := range listed(ctx, s, name) {
		if _, err := refusedOf(path, err); err != nil {
			return 0, err
		}
		n++
	}
	return n, ctx.Err()
}

// refusedOf is the reject of an entry. It is an error where a list ends before its
// end: half a list would silently find half of the quotations.
func refusedOf(path string, err error) (*commonplace.Reject, error) {
	if files.BreaksOff(err) || quotus.BreaksOff(err) {
		var disk syscall.Errno
		if errors.As(err, &disk) && disk != syscall.ENOENT {
			err = storage.Mark(err)
		}
		return nil, fmt.Errorf("%s: %w; nothing is taken of a list that breaks off", path, err)
	}
	return commonplace.Refused(err)
}

func (Quotes) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var settings map[string]config.QuoteList
	if err := t.Decode(&settings); err != nil {
		return table.TaskRecord{}, err
	}
	var lists []listFrom
	if err := json.Unmarshal(t.Extra, &lists); err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Quotes, func(o *engine.Output[commonplace.Quote]) (err error) {
		read := quoteOrder{sorting.Sorter{Dir: storage.TempDir(ctx)}}
		defer func() { err = errors.Join(err, read.sorter.Close()) }()
		if err := readLists(ctx, settings, lists, o, &read); err != nil {
			return err
		}
		var first readQuote // of its id
		return read.each(func(q readQuote) error {
			l := lists[q.List]
			if o.Taken > 0 && q.ID == first.ID {
				o.Reject(commonplace.Reject{ID: q.ID, Reason: files.ReasonDuplicate, Location: l.Source + ": " + l.Rel,
					Detail: "the list " + lists[first.List].Source + " has this id already"})
				return nil
			}
			first = q
			o.Taken++
			return o.Put(q.Quote)
		})
	})
}

// listed reads one list in its format.
func listed(ctx context.Context, s config.QuoteList, path string) iter.Seq2[commonplace.Quote, error] {
	if s.Format == config.FormatQuotus {
		return quotus.ReadList(ctx, path, s.Name, s.Limits)
	}
	return files.ReadQuotes(ctx, path, files.QuoteOptions{Source: s.Name, Columns: s.Columns, Limits: s.Limits})
}

// readLists reads all lists. The first quote of an id stays; others are rejected
// when all are in order.
func readLists(ctx context.Context, settings map[string]config.QuoteList, lists []listFrom, o *engine.Output[commonplace.Quote], read *quoteOrder) error {
	for i, l := range lists {
		s := settings[l.Source]
		name, done, err := storage.OnDisk(ctx, l.Path)
		if err != nil {
			return err
		}
		defer done()
		if err := engine.Unchanged(ctx, l.Path, name, l.SHA256); err != nil {
			return err
		}
		refused := engine.NewRejectLimit(s.Limits)
		for q, err := range listed(ctx, s, name) {
			reject, err := refusedOf(l.Path, err)
			if err != nil {
				return err
			}
			o.In++
			if reject != nil && !refused.Add(reject.Reason) {
				continue
			}
			if reject != nil {
				reject.Location = s.Name + ": " + strings.Replace(reject.Location, name, l.Rel, 1)
				o.Reject(*reject)
				continue
			}
			q.Rights = s.Rights
			if err := read.add(readQuote{q, i, int(o.In)}); err != nil {
				return err
			}
		}
		refused.Rest(func(r commonplace.Reject, count int64) {
			r.Location = s.Name + ": " + l.Rel
			o.Reject(r)
			o.Unrecorded += count - 1
		})
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := engine.Unchanged(ctx, l.Path, name, l.SHA256); err != nil {
			return err
		}
	}
	return nil
}

// quoteTable keeps the last table of quotes read in this process.
var quoteTable worker.Memo[[]commonplace.Quote]

// readQuotes are all quotes of a task's inputs, sorted by id.
func readQuotes(ctx context.Context, t engine.Task) ([]commonplace.Quote, error) {
	return quoteTable.Get(ctx, t.InputsKey("quotes"), func() ([]commonplace.Quote, error) {
		var quotes []commonplace.Quote
		for _, path := range t.Paths("quotes") {
			for q, err := range table.Quotes.Rows(ctx, path) {
				if err != nil {
					return nil, err
				}
				quotes = append(quotes, q)
			}
		}
		return quotes, nil
	})
}
