package quotes

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/ingest"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Spans checks the spans that files give against the documents.
type Spans struct{}

func (Spans) Identity() engine.Identity {
	return engine.Identity{
		Name: "spans", Table: "spans", Revision: 2,
		Short:   "read files of quoted spans",
		Unit:    "spans",
		Guarded: true,
	}
}

func (Spans) Enabled(c *config.Config) bool { return len(c.Spans) > 0 }

func (Spans) Settings(c *config.Config) any { return spanSettings(c) }

func (Spans) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	return listSpans(ctx, p.Config)
}

func (Spans) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.SameShard("documents")}, nil
}

// spanSettings are the files by name, as [sourceSettings].
func spanSettings(c *config.Config) any {
	byName := map[string]config.SpanFile{}
	for _, s := range c.Spans {
		byName[s.Name] = s
	}
	return byName
}

// listSpans hashes the files.
func listSpans(ctx context.Context, c *config.Config) (engine.External, error) {
	var list []listFrom
	var contents strings.Builder
	parts := engine.Parts{}
	for i, s := range c.Spans {
		l := listFrom{Source: s.Name, Path: s.Path, Rel: filepath.Base(s.Path), SHA256: ingest.HashFile(ctx, s.Path)}
		if l.SHA256 == "" {
			return engine.External{}, fmt.Errorf("%w: %s: spans[%d].path is %q, which cannot be read; a path is relative to the config file", config.ErrInvalid, c.File(), i, s.Path)
		}
		list = append(list, l)
		fmt.Fprintf(&contents, "%q %q %s\n", l.Source, l.Rel, l.SHA256)
		parts.Add("file of spans", l.Source, l.Rel, l.SHA256)
	}
	return engine.External{
		Count: func(ctx context.Context) (map[string]int64, error) {
			count := map[string]int64{}
			for i, l := range list {
				read, err := readSpans(ctx, l, c.Spans[i])
				if err != nil {
					return nil, err
				}
				count[l.Source] = int64(len(read.Spans) + len(read.Rejects))
			}
			return count, nil
		},
		Version:  storage.Key(contents.String(), spanSettings(c)),
		Contents: func(int, int) string { return contents.String() },
		Parts:    parts,
		Extra:    func(int, int) json.RawMessage { return storage.MustJSON(list) },
	}, nil
}

// readSpans reads a file, which has to be as it was listed and whole.
func readSpans(ctx context.Context, l listFrom, s config.SpanFile) (files.Spans, error) {
	read, err := files.ReadSpans(ctx, l.Path, s.Columns, s.Limits)
	if err != nil {
		return read, fmt.Errorf("%w; nothing is taken of a file that breaks off", err)
	}
	if read.SHA256 != l.SHA256 {
		return read, engine.Changed(l.Path)
	}
	for i := range read.Rejects {
		r := &read.Rejects[i]
		r.Location = l.Source + ": " + l.Rel + strings.TrimPrefix(r.Location, l.Path)
	}
	return read, nil
}

// givenSpans are all spans of a run's files, by the shard of their document, and
// what is none: rejects of the first shard.
type givenSpans struct {
	byShard [][]commonplace.GivenSpan
	rejects []commonplace.Reject
}

var lastGiven worker.Memo[givenSpans]

func readGiven(ctx context.Context, t engine.Task) (givenSpans, error) {
	return lastGiven.Get(ctx, string(t.Extra)+string(t.Settings)+fmt.Sprint(t.Of), func() (givenSpans, error) {
		all := givenSpans{byShard: make([][]commonplace.GivenSpan, t.Of)}
		var settings map[string]config.SpanFile
		if err := t.Decode(&settings); err != nil {
			return all, err
		}
		var list []listFrom
		if err := json.Unmarshal(t.Extra, &list); err != nil {
			return all, err
		}
		for _, l := range list {
			read, err := readSpans(ctx, l, settings[l.Source])
			if err != nil {
				return all, err
			}
			for _, s := range read.Spans {
				s.Source = l.Source
				k := table.ShardOf(s.DocID, t.Of)
				all.byShard[k] = append(all.byShard[k], s)
			}
			all.rejects = append(all.rejects, read.Rejects...)
		}
		for _, spans := range all.byShard {
			slices.SortStableFunc(spans, func(a, b commonplace.GivenSpan) int { return strings.Compare(a.DocID, b.DocID) })
		}
		return all, nil
	})
}

func (Spans) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	all, err := readGiven(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Spans, func(o *engine.Output[commonplace.GivenSpan]) error {
		if t.Shard == 0 {
			for _, r := range all.rejects {
				o.In++
				o.Reject(r)
			}
		}
		refuse := func(s commonplace.GivenSpan, reason, detail string) {
			o.Reject(commonplace.Reject{ID: s.DocID, Reason: reason, Detail: detail, Location: fmt.Sprintf("%s: line %d", s.Source, s.Line)})
		}
		left := all.byShard[t.Shard]
		o.In += int64(len(left))
		for doc, err := range table.Documents.Rows(ctx, t.Path("documents"), "doc_id", "text", "characters") {
			if err != nil {
				return err
			}
			for len(left) > 0 && left[0].DocID < doc.ID {
				refuse(left[0], "no such document", "no document of the run has this id")
				left = left[1:]
			}
			n := 0
			for n < len(left) && left[n].DocID == doc.ID {
				n++
			}
			rows := checkGiven(doc, left[:n], refuse)
			left = left[n:]
			for _, s := range rows {
				o.Taken++
				if err := o.Put(s); err != nil {
					return err
				}
			}
		}
		for _, s := range left {
			refuse(s, "no such document", "no document of the run has this id")
		}
		return nil
	})
}

// checkGiven are the spans that lie in their document, in the order of the table,
// with the text that is there.
func checkGiven(doc commonplace.Document, spans []commonplace.GivenSpan, refuse func(s commonplace.GivenSpan, reason, detail string)) (rows []commonplace.GivenSpan) {
	if len(spans) == 0 {
		return nil
	}
	offsets := commonplace.NewOffsets(doc.Text)
	for _, s := range spans {
		if s.Begin < 0 || s.End <= s.Begin || s.End > int64(offsets.Len()) {
			refuse(s, "bad span", fmt.Sprintf("[%d:%d] of a text of %d code points", s.Begin, s.End, offsets.Len()))
			continue
		}
		text := doc.Text[offsets.Byte(int(s.Begin)):offsets.Byte(int(s.End))]
		if s.Text != "" && s.Text != text {
			refuse(s, "other text", fmt.Sprintf("the document has %q at [%d:%d]", text, s.Begin, s.End))
			continue
		}
		s.Text = text
		rows = append(rows, s)
	}
	slices.SortFunc(rows, func(a, b commonplace.GivenSpan) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.End, b.End), strings.Compare(a.Source, b.Source), cmp.Compare(a.Line, b.Line))
	})
	return rows
}
