package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/commonplace/commonplace/storage"
)

// Forget removes all nights but the current one.
func (n *Night) Forget(ctx context.Context) error { return n.dropBeyond(ctx, 0, 0) }

// dropBeyond removes the nights that need not be kept, but for so many of the latest.
func (n *Night) dropBeyond(ctx context.Context, keep, spare int) error {
	if n.current == n.run { // of an earlier version
		return nil
	}
	all, err := nights(ctx, n.run)
	if err != nil {
		return err
	}
	dirs := n.spare(all, keep)
	if spare > 0 { // what was rolled back goes with the next build that makes something
		dirs = slices.DeleteFunc(dirs, func(dir string) bool { return all[dir].State == nightWhole && all[dir].Number > n.record.Number })
	}
	for _, dir := range dirs[:max(0, len(dirs)-spare)] {
		if err := removeNight(ctx, dir, all[dir]); err != nil {
			return fmt.Errorf("remove the version %s, which is not kept: %w", dir, err)
		}
	}
	return nil
}

// removeNight removes a night's files by their names. From the first step on it is none
// that readers can get.
func removeNight(ctx context.Context, dir string, r nightRecord) error {
	r.State = nightPreparing
	if err := writeNight(ctx, dir, r); err != nil {
		return err
	}
	for _, name := range nightNames() {
		if err := removeFormer(ctx, dir, name, name); err != nil {
			return err
		}
	}
	if err := Clean(ctx, storage.Default, dir); err != nil {
		return err
	}
	left, err := storage.List(ctx, dir)
	if err != nil || len(left) > 1 { // somebody's own files
		return err
	}
	if err := storage.Remove(ctx, storage.Join(dir, nightFile)); err != nil {
		return err
	}
	return storage.Wrap("remove", dir, storage.Default.RemoveEmpty(ctx, dir))
}

// pinFile says that no build may change what readers get.
const pinFile = "pinned.json"

// Kept is a night that a run keeps.
type Kept struct {
	Number  int
	Dir     string
	Current bool
}

// KeptNights are the whole nights of a run, the latest first.
func KeptNights(ctx context.Context, run string) ([]Kept, error) {
	current, err := Current(ctx, run)
	if err != nil {
		return nil, err
	}
	all, err := nights(ctx, run)
	var kept []Kept
	for dir, r := range all {
		if r.State == nightWhole || dir == current {
			kept = append(kept, Kept{r.Number, dir, dir == current})
		}
	}
	slices.SortFunc(kept, func(a, b Kept) int { return b.Number - a.Number })
	return kept, err
}

// TurnTo makes a kept night the one that readers get, in one step.
func TurnTo(ctx context.Context, run string, to Kept) error {
	n := &Night{run: run}
	if err := n.makeCurrent(ctx, to.Dir); err != nil {
		return err
	}
	return n.expose(ctx)
}

// Pinned is the number of the night that a run is pinned to.
func Pinned(ctx context.Context, run string) (night int, pinned bool, err error) {
	b, err := storage.ReadFile(ctx, storage.Join(run, pinFile))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	var p struct{ Night int }
	if err == nil {
		_ = json.Unmarshal(b, &p) // a file that says nothing pins, too
	}
	return p.Night, err == nil, err
}

// Pin lets no build change what readers get, until Unpin.
func Pin(ctx context.Context, run string, night int) error {
	return storage.WriteFile(ctx, storage.Join(run, pinFile), fmt.Appendf(nil, "{\"night\": %d}\n", night))
}

// Repin pins a pinned run to the night that readers get now.
func (n *Night) Repin(ctx context.Context) error {
	number, pinned, err := Pinned(ctx, n.run)
	if err != nil || !pinned || number == n.record.Number {
		return err
	}
	return Pin(ctx, n.run, n.record.Number)
}

// Unpin lets builds change what readers get.
func Unpin(ctx context.Context, run string) error {
	return storage.Remove(ctx, storage.Join(run, pinFile))
}

// Before is the commit record of a table in the latest version of the run before that of
// dir in which its rows are others, and that version's folder. It is [ErrNoRecord] where
// no such version is kept. c is the record in dir.
func Before(ctx context.Context, dir string, c Commit) (Commit, string, error) {
	run := Home(dir)
	if dir == run {
		var err error
		if dir, err = Current(ctx, run); err != nil {
			return Commit{}, "", err
		}
	}
	if dir == run && c.Table == versionedBefore { // of version 0.1.0
		was, err := readEarlierVersion(ctx, storage.Default, run, c.Table, previousVersion)
		return was, run, err
	}
	is, err := readNight(ctx, dir)
	if err != nil {
		return Commit{}, "", err
	}
	last := is.Number - 1
	if is.State == nightNext { // what was rolled back does not come before it
		last = is.From
	}
	kept, err := KeptNights(ctx, run)
	for _, k := range kept {
		if k.Number > last {
			continue
		}
		was, err := ReadCommit(ctx, storage.Default, k.Dir, c.Table)
		if err != nil && !errors.Is(err, ErrNoRecord) || err == nil && was.Fingerprint() != c.Fingerprint() {
			return was, k.Dir, err
		}
	}
	return Commit{}, "", errors.Join(err, fmt.Errorf("%s: %w of another version of %s", run, ErrNoRecord, c.Table))
}
