package table

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/commonplace/commonplace/storage"
)

// Working is the folder in which the next build of a run would go on: that of a
// build that did not finish, and else the current one.
func Working(ctx context.Context, run string) (string, error) {
	n, err := OpenNight(ctx, run)
	return n.Path, err
}

// Night is the folder in which a build works.
type Night struct {
	Path string // the current night, until [Night.Stage]

	run     string
	current string // folder; run itself in a run of an earlier version
	record  nightRecord
	aside   string // folder of a build that this one does not go on with
	staged  bool
	first   bool
}

// OpenNight finds where a build goes on. It writes nothing.
func OpenNight(ctx context.Context, run string) (*Night, error) {
	n := &Night{run: run}
	var err error
	if n.current, err = Current(ctx, run); err != nil {
		return n, err
	}
	n.Path = n.current
	if n.current == run { // of an earlier version, or new
		n.first, err = empty(ctx, run)
	} else {
		var r nightRecord
		r, err = readNight(ctx, n.current)
		if err == nil && r.State == nightPreparing {
			err = fmt.Errorf("%s: %w: the version that readers get is gone; `commonplace rollback` turns to an earlier one", n.current, storage.ErrDamaged)
		}
		n.record, n.first = r, r.State == nightFirst && !r.earlier()
		n.staged = n.first
	}
	if err != nil {
		return n, err
	}
	all, err := nights(ctx, run) // also of a first build: a link among them is refused
	if n.first {
		return n, err
	}
	for dir, r := range all {
		if dir != n.current && r.State == nightNext && r.From == n.record.Number && !r.earlier() {
			n.Path, n.staged = dir, true
		}
	}
	return n, err
}

// IsFirst says that the run's first build works in the night that readers see.
func (n *Night) IsFirst() bool { return n.first }

// SetAside begins a build at the version that readers get, and not where another one
// stopped. What that one left stays until this one writes.
func (n *Night) SetAside() {
	if n.Path != n.current {
		n.aside, n.Path, n.staged = n.Path, n.current, false
	}
}

// Earlier says that the build would go on in a folder that an earlier release laid out.
// It must not: [Night.Stage] makes a copy as this release lays it out.
func (n *Night) Earlier() bool { return !n.first && !n.staged && n.record.earlier() }

// Resume does what a build that was killed left undone after readers got its night.
func (n *Night) Resume(ctx context.Context) error {
	if n.current == n.run || n.first {
		return nil
	}
	if n.record.State == nightNext {
		if err := n.dropAbandoned(ctx, n.record); err != nil {
			return err
		}
		n.record.State, n.record.From = nightWhole, 0
		if err := writeNight(ctx, n.current, n.record); err != nil {
			return err
		}
	}
	return n.expose(ctx)
}

// empty tells whether a run has no table yet.
func empty(ctx context.Context, run string) (bool, error) {
	for _, t := range All() {
		if begun, err := Begun(ctx, storage.Default, run, t.name()); begun || err != nil {
			return false, err
		}
		if _, err := ReadCommit(ctx, storage.Default, run, t.name()); !errors.Is(err, ErrNoRecord) {
			return false, nil
		}
	}
	return true, nil
}

// Stage makes the folder in which the build may write, if there is none: a copy of the
// current night. So many nights before the current one are kept.
func (n *Night) Stage(ctx context.Context, keep int) error {
	if n.staged {
		return nil
	}
	if err := n.refuseForeign(ctx); err != nil {
		return err
	}
	all, err := nights(ctx, n.run)
	if err != nil {
		return err
	}
	number, last := n.record.Number+1, n.current
	for dir, other := range all { // also those that a rollback left
		if other.Number >= number {
			number, last = other.Number+1, dir
		}
	}
	if number > mostNights { // no reader would believe it
		return fmt.Errorf("%s: %w: this version has the number %d, and no later one can be made; build into another folder", last, storage.ErrRefused, number-1)
	}
	dir := n.free(all, keep)
	if was, there := all[dir]; there && (was.earlier() || n.record.earlier()) {
		if err := removeNight(ctx, dir, was); err != nil {
			return err
		}
	}
	r := nightRecord{Number: number, State: nightFirst, Layout: layout, Partial: n.record.Partial}
	if !n.first {
		r.From, r.State = n.record.Number, nightPreparing
		if err := writeNight(ctx, dir, r); err != nil {
			return err
		}
		if err := mirror(ctx, n.current, dir, n.record.earlier()); err != nil {
			return fmt.Errorf("copy the tables of %s for this build: %w", n.current, err)
		}
		r.State = nightNext
	}
	if err := writeNight(ctx, dir, r); err != nil {
		return err
	}
	if n.first {
		err = n.makeCurrent(ctx, dir)
	}
	n.Path, n.staged = dir, err == nil
	return err
}

// free is a folder for another night: one that need not be kept, or a new one.
func (n *Night) free(all map[string]nightRecord, keep int) string {
	if n.aside != "" {
		return n.aside
	}
	for _, dir := range n.spare(all, keep) {
		return dir
	}
	for k := 0; ; k++ {
		dir := storage.Join(n.run, nightsFolder, strconv.Itoa(k))
		if _, there := all[dir]; !there {
			return dir
		}
	}
}

// spare are the nights that need not be kept, the oldest first: all but the current
// one and so many whole ones before it.
func (n *Night) spare(all map[string]nightRecord, keep int) []string {
	var dirs []string
	for dir := range all {
		if dir != n.current {
			dirs = append(dirs, dir)
		}
	}
	slices.SortFunc(dirs, func(a, b string) int { return all[a].Number - all[b].Number })
	for i := len(dirs) - 1; i >= 0; i-- {
		if r := all[dirs[i]]; keep > 0 && r.State == nightWhole && r.Number < n.record.Number {
			dirs, keep = slices.Delete(dirs, i, i+1), keep-1
		}
	}
	return dirs
}

// Publish gives readers what the build made, in one step, if it made anything. So many
// nights before the new one are kept, and one more, in which the next build works. Where
// it is partial, tables are missing that the config asks for.
func (n *Night) Publish(ctx context.Context, keep int, partial bool) error {
	if err := n.publish(ctx, partial); err != nil {
		return err
	}
	return n.dropBeyond(ctx, keep, 1)
}

func (n *Night) publish(ctx context.Context, partial bool) error {
	partial = partial && (n.first || n.record.Partial)
	if !n.staged {
		if n.record.Partial && !partial { // the config asks for less than before, or the build before died
			n.record.Partial = false
			if err := writeNight(ctx, n.current, n.record); err != nil {
				return err
			}
		}
		return n.expose(ctx)
	}
	r, err := readNight(ctx, n.Path)
	if err != nil {
		return err
	}
	if n.Path != n.current {
		if err := n.makeCurrent(ctx, n.Path); err != nil {
			return err
		}
	}
	if err := n.dropAbandoned(ctx, r); err != nil {
		return err
	}
	r.State, r.From, r.Partial = nightWhole, 0, partial
	if err := writeNight(ctx, n.Path, r); err != nil {
		return err
	}
	n.record, n.current, n.staged = r, n.Path, false
	return n.expose(ctx)
}

// dropAbandoned gives up the nights that a rollback left behind: they come neither
// before nor after the one that was made since.
func (n *Night) dropAbandoned(ctx context.Context, made nightRecord) error {
	all, err := nights(ctx, n.run)
	for dir, r := range all {
		if r.State == nightWhole && r.Number > made.From && r.Number < made.Number {
			r.State = nightPreparing
			err = errors.Join(err, writeNight(ctx, dir, r))
		}
	}
	return err
}

// Show gives the tables of a first build their names in the run's folder, after each
// stage.
func (n *Night) Show(ctx context.Context) error {
	if !n.first || !n.staged {
		return nil
	}
	return n.expose(ctx)
}

func (n *Night) makeCurrent(ctx context.Context, dir string) error {
	link := storage.Join(n.run, currentNight)
	err := storage.Default.Link(ctx, nightsFolder+"/"+path.Base(dir), link)
	if err == nil {
		n.current = dir
	}
	return storage.Wrap("link", link, err)
}
