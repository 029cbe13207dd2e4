package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/commonplace/commonplace/crawl/archive"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// archiveFolder is where a run, or a night of it, keeps what it fetched: a folder that
// runs share, or one beside the tables.
func archiveFolder(c *config.Config) string {
	if c.Crawl.Archive != "" {
		return c.Crawl.Archive
	}
	return filepath.Join(table.Home(c.Out), config.ArchiveFolder)
}

// lockArchive waits for an archive that runs share: one of them fetches at a time.
func lockArchive(ctx context.Context, folder string) (release func(), err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("make %s: %w: %w", folder, storage.ErrRefused, err)
	}
	lock, err := storage.NewLock(filepath.Join(folder, ".lock"))
	if err != nil {
		return nil, err
	}
	if _, err := lock.TryLockContext(ctx, time.Second); err != nil {
		return nil, fmt.Errorf("lock %s: %w: %w", folder, storage.ErrRefused, err)
	}
	return func() { lock.Unlock() }, nil
}

// mostNamed is how many missing inputs a message names.
const mostNamed = 10

// errOffline says what a run without the network lacks.
var errOffline = errors.New("--offline")

// checkFetched is an error that names what was never fetched, and is not to be forgotten.
func checkFetched(ctx context.Context, a *archive.Archive, sources []config.Source, forgotten engine.Forgotten) error {
	var names []string
	n := 0
	look := func(s config.Source, w archive.Target) {
		if a.Best(w).Reason != archive.ReasonNotFetched {
			return
		}
		if n++; n <= mostNamed {
			names = append(names, fmt.Sprintf("%s of %s (%s)", w.ID, s.Name, firstAddress(w)))
		}
	}
	for _, s := range sources {
		p, err := kinds[s.Kind].remote.plan(ctx, a, s)
		if err != nil {
			return err
		}
		for _, w := range p.needs {
			look(s, w)
		}
		for _, d := range p.documents {
			if forgotten.Has(d.ID) {
				continue
			}
			for _, w := range d.Targets {
				look(s, w)
			}
		}
	}
	if n == 0 {
		return nil
	}
	if n > mostNamed {
		names = append(names, fmt.Sprintf("and %d more", n-mostNamed))
	}
	are := "inputs are"
	if n == 1 {
		are = "input is"
	}
	return fmt.Errorf("%w: %d %s not in %s: %s; run once without --offline", errOffline, n, are, a.Folder(), strings.Join(names, ", "))
}

// writeLists writes the fetched lists as texts, for the stage that reads lists.
func writeLists(ctx context.Context, a *archive.Archive, c *config.Config) error {
	for _, q := range c.FetchedLists() {
		s := c.SourceOf(q)
		p, err := gutenbergRemote{}.plan(ctx, a, s)
		if err != nil {
			return err
		}
		it, _ := found(a, p.documents[0])
		if it.Reject != nil {
			return fmt.Errorf("quotes %s: eBook %d was not fetched: %s: %s", q.Name, q.Gutenberg, it.Reject.Reason, it.Reject.Detail)
		}
		doc, err := answerReader(gutenbergRemote{}, s).read(ctx, it)
		if err != nil {
			return fmt.Errorf("quotes %s: eBook %d cannot be read: %w", q.Name, q.Gutenberg, err)
		}
		if err := storage.RefuseLink(ctx, filepath.Dir(q.Path)); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(q.Path), 0o755); err != nil {
			return fmt.Errorf("make %s: %w: %w", filepath.Dir(q.Path), storage.ErrRefused, err)
		}
		if err := storage.Write(ctx, storage.Local, q.Path, []byte(doc.Text)); err != nil {
			return err
		}
	}
	return nil
}
