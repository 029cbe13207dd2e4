package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/traces"
	"github.com/commonplace/commonplace/table"
)

// readTables hold what was read, and not what was made from it.
var readTables = []string{table.Documents.Name, table.Quotes.Name, table.Conversations.Name}

// readFiles are the files of these tables that the version of readers consists of, below
// the run. Any other file is no part of the run, whatever folder it is in.
func readFiles(ctx context.Context, run string) (files map[string]string, err error) {
	current, err := table.Current(ctx, run)
	if err != nil {
		return nil, err
	}
	files = map[string]string{}
	for _, name := range readTables {
		c, err := table.ReadCommit(ctx, storage.Default, current, name)
		if errors.Is(err, table.ErrNoRecord) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, file := range c.ShardPaths(current) {
			files[below(run, file)] = name
		}
	}
	return files, nil
}

// below is a file's path below a run's folder.
func below(run, file string) string {
	if rel, err := filepath.Rel(run, file); err == nil && !storage.Remote(run) {
		return filepath.ToSlash(rel)
	}
	return strings.TrimPrefix(strings.TrimPrefix(file, storage.Join(run)), "/")
}

// searchRun searches every byte of a run's folder. What other documents or lists have,
// too, is not left of the forgotten ones: these pieces are what it gives.
func searchRun(ctx context.Context, c *config.Config, wanted *traces.Wanted, report *ForgetReport) (map[uint64]traces.Seal, error) {
	run := c.Out
	read, err := readFiles(ctx, run)
	if err != nil {
		return nil, err
	}
	shared := &traces.Found{Pieces: map[uint64]traces.Seal{}}
	var found []Trace
	err = storage.Walk(ctx, run, func(file string) error {
		rel := below(run, file)
		if !storage.Remote(run) && (strings.HasPrefix(rel, runner.TempFolder+"/") || rel == ".lock") {
			return nil // this command's own, which goes with it
		}
		f, err := searchFile(ctx, file, rel, wanted)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("search %s: %w", file, err)
		}
		if ours := table.IsRecord(path.Base(rel)) || path.Dir(rel) == outputsFolder; ours && len(f.Names) > 0 {
			b, err := storage.ReadFile(ctx, file)
			if err != nil {
				return err
			}
			f.Names = slices.DeleteFunc(f.Names, func(name string) bool { return rel == table.MarkFile || !named(c, name) && onlyKeys(ctx, b, name) })
		}
		report.Searched.Files++
		report.Searched.Bytes += f.Bytes - f.Unpacked
		report.Searched.Unpacked += f.Unpacked
		report.Searched.Shallow += f.Shallow
		name := read[rel]
		switch {
		case !f.Any():
		case name != "":
			maps.Copy(shared.Pieces, f.Pieces)
			shared.Names = append(shared.Names, f.Names...)
			if len(f.Pieces) > 0 {
				return report.sharers(ctx, name, file, wanted)
			}
		case recordOfRead(rel) && len(f.Pieces) == 0 && len(f.namedBy) == 0: // what it says names files
		default:
			found = append(found, Trace{Path: rel, Names: f.Names, NamedBy: f.namedBy, pieces: f.Pieces})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	report.Shared = len(shared.Pieces)
	for _, t := range found {
		t.Names = slices.DeleteFunc(t.Names, func(name string) bool {
			return slices.Contains(shared.Names, name) && path.Ext(t.Path) != ".json" // which holds no texts
		})
		maps.DeleteFunc(t.pieces, func(piece uint64, _ traces.Seal) bool { _, is := shared.Pieces[piece]; return is })
		t.Pieces = len(t.pieces)
		if t.Pieces > 0 || len(t.Names) > 0 || len(t.NamedBy) > 0 {
			report.Left = append(report.Left, t)
		}
	}
	return shared.Pieces, nil
}

// searched is what was found in a file.
type searched struct {
	*traces.Found
	namedBy []string // the ids that are in the file's path
}

func (f searched) Any() bool { return f.Found.Any() || len(f.namedBy) > 0 }

// searchFile searches a file and its path below what is searched.
func searchFile(ctx context.Context, file, rel string, wanted *traces.Wanted) (f searched, err error) {
	path, err := wanted.In(ctx, strings.NewReader(rel), int64(len(rel)))
	if err != nil {
		return f, err
	}
	in, err := storage.Default.Open(ctx, file)
	if err != nil {
		return f, err
	}
	defer in.Close()
	found, err := wanted.In(ctx, in, in.Size())
	return searched{found, path.Names}, err
}

// onlyKeys says that a name is nothing but the whole key of some object in a record of ours.
func onlyKeys(ctx context.Context, file []byte, name string) bool {
	whole := unquoted(name) // of a short id, which is looked for as a whole string
	wanted := traces.New()
	wanted.AddName(name)
	in := func(s string) bool {
		if whole != name {
			return s == whole
		}
		found, err := wanted.In(ctx, strings.NewReader(s), int64(len(s)))
		return err != nil || found.Any()
	}
	var inValue func(v any) bool
	inValue = func(v any) bool {
		switch v := v.(type) {
		case string:
			return in(v)
		case []any:
			return slices.ContainsFunc(v, inValue)
		case map[string]any:
			for key, e := range v {
				if key != whole && in(key) || inValue(e) {
					return true
				}
			}
		}
		return false
	}
	var value any
	return json.Unmarshal(file, &value) == nil && !inValue(value)
}

// unquoted is a name without the quotation marks that [namesOf] gives a short one.
func unquoted(name string) string {
	if s, err := strconv.Unquote(name); err == nil {
		return s
	}
	return name
}

// named says that a source or a list of the config has a name, which is a key of settings.
func named(c *config.Config, name string) bool {
	name = unquoted(name)
	return slices.ContainsFunc(c.Sources, func(s config.Source) bool { return s.Name == name }) ||
		slices.ContainsFunc(c.Quotes, func(q config.QuoteList) bool { return q.Name == name })
}

// recordOfRead says whether a file is a record of a table of what was read.
func recordOfRead(rel string) bool {
	parts := strings.Split(rel, "/")
	if len(parts) > 2 && parts[0] == ".nights" {
		parts = parts[2:]
	}
	dir := path.Dir(path.Join(parts...))
	return slices.ContainsFunc(readTables, func(name string) bool { return dir == table.RecordsDir("", name) })
}

// Sharer is a document or a list that has pieces of what was forgotten: it quotes it, or
// is the same text under another name.
type Sharer struct {
	Document string `json:"doc_id,omitempty"`
	List     string `json:"list,omitempty"` // a quote list's name, or conversations
	Pieces   int    `json:"pieces"`
}

// mostSharers is how many of them are named.
const mostSharers = 100

// sharers adds those of a shard of a table.
func (f *ForgetReport) sharers(ctx context.Context, name, shard string, wanted *traces.Wanted) error {
	in := func(text string, pieces map[uint64]traces.Seal) error {
		found, err := wanted.In(ctx, strings.NewReader(text), int64(len(text)))
		if err == nil {
			maps.Copy(pieces, found.Pieces)
		}
		return err
	}
	lists := map[string]map[uint64]traces.Seal{}
	list := func(name, text string) error {
		if lists[name] == nil {
			lists[name] = map[uint64]traces.Seal{}
		}
		return in(text, lists[name])
	}
	var err error
	switch name {
	case table.Documents.Name:
		err = each(table.Documents.Rows(ctx, shard, "doc_id", "text"), func(d commonplace.Document) error {
			pieces := map[uint64]traces.Seal{}
			err := in(d.Text, pieces)
			if len(pieces) > 0 {
				f.Others = append(f.Others, Sharer{Document: d.ID, Pieces: len(pieces)})
			}
			return err
		})
	case table.Quotes.Name:
		err = each(table.Quotes.Rows(ctx, shard, "source", "text"), func(q commonplace.Quote) error { return list(q.Source, q.Text) })
	default:
		err = each(table.Conversations.Rows(ctx, shard), func(c commonplace.Conversation) error {
			return list(name, strings.Join(append(c.Turns, c.Quotation), "\n"))
		})
	}
	for name, pieces := range lists {
		if len(pieces) > 0 {
			f.Others = append(f.Others, Sharer{List: name, Pieces: len(pieces)})
		}
	}
	slices.SortFunc(f.Others, func(a, b Sharer) int {
		return cmp.Or(b.Pieces-a.Pieces, cmp.Compare(a.Document, b.Document), cmp.Compare(a.List, b.List))
	})
	f.Others = f.Others[:min(len(f.Others), mostSharers)]
	return err
}

// each calls do for each row, until one fails.
func each[T any](rows iter.Seq2[T, error], do func(T) error) error {
	for row, err := range rows {
		if err == nil {
			err = do(row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
