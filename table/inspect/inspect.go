package inspect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Selection says which rows and columns [Rows] gives.
type Selection struct {
	DocID   string               // only this document's rows (quotes: this quote's); one shard is read
	Columns []string             // only these columns; all when empty
	Where   func(table.Row) bool // only rows for which it is true; see [ParseWhere]
	Sort    string               // by this column, or -column from the greatest on; empty: as they lie
	Offset  int64                // rows to leave out first
	Limit   int64                // rows at most; 0: all
}

// Rows yields rows of a committed table in the order of its shards, for
// printing. table.Rejects are also shown of stages that did not finish.
func Rows(ctx context.Context, files storage.FileSystem, run, name string, s Selection) iter.Seq2[table.Row, error] {
	if s.Sort != "" {
		return sorted(ctx, files, run, name, s)
	}
	return func(yield func(table.Row, error) bool) {
		t, ok := table.Named(name)
		if !ok {
			yield(nil, fmt.Errorf("there is no table %q; there are %s", name, strings.Join(names(), ", ")))
			return
		}
		paths, err := shardsToInspect(ctx, files, run, name, s.DocID)
		if err != nil {
			yield(nil, err)
			return
		}
		if shard := t.Describe().Shard; s.DocID != "" && shard == "" {
			yield(nil, fmt.Errorf("table %s has no documents to choose by", name))
			return
		}
		read, keep := s.columns(t.Describe())
		skip, left := s.Offset, s.Limit
		for _, path := range paths {
			for row, err := range t.Cells(ctx, files, path, read) {
				if err != nil {
					yield(nil, err)
					return
				}
				if s.DocID != "" {
					id, _ := row.Get(t.Describe().Shard).(string)
					if id > s.DocID {
						break
					}
					if id != s.DocID {
						continue
					}
				}
				if s.Where != nil && !s.Where(row) {
					continue
				}
				if skip > 0 {
					skip--
					continue
				}
				if !yield(keep(row), nil) {
					return
				}
				if left--; left == 0 {
					return
				}
			}
		}
	}
}

func names() []string {
	var names []string
	for _, t := range table.All() {
		names = append(names, t.Describe().Name)
	}
	return names
}

func shardsToInspect(ctx context.Context, files storage.FileSystem, run, name, docID string) ([]string, error) {
	if name == table.Rejects.Name {
		return rejectShards(ctx, files, run)
	}
	c, err := table.ReadCommit(ctx, files, run, name)
	if errors.Is(err, table.ErrNoRecord) {
		if _, err := table.Whole(ctx, files, run); errors.Is(err, table.ErrNotWhole) {
			return nil, fmt.Errorf("table %s has %w: %w", name, table.ErrNoRecord, err)
		}
		return nil, fmt.Errorf("%s: table %s has %w; run `commonplace build` with a config that asks for it", table.Home(run), name, table.ErrNoRecord)
	}
	if err != nil {
		return nil, err
	}
	paths := c.ShardPaths(run)
	if docID != "" && len(paths) > 0 {
		k := table.ShardOf(docID, len(paths))
		paths = paths[k : k+1]
	}
	return paths, nil
}

// rejectShards are the rejects of all stages. They are shown without a commit
// record, since too many of them are why there is none.
func rejectShards(ctx context.Context, files storage.FileSystem, run string) ([]string, error) {
	dir := storage.Join(run, table.Rejects.Name)
	stages, err := files.List(ctx, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, table.ErrNoRecord)
	}
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", dir, err)
	}
	var paths []string
	for _, stage := range stages {
		names, err := files.List(ctx, storage.Join(dir, stage))
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", storage.Join(dir, stage), err)
		}
		for _, n := range names {
			if _, _, ok := table.ParseShardName(n); ok {
				paths = append(paths, storage.Join(dir, stage, n))
			}
		}
	}
	return paths, nil
}

// columns are those to read, and what to keep of a row that has them. A
// condition may look at any column, so with one all are read.
func (s Selection) columns(d table.Description) (read []string, keep func(table.Row) table.Row) {
	all := func(r table.Row) table.Row { return r }
	if len(s.Columns) == 0 {
		return nil, all
	}
	if s.Where == nil {
		read = slices.Clone(s.Columns)
		if s.DocID != "" && !slices.Contains(read, d.Shard) {
			read = append(read, d.Shard)
		}
	}
	return read, func(r table.Row) table.Row {
		return slices.DeleteFunc(r, func(c table.Cell) bool { return !slices.Contains(s.Columns, c.Column) })
	}
}
