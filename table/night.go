package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
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
	Layout int    `json:"layout,omitempty"`

	// Partial says that single stages made it, and not yet all tables that their config
	// asks for. A run that had all of them once is no longer partial.
	Partial bool `json:"partial,omitempty"`
}

// layout is that of a night's folder. Earlier ones have none; see earlier.go.
const layout = 1

func (r nightRecord) earlier() bool { return r.Layout < layout }

// mostNights is the largest number of a night. A larger one was never written: a run that
// is built every second reaches it after 31 years.
const mostNights = 1_000_000_000

// possible reports whether a night can have these numbers.
func (r nightRecord) possible() bool {
	return 0 <= r.Number && r.Number <= mostNights && 0 <= r.From && r.From <= mostNights
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
	for _, folder := range []string{nightsFolder, target} {
		if err := storage.RefuseLink(ctx, storage.Join(run, folder)); err != nil {
			return "", err
		}
	}
	return storage.Join(run, target), nil
}

// nights are the records of a run's nights by their folders. One that has none is
// taken for one that was begun. A link in the place of a night, or of a folder in it, is
// [storage.ErrDamaged].
func nights(ctx context.Context, run string) (map[string]nightRecord, error) {
	folder := storage.Join(run, nightsFolder)
	if err := storage.RefuseLink(ctx, folder); err != nil {
		return nil, err
	}
	names, err := storage.List(ctx, folder)
	all := map[string]nightRecord{}
	for _, name := range names {
		if dir := storage.Join(run, nightsFolder, name); nightForm.MatchString(nightsFolder + "/" + name) {
			if err = refuseLinks(ctx, dir); err == nil {
				all[dir], err = readNight(ctx, dir)
			}
			if err != nil {
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
	if err == nil && (json.Unmarshal(b, &r) != nil || !r.possible()) {
		err = fmt.Errorf("%s: %w: it does not say which night this is", file, storage.ErrDamaged)
	}
	return r, err
}

func writeNight(ctx context.Context, dir string, r nightRecord) error {
	return writeJSON(ctx, storage.Default, storage.Join(dir, nightFile), r)
}
