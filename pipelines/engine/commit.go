package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// commit makes the table count as whole: in = taken + left out + rejected holds, no more was
// refused than allowed, and files of an earlier cut are gone.
func (f *commitment) commit(ctx context.Context, records []table.TaskRecord) error {
	s, err := stageNamed(f.Stage)
	if err != nil {
		return err
	}
	var inputs map[string]string
	if err := json.Unmarshal([]byte(f.Inputs), &inputs); err != nil {
		return fmt.Errorf("%s: inputs: %w", s.Name, err)
	}
	c, err := table.NewCommit(f.Table, s.Name, s.Revision, json.RawMessage(f.Settings), inputs, records)
	if err != nil {
		return err
	}
	in, taken, left := c.In[s.Unit], c.Counts[taken], c.Counts[LeftOut]
	if lost := in - taken - left - c.Rejected; lost != 0 {
		return fmt.Errorf("%s: %d %s in, %d taken, %d left out and %d rejected: %d are lost; this is a fault of the program", s.Name, in, s.Unit, taken, left, c.Rejected, lost)
	}
	if float64(c.Rejected) > f.MaxRejectFraction*float64(in) {
		shown := f.Out // where the rejects are: readers of the run get those of the night before
		if current, err := table.Current(ctx, table.Home(f.Out)); err == nil && current == f.Out {
			shown = table.Home(f.Out)
		}
		named, err := firstRejects(ctx, f.Out, c)
		if err != nil {
			return err
		}
		return fmt.Errorf("%s: %w: %d of %d %s, more than max_reject_fraction %v: %s; see `commonplace inspect rejects --out %s`",
			s.Name, ErrRejects, c.Rejected, in, s.Unit, f.MaxRejectFraction, named, commonplace.ShellWord(shown))
	}
	for _, dir := range []string{table.Dir(f.Out, f.Table), table.RecordsDir(f.Out, f.Table), table.RejectsDir(f.Out, s.Name)} {
		if err := removeOthers(ctx, dir, len(records)); err != nil {
			return err
		}
	}
	if err := s.removeFormerRejects(ctx, f.Out); err != nil {
		return err
	}
	if c.Checks, err = s.check(ctx, f.Out, c); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	return table.WriteCommit(ctx, storage.Default, f.Out, c)
}

// mostNamed is how many rejects a message names.
const mostNamed = 3

// firstRejects says in words what a stage refused first.
func firstRejects(ctx context.Context, out string, c table.Commit) (string, error) {
	var named []string
	for _, shard := range c.Rejects {
		for r, err := range table.Rejects.Rows(ctx, storage.Join(table.RejectsDir(out, c.Stage), shard.File), "id", "location", "reason") {
			if err != nil {
				return "", err
			}
			if len(named) == mostNamed {
				return strings.Join(named, ", ") + ", ...", nil
			}
			named = append(named, fmt.Sprintf("%s (%s)", cmp.Or(r.Location, r.ID), r.Reason))
		}
	}
	return strings.Join(named, ", "), nil
}

// removeOthers deletes shards of another number of shards, or their records, which an
// earlier run left.
func removeOthers(ctx context.Context, dir string, of int) error {
	names, err := storage.List(ctx, dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		k, n, ok := table.ParseShardName(trimRecord(name))
		if ok && (n != of || k >= of) {
			if err := storage.Remove(ctx, storage.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// trimRecord is the shard's name of a shard's or a record's file.
func trimRecord(name string) string {
	if filepath.Ext(name) == ".json" {
		return name[:len(name)-len(".json")] + ".parquet"
	}
	return name
}
