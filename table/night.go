package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"syscall"

	"github.com/commonplace/commonplace/storage"
)

// A run's tables lie in nights. A night is a folder with one version of every table,
// all made from one another, and a link names the one that readers get:
//
//	.nights/0/documents/part-…   .nights/1/documents/part-…
//	.current  -> .nights/1
//	documents -> .current/documents
//
// A build never writes into the night that readers get. It works in another one,
// which begins as a copy: files that are the same are hard links, or in a bucket
// copies that the store makes. When all of the build's stages have passed their checks, the
// link is replaced. So a build that fails, is refused or is killed changes nothing for
// readers, and the next one continues in the folder in which it worked.
//
// Only the first build of all works in the night that is current: there is nothing
// to protect, and its tables can be looked at while it goes on.
const (
	nightsFolder = ".nights"
	currentNight = ".current"
	nightFile    = ".night.json"
)

var nightForm = regexp.MustCompile(`^\.nights/\d{1,9}$`)

// nightStates: what a night is.
const (
	nightFirst     = "first"     // the first build works in it, and readers see it
	nightPreparing = "preparing" // is becoming a copy of the current one
	nightNext      = "next"      // a build works in it
	nightWhole     = "whole"     // a build has finished in it
)

// nightRecord is what a night's folder says of itself.
type nightRecord struct {
	Number int    `json:"number"`         // grows with every night
	State  string `json:"state"`          // see nightStates
	From   int    `json:"from,omitempty"` // number of the night that it began as
}

// Home is the run's folder of a night's folder, and that of any other path itself.
func Home(dir string) string {
	name := path.Base(dir)
	if above := storage.Folder(dir); path.Base(above) == nightsFolder && nightForm.MatchString(nightsFolder+"/"+name) {
		return storage.Folder(above)
	}
	return dir
}

// Current is the folder of the night that readers of a run get. A run of an earlier
// version has none, and is read itself, as a night is.
func Current(ctx context.Context, run string) (string, error) {
	link := storage.Join(run, currentNight)
	target, err := storage.Default.ReadLink(ctx, link)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return run, nil
	case errors.Is(err, syscall.EINVAL):
		return "", fmt.Errorf("%s: %w: it is no link; if the run was copied, copy it with its links (cp -a)", link, storage.ErrDamaged)
	case err != nil:
		return "", storage.Wrap("read", link, err)
	case !nightForm.MatchString(target):
		return "", fmt.Errorf("%s: %w: it leads to %q, which is no night of this run", link, storage.ErrDamaged, target)
	}
	return storage.Join(run, target), nil
}

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
		n.record, n.first, n.staged = r, r.State == nightFirst, r.State == nightFirst
	}
	if err != nil || n.first {
		return n, err
	}
	all, err := nights(ctx, run)
	for dir, r := range all {
		if dir != n.current && r.State == nightNext && r.From == n.record.Number {
			n.Path, n.staged = dir, true
		}
	}
	return n, err
}

// IsFirst says that the run's first build works in the night that readers see.
func (n *Night) IsFirst() bool { return n.first }

// Resume does what a build that was killed left undone after readers got its night.
func (n *Night) Resume(ctx context.Context) error {
	if n.current == n.run || n.first {
		return nil
	}
	if n.record.State == nightNext {
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
	all, err := nights(ctx, n.run)
	if err != nil {
		return err
	}
	dir := n.free(all, keep)
	r := nightRecord{Number: n.record.Number + 1, State: nightFirst}
	for _, other := range all { // also those that a rollback left
		r.Number = max(r.Number, other.Number+1)
	}
	if !n.first {
		r.From, r.State = n.record.Number, nightPreparing
		if err := writeNight(ctx, dir, r); err != nil {
			return err
		}
		if err := mirror(ctx, n.current, dir); err != nil {
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

// Publish gives readers what the build made, in one step, if it made anything.
func (n *Night) Publish(ctx context.Context) error {
	if !n.staged {
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
	r.State, r.From = nightWhole, 0
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

// rejectsFolder holds a folder of rejects for each stage.
const rejectsFolder = "rejects"

// nightFiles are the small files of a night.
var nightFiles = []string{"settings.json", "guard.json"}

// nightNames are what a night holds and readers find in the run's folder.
func nightNames() []string {
	names := append(slices.Clone(nightFiles), rejectsFolder)
	for _, t := range All() {
		if t.name() != rejectsFolder {
			names = append(names, t.name())
		}
	}
	return names
}

// expose makes the links that lead from the run's folder to the current night. Tables
// that an earlier version left there make way for them. A bucket has no such links.
func (n *Night) expose(ctx context.Context) error {
	if n.current == n.run {
		return nil
	}
	remote := storage.Remote(n.run)
	there, err := storage.List(ctx, n.current)
	if err != nil {
		return err
	}
	root, err := storage.List(ctx, n.run)
	if err != nil {
		return err
	}
	for _, name := range nightNames() {
		wanted := slices.Contains(there, name) && !remote
		if !wanted && !slices.Contains(root, name) {
			continue
		}
		link, want := storage.Join(n.run, name), currentNight+"/"+name
		target, former := "", remote
		if !remote {
			target, err = storage.Default.ReadLink(ctx, link)
			former = errors.Is(err, syscall.EINVAL) // it is there and no link
			if err != nil && !former && !errors.Is(err, fs.ErrNotExist) {
				return storage.Wrap("read", link, err)
			}
		}
		err = nil
		switch {
		case former:
			err = removeFormer(ctx, n.run, name)
		case target == want && wanted:
			continue
		case !wanted:
			err = storage.Remove(ctx, link)
		}
		if err == nil && wanted {
			err = storage.Wrap("link", link, storage.Default.Link(ctx, want, link))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// removeFormer removes what an earlier version left under a name in the run's folder.
func removeFormer(ctx context.Context, run, name string) error {
	at := storage.Join(run, name)
	switch {
	case slices.Contains(nightFiles, name):
		return storage.Remove(ctx, at)
	case name == rejectsFolder:
		stages, err := storage.List(ctx, at)
		for _, stage := range stages {
			if gone := RemoveShards(ctx, storage.Join(at, stage)); !errors.Is(gone, syscall.ENOTDIR) { // somebody's own file
				err = errors.Join(err, gone)
			}
		}
		err = errors.Join(err, storage.Wrap("remove", at, storage.Default.RemoveEmpty(ctx, at)))
		if err != nil {
			return err
		}
	default:
		if err := RemoveTable(ctx, run, name); err != nil {
			return err
		}
	}
	if left, err := storage.List(ctx, at); len(left) == 0 || err != nil || storage.Remote(run) {
		return err
	}
	return storage.Wrap("rename", at, storage.Default.Rename(ctx, at, at+".before")) // somebody's own files
}

// Previous are the folders of the whole nights before the current one, the latest first.
func Previous(ctx context.Context, run string) ([]string, error) {
	current, err := Current(ctx, run)
	if err != nil || current == run {
		return nil, err
	}
	now, err := readNight(ctx, current)
	if err != nil {
		return nil, err
	}
	all, err := nights(ctx, run)
	var dirs []string
	for dir, r := range all {
		if dir != current && r.State == nightWhole && r.Number < now.Number {
			dirs = append(dirs, dir)
		}
	}
	slices.SortFunc(dirs, func(a, b string) int { return all[b].Number - all[a].Number })
	return dirs, err
}

// nights are the records of a run's nights by their folders. One that has none is
// taken for one that was begun.
func nights(ctx context.Context, run string) (map[string]nightRecord, error) {
	names, err := storage.List(ctx, storage.Join(run, nightsFolder))
	all := map[string]nightRecord{}
	for _, name := range names {
		if dir := storage.Join(run, nightsFolder, name); nightForm.MatchString(nightsFolder + "/" + name) {
			if all[dir], err = readNight(ctx, dir); err != nil {
				return nil, err
			}
		}
	}
	return all, err
}

func readNight(ctx context.Context, dir string) (nightRecord, error) {
	file := storage.Join(dir, nightFile)
	r := nightRecord{State: nightPreparing}
	b, err := storage.ReadFile(ctx, file)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil && json.Unmarshal(b, &r) != nil {
		err = fmt.Errorf("%s: %w: it does not say which night this is", file, storage.ErrDamaged)
	}
	return r, err
}

func writeNight(ctx context.Context, dir string, r nightRecord) error {
	return writeJSON(ctx, storage.Default, storage.Join(dir, nightFile), r)
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

// Unpin lets builds change what readers get.
func Unpin(ctx context.Context, run string) error {
	return storage.Remove(ctx, storage.Join(run, pinFile))
}
