package table

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"

	"github.com/commonplace/commonplace/storage"
)

// rejectsFolder holds a folder of rejects for each stage.
const rejectsFolder = "rejects"

// nightFiles are the small files of a night.
var nightFiles = []string{"settings.json", "guard.json"}

// nightNames are what a night holds and readers find in the run's folder.
func nightNames() []string {
	names := append(slices.Clone(nightFiles), rejectsFolder, recordsFolder)
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
	there, err := storage.List(ctx, n.current)
	if err != nil {
		return err
	}
	root, err := storage.List(ctx, n.run)
	if err != nil {
		return err
	}
	for _, name := range nightNames() {
		wanted := slices.Contains(there, name) && !storage.Remote(n.run)
		if wanted || slices.Contains(root, name) {
			if err := n.exposeOne(ctx, name, wanted); err != nil {
				return err
			}
		}
		if slices.Contains(root, formerName(name)) { // of a build that was killed
			if err := clearFormer(ctx, n.run, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// refuseForeign refuses to build where a link or a file that is not ours has a name that
// the run needs. A folder of somebody's is renamed; see [clearFormer].
func (n *Night) refuseForeign(ctx context.Context) error {
	if storage.Remote(n.run) {
		return nil
	}
	for _, name := range nightNames() {
		at := storage.Join(n.run, name)
		target, err := storage.Default.ReadLink(ctx, at)
		_, listed := storage.List(ctx, at)
		ours := errors.Is(err, fs.ErrNotExist) || err == nil && target == currentNight+"/"+name || err != nil && (listed == nil || slices.Contains(nightFiles, name))
		if !ours {
			return fmt.Errorf("%s: %w: the run needs this name; move it out of the folder and build again", at, errForeign)
		}
	}
	return nil
}

// errForeign marks what somebody else put into a run's folder.
var errForeign = errors.New("it is no part of the run")

// exposeOne makes one of the links, or removes it where the current night has nothing
// for it.
func (n *Night) exposeOne(ctx context.Context, name string, wanted bool) error {
	link, want := storage.Join(n.run, name), currentNight+"/"+name
	if storage.Remote(n.run) {
		return removeFormer(ctx, n.run, name, name)
	}
	target, err := storage.Default.ReadLink(ctx, link)
	former := errors.Is(err, syscall.EINVAL) // it is there and no link
	switch {
	case err != nil && !former && !errors.Is(err, fs.ErrNotExist):
		return storage.Wrap("read", link, err)
	case target == want && wanted:
		return nil
	case !wanted && !former:
		return storage.Remove(ctx, link)
	case !wanted:
		return removeFormer(ctx, n.run, name, name)
	case former && !slices.Contains(nightFiles, name):
		return takeOver(ctx, n.run, name, want)
	}
	return storage.Wrap("link", link, storage.Default.Link(ctx, want, link))
}

// formerName is what a table of an earlier version is called while it is removed.
func formerName(name string) string { return ".former-" + name }

// takeOver puts a link in the place of a folder of an earlier version, in one step where
// the file system can do that, and then removes the folder's files.
func takeOver(ctx context.Context, run, name, target string) error {
	at, aside := storage.Join(run, name), storage.Join(run, formerName(name))
	if err := clearFormer(ctx, run, name); err != nil { // of a build that was killed
		return err
	}
	if err := storage.Default.Link(ctx, target, aside); err != nil {
		return storage.Wrap("link", aside, err)
	}
	err := storage.Default.Exchange(ctx, at, aside)
	if errors.Is(err, errors.ErrUnsupported) { // then readers miss the table for a moment
		if err = storage.Remove(ctx, aside); err == nil {
			err = storage.Default.Rename(ctx, at, aside)
		}
		if err == nil {
			err = storage.Default.Link(ctx, target, at)
		}
	}
	if err == nil {
		err = storage.Default.SyncDir(ctx, run)
	}
	if err != nil {
		return storage.Wrap("replace", at, err)
	}
	return clearFormer(ctx, run, name)
}

// clearFormer removes what a link has taken the place of. What somebody else has put
// there stays, in a folder whose name says what it was.
func clearFormer(ctx context.Context, run, name string) error {
	aside := storage.Join(run, formerName(name))
	if _, err := storage.Default.ReadLink(ctx, aside); err == nil {
		return storage.Remove(ctx, aside) // the build was killed before the exchange
	}
	if err := removeFormer(ctx, run, name, formerName(name)); err != nil {
		return err
	}
	if left, err := storage.List(ctx, aside); len(left) == 0 || err != nil {
		return err
	}
	root, err := storage.List(ctx, run)
	if err != nil {
		return err
	}
	before := name + ".before"
	for i := 2; slices.Contains(root, before); i++ {
		before = fmt.Sprintf("%s.before-%d", name, i)
	}
	return storage.Wrap("rename", aside, storage.Default.Rename(ctx, aside, storage.Join(run, before)))
}

// removeFormer removes what lies in a folder of the run, or of a night, under the name of
// a table, of rejects or of records, and the folder if it is then empty.
func removeFormer(ctx context.Context, run, name, folder string) error {
	at := storage.Join(run, folder)
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
		return errors.Join(err, storage.Wrap("remove", at, storage.Default.RemoveEmpty(ctx, at)))
	case name == recordsFolder:
		var err error
		for _, t := range All() {
			err = errors.Join(err, removeWith(ctx, storage.Join(at, t.name()), func(name string) bool { return name == commitFile || isRecord(name) }))
		}
		return errors.Join(err, storage.Wrap("remove", at, storage.Default.RemoveEmpty(ctx, at)))
	}
	return removeEarlier(ctx, at, name == versionedBefore)
}
