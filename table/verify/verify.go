package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/check"
)

// Problem is one thing that is not as its commit record or its table's
// description says.
type Problem struct {
	Table string
	File  string // shard, relative to the run's folder; empty when it concerns the table
	Row   string // key of the row; empty when it concerns the file
	Say   string
}

// String is one line: table, file, row, what.
func (p Problem) String() string {
	parts := []string{p.Table}
	if p.File != "" {
		parts = append(parts, p.File)
	}
	if p.Row != "" {
		parts = append(parts, "row ("+p.Row+")")
	}
	return strings.Join(append(parts, p.Say), ": ")
}

// Summary is what [Tables] read.
type Summary struct {
	OtherFormat int // of the problems, shards that are as they were written, by another release

	Tables, Shards  int
	Rows, Bytes     int64
	Spans, Problems int64 // spans compared with their text
}

// Tables recomputes what a run's commit records claim: SHA-256, size and rows
// of every shard, that no shard is missing and no file unknown, columns, order,
// unique keys, the shard that each row belongs to, and for every span that it
// is what its document has between its offsets. Every problem goes to report.
// Memory is bounded by the largest document and [textBatch], not by the
// corpus. The error is of the folder itself; problems are none.
func Tables(ctx context.Context, files storage.FileSystem, run string, report func(Problem)) (Summary, error) {
	if _, err := files.List(ctx, run); err != nil {
		return Summary{}, fmt.Errorf("list %s: %w", run, err)
	}
	v := &verifier{ctx: ctx, files: files, run: run, report: report, commits: map[string]table.Commit{}, bad: map[string]bool{}}
	for _, t := range table.All() {
		if name := t.Describe().Name; name != table.Rejects.Name {
			v.table(name)
		}
	}
	v.rejects()
	v.inputs()
	for _, t := range table.All() {
		name := t.Describe().Name
		c := v.commits[name]
		checked := t.Checked(v.files, c.Config)
		for _, s := range c.Shards {
			v.rows(name, filepath.Join(c.Folder(), s.File), s, checked)
		}
	}
	v.elsewhere()
	return v.sum, ctx.Err()
}

type verifier struct {
	ctx     context.Context // of the call of Verify
	files   storage.FileSystem
	run     string
	report  func(Problem)
	commits map[string]table.Commit
	bad     map[string]bool // paths of shards that are missing or not what was written
	torn    bool            // a table has no commit record, so the stage that writes it is unknown
	sum     Summary
}

func (v *verifier) problem(name, file, row, format string, args ...any) {
	if v.ctx.Err() != nil {
		return // what could not be read any more is no problem
	}
	v.sum.Problems++
	v.report(Problem{name, file, row, fmt.Sprintf(format, args...)})
}

// table compares a table's folder with its commit record.
func (v *verifier) table(name string) {
	if _, err := v.files.List(v.ctx, table.Dir(v.run, name)); errors.Is(err, fs.ErrNotExist) {
		return
	}
	c, err := table.ReadCommit(v.ctx, v.files, v.run, name)
	var names []string
	if err == nil {
		names, err = v.files.List(v.ctx, storage.Join(v.run, c.Folder()))
	}
	if err != nil {
		v.torn = true
		if errors.Is(err, table.ErrNoRecord) {
			err = fmt.Errorf("%w: the table is not whole; build it again", err)
		}
		v.problem(name, "", "", "%v", err)
		return
	}
	v.commits[name] = c
	v.sum.Tables++
	rows := int64(0)
	for i, s := range c.Shards {
		if s.File != table.ShardName(i, len(c.Shards)) {
			v.problem(name, "", "", "the commit record has %q in place %d of %d", s.File, i, len(c.Shards))
		}
		v.shard(name, filepath.Join(c.Folder(), s.File), s)
		rows += s.Rows
	}
	if rows != c.Rows {
		v.problem(name, "", "", "the commit record says %d rows, its shards have %d", c.Rows, rows)
	}
	v.unexpected(name, c.Folder(), names, c.Files())
}

// unexpected reports files that no record names. A query over *.parquet would
// take them for rows of the table.
func (v *verifier) unexpected(name, dir string, names []string, expected map[string]bool) {
	for _, n := range names {
		if !expected[n] {
			v.problem(name, storage.Join(dir, n), "", "is not in the commit record; remove it")
		}
	}
}

// shard recomputes a file's size and hash.
func (v *verifier) shard(name, file string, want table.ShardRecord) {
	v.sum.Shards++
	path := storage.Join(v.run, file)
	fail := func(format string, args ...any) {
		v.bad[path] = true
		v.problem(name, file, "", format, args...)
	}
	f, err := v.files.Open(v.ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		fail("is missing")
		return
	}
	if err != nil {
		fail("%v", err)
		return
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, storage.NewReader(v.ctx, f))
	v.sum.Bytes += n
	switch {
	case err != nil:
		fail("%v", err)
	case n != want.Bytes:
		fail("has %d bytes, its record says %d", n, want.Bytes)
	case hex.EncodeToString(h.Sum(nil)) != want.SHA256:
		fail("is not what was written: its SHA-256 is another than its record's")
	}
}

// rows reads a shard's rows: as many as the record says, and each as its table is
// described.
func (v *verifier) rows(name, file string, want table.ShardRecord, checked table.Checked) {
	path := storage.Join(v.run, file)
	if v.bad[path] {
		return // reported already; its rows would only echo it
	}
	texts := newTexts(v)
	defer texts.close()
	c := v.row(name, file)
	c.Text = texts.of
	n, whole := checked.Shard(v.ctx, path, want.File, c)
	v.sum.Spans += c.Spans
	if !whole {
		if c.OtherFormat {
			v.sum.OtherFormat++
		}
		return
	}
	v.sum.Rows += n
	c.Hold(n == want.Rows, "has %d rows, its record says %d", n, want.Rows)
}

// row is what the rows of a shard are checked with.
func (v *verifier) row(name, file string) *check.Row {
	return &check.Row{Report: func(row, problem string) { v.problem(name, file, row, "%s", problem) }}
}

// rejects compares the folders of what stages rejected with the commit records of
// the tables that these stages wrote.
func (v *verifier) rejects() {
	checked := table.Rejects.Checked(v.files, nil)
	expected := map[string]map[string]bool{}
	for _, t := range table.All() {
		c, ok := v.commits[t.Describe().Name]
		if !ok {
			continue
		}
		if expected[c.Stage] == nil {
			expected[c.Stage] = map[string]bool{}
		}
		rejected := int64(0)
		for _, s := range c.Rejects {
			file := filepath.Join("rejects", c.Stage, s.File)
			if expected[c.Stage][s.File] {
				v.problem("rejects", file, "", "two tables of stage %s name it", c.Stage)
				continue
			}
			expected[c.Stage][s.File] = true
			v.shard("rejects", file, s)
			rejected += s.Rows
			v.rows("rejects", file, s, checked)
		}
		if rejected+c.Untold != c.Rejected {
			v.problem(c.Table, "", "", "the commit record says %d rejects with a row, their shards have %d", c.Rejected-c.Untold, rejected)
		}
	}
	stages, _ := v.files.List(v.ctx, storage.Join(v.run, "rejects"))
	for _, stage := range stages {
		if expected[stage] == nil && v.torn {
			continue // it may be the stage of the table that is not whole
		}
		names, err := v.files.List(v.ctx, table.RejectsDir(v.run, stage))
		if err != nil {
			v.problem("rejects", filepath.Join("rejects", stage), "", "%v", err)
			continue
		}
		v.unexpected("rejects", filepath.Join("rejects", stage), names, expected[stage])
	}
}

// inputs reports where a table was made from another version of a table that lies
// beside it.
func (v *verifier) inputs() {
	for _, t := range table.All() {
		if in := table.Outdated(v.commits, t.Describe().Name); in != "" {
			v.problem(t.Describe().Name, "", "", "was made from another version of %s: `commonplace build` makes it again, or removes it where the config has no use for it", in)
		}
	}
}
