package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// A mount that is gone looks like a library that shrank. So what a build finds is
// counted before anything is written, and compared with what the build before it
// found: where more is gone than the config allows, nothing is changed, and the
// tables of the night before stay whole for their readers.

// ErrLoss marks a build that was refused because too much is gone.
var ErrLoss = errors.New("too much is gone")

// guardFile holds what the last build found.
const guardFile = "guard.json"

// findings are what a build found, by the table that it is for.
type findings map[string]finding

// finding is how much there is of each source or list.
type finding struct {
	Of    string           `json:"of,omitempty"` // hash of what was counted: the same has the same numbers
	Count map[string]int64 `json:"count"`

	Accepted bool `json:"accepted,omitempty"` // by the user, in a build that has not finished
}

// readFindings reads what the last build found. A folder without a file of them
// has what its commit records say.
func readFindings(ctx context.Context, out string) (findings, error) {
	path := storage.Join(out, guardFile)
	b, err := storage.ReadFile(ctx, path)
	f := findings{}
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case json.Unmarshal(b, &f) != nil || f == nil:
		return nil, config.Refusef("%s does not say what the build before this one found; remove it to go on without", path)
	default:
		return f, nil
	}
	for _, s := range stages {
		if !s.Guarded {
			continue
		}
		if c, err := table.ReadCommit(ctx, storage.Default, out, s.Table); err == nil { // else there is nothing to lose
			f[s.Table] = finding{Count: map[string]int64{"": c.In[s.Unit]}}
		}
	}
	return f, nil
}

// baseline is what is compared with: what the night that readers get was made from,
// also where a later build found less and did not finish; and what was accepted since.
func (f findings) baseline(ctx context.Context, out string) (findings, error) {
	current, err := table.Current(ctx, table.Home(out))
	if err != nil || current == out {
		return f, err
	}
	base, err := readFindings(ctx, current)
	for name, now := range f {
		if now.Accepted {
			base[name] = now
		}
	}
	return base, err
}

// forgetAccepted ends what was accepted for one build.
func forgetAccepted(ctx context.Context, out string) error {
	f, err := readFindings(ctx, out)
	changed := false
	for name, now := range f {
		if now.Accepted {
			now.Accepted, changed = false, true
			f[name] = now
		}
	}
	if err != nil || !changed {
		return err
	}
	return f.write(ctx, out)
}

// keep writes what was found of a table, if it is new.
func (f findings) keep(ctx context.Context, out, name string, now finding) error {
	if was, ok := f[name]; ok && was.Of == now.Of && maps.Equal(was.Count, now.Count) {
		return nil
	}
	f[name] = now
	return f.write(ctx, out)
}

func (f findings) write(ctx context.Context, out string) error {
	b, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return storage.WriteFile(ctx, storage.Join(out, guardFile), append(b, '\n'))
}

// gone says what is gone that a limit does not allow, or nothing. A source that
// the config no longer names is no loss. One of anything may always go.
func gone(before, now map[string]int64, limit float64) string {
	var parts []string
	var had, has int64
	judge := func(what string, had, has int64) bool {
		lost := had - has
		if lost > 1 && float64(lost) > limit*float64(had) || had > 0 && has == 0 {
			parts = append(parts, fmt.Sprintf("%s%d of %d", what, lost, had))
			return true
		}
		return false
	}
	if total, ok := before[""]; ok { // as old folders have it
		for _, n := range now {
			has += n
		}
		judge("", total, has)
		return strings.Join(parts, ", ")
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if n, named := now[name]; named {
			had, has = had+before[name], has+n
			judge(name+": ", before[name], n)
		}
	}
	if len(parts) == 0 {
		judge("", had, has)
	}
	return strings.Join(parts, ", ")
}

// guard checks what is found for a stage against what the last build found, and
// gives what is to be kept of it once the stage is done. It is [ErrLoss] where
// too much is gone and --accept-loss was not given.
func guard(ctx context.Context, r Request, s *registered, ext External) (*finding, error) {
	if ext.Count == nil {
		return nil, nil
	}
	f, err := readFindings(ctx, r.Config.Out)
	if err != nil {
		return nil, err
	}
	base, err := f.baseline(ctx, r.Config.Out)
	if err != nil {
		return nil, err
	}
	now := finding{Of: ext.Version}
	before, known := base[s.Table]
	if known && now.Of != "" && before.Of == now.Of {
		return &before, nil // nothing to count again
	}
	if now.Count, err = ext.Count(ctx); err != nil {
		return nil, err
	}
	key := cmp.Or(ext.CountName, s.Table)
	limit := r.Config.Guard.Limit(key)
	lost := gone(before.Count, now.Count, limit)
	r.record.losses(s.Table, before.Count, now.Count)
	if lost == "" {
		return &now, nil
	}
	if !r.AcceptLoss {
		return nil, fmt.Errorf("%s: %w: %s %s, more than guard.%s %v allows; nothing was changed; see what became of the source, or accept it once with --accept-loss",
			s.Name, ErrLoss, lost, cmp.Or(ext.CountName, s.Unit), key, limit)
	}
	if r.dry {
		return &now, nil
	}
	if _, err := stage(ctx, r); err != nil {
		return nil, err
	}
	for _, s := range stages {
		if s.Rows { // they go with what they were made from
			f[s.Table] = finding{Accepted: true}
		}
	}
	now.Accepted = true
	return &now, f.keep(ctx, r.Config.Out, s.Table, now)
}

// Unreadable counts documents that could be read in the version before, cannot be read
// now, and keep their rows.
const Unreadable = "unreadable"

// guardUnreadable refuses a table of which too much could not be read, and notes the rest.
// Those that readers' version has as unreadable already were accepted with it.
func guardUnreadable(ctx context.Context, r Request, s *registered, c table.Commit) (note string, err error) {
	n, limit := c.Counts[Unreadable], r.Config.Guard.Unreadable
	if n == 0 {
		return "", nil
	}
	night, err := table.Current(ctx, table.Home(r.Config.Out))
	if err != nil {
		return "", err
	}
	accepted := int64(0)
	if was, err := table.ReadCommit(ctx, storage.Default, night, c.Table); err == nil && night != r.Config.Out {
		accepted = was.Counts[Unreadable]
	}
	if n > 1 && n > accepted && float64(n) > limit*float64(c.In[s.Unit]) && !r.AcceptLoss {
		return "", fmt.Errorf("%s: %w: %d of %d %s cannot be read now, more than guard.unreadable %v allows; nothing was changed; see what became of the source, or accept it once with --accept-loss, which keeps them as they were",
			s.Name, ErrLoss, n, c.In[s.Unit], s.Unit, limit)
	}
	return fmt.Sprintf("%d that cannot be read now, and keep the rows of the version before; -v names them", n), nil
}

// guardRows compares how many rows a table has with how many it had, before
// anything is made from it: documents that are all there may have become empty.
func guardRows(ctx context.Context, r Request, s *registered, c table.Commit, rules string) error {
	f, err := readFindings(ctx, r.Config.Out)
	if err != nil {
		return err
	}
	var from []string // sources and lists that the table is made from
	for _, name := range slices.Sorted(maps.Keys(c.Inputs)) {
		from = append(from, slices.Sorted(maps.Keys(f[name].Count))...)
	}
	now := finding{Of: storage.Key(c.Config, from), Count: map[string]int64{c.Table: c.Rows}}
	if rules != "" {
		now.Of = storage.Key(now.Of, rules)
	}
	base, err := f.baseline(ctx, r.Config.Out)
	if err != nil {
		return err
	}
	r.record.losses(c.Table, base[c.Table].Count, now.Count)
	now.Accepted = f[c.Table].Accepted
	if before, ok := base[c.Table]; ok && before.Of == now.Of && !r.AcceptLoss && !now.Accepted && !r.forgotten.Pending { // what is forgotten is no loss
		if limit := r.Config.Guard.Limit(c.Table); limit < 1 && gone(before.Count, now.Count, limit) != "" {
			return fmt.Errorf("%s: %w: %s, more than guard.%s %v allows; nothing was changed; see what became of the documents, or accept it once with --accept-loss",
				s.Name, ErrLoss, gone(before.Count, now.Count, limit), c.Table, limit)
		}
	}
	return f.keep(ctx, r.Config.Out, c.Table, now)
}
