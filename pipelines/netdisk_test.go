package pipelines

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
)

// A network disk differs from one of this machine: it may have no second names for files
// and no locks, it cannot sync folders, and another machine sees for a while what it has
// seen before. Locks are in engine.TestTwoHosts, links in storage.TestNoLinks.

// netDisk is such a disk. Calls whose context has a view are another machine's.
type netDisk struct {
	storage.FileSystem
	writes atomic.Int64
	look   func() // after some writing calls and around each link
}

// view is what a machine has seen: what each name was when it first looked.
type view map[string]seen

type seen struct {
	content []byte
	names   []string
	target  string
	err     error
}

type viewKey struct{}

// through is what the context's machine has seen of a name, and else what look finds now.
func through(ctx context.Context, what, path string, look func() seen) seen {
	v, there := ctx.Value(viewKey{}).(view)
	if !there {
		return look()
	}
	key := what + " " + path
	if _, known := v[key]; !known {
		v[key] = look()
	}
	return v[key]
}

func (d *netDisk) Open(ctx context.Context, path string) (storage.ReadableFile, error) {
	if ctx.Value(viewKey{}) == nil {
		return d.FileSystem.Open(ctx, path)
	}
	s := through(ctx, "open", path, func() seen {
		b, err := storage.Read(ctx, d.FileSystem, path)
		return seen{content: b, err: err}
	})
	return remembered{bytes.NewReader(s.content)}, s.err
}

type remembered struct{ *bytes.Reader }

func (remembered) Close() error { return nil }

func (d *netDisk) Size(ctx context.Context, path string) (int64, error) {
	f, err := d.Open(ctx, path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.Size(), nil
}

func (d *netDisk) List(ctx context.Context, dir string) ([]string, error) {
	s := through(ctx, "list", dir, func() seen {
		names, err := d.FileSystem.List(ctx, dir)
		return seen{names: names, err: err}
	})
	return s.names, s.err
}

func (d *netDisk) ReadLink(ctx context.Context, path string) (string, error) {
	s := through(ctx, "link", path, func() seen {
		target, err := d.FileSystem.ReadLink(ctx, path)
		return seen{target: target, err: err}
	})
	return s.target, s.err
}

func (d *netDisk) wrote() {
	if d.writes.Add(1)%400 == 0 {
		d.look()
	}
}

func (d *netDisk) Rename(ctx context.Context, from, to string) error {
	d.wrote()
	return d.FileSystem.Rename(ctx, from, to)
}

func (d *netDisk) Remove(ctx context.Context, path string) error {
	d.wrote()
	return d.FileSystem.Remove(ctx, path)
}

func (d *netDisk) Link(ctx context.Context, target, path string) error {
	d.look()
	defer d.look()
	return d.FileSystem.Link(ctx, target, path)
}

// Share copies: there are no second names.
func (d *netDisk) Share(ctx context.Context, from, to string) (bool, error) {
	b, err := storage.Read(ctx, d.FileSystem, from)
	if err != nil {
		return false, err
	}
	return true, storage.Write(ctx, d.FileSystem, to, b)
}

func (d *netDisk) SyncDir(context.Context, string) error { return nil }

// TestNetworkDisks builds several nights on such a disk. Other machines read all the time:
// each sees every name for a whole night as it was when it first looked. They get whole
// nights, and the tables are those of any other disk.
func TestNetworkDisks(t *testing.T) {
	c, folder := small(t)
	if err := pipelinetest.TryBuild(c); err != nil {
		t.Fatal(err)
	}
	was := storage.Local
	d := &netDisk{FileSystem: was}
	var views []view
	reads := 0
	d.look = func() {
		views = append(views, view{}) // a machine that begins to read now
		for i, v := range views {
			reads++
			if err := readVersion(context.WithValue(t.Context(), viewKey{}, v), c.Out); err != nil {
				t.Errorf("machine %d, at write %d: %v", i, d.writes.Load(), err)
			}
		}
	}
	storage.Local = d
	t.Cleanup(func() { storage.Local = was })
	for night := range 3 {
		bookOf(t, folder, fmt.Sprintf("book%d.txt", night))
		views = nil
		if err := engine.Build(t.Context(), engine.Request{Config: c, Force: night == 2}); err != nil {
			t.Fatalf("night %d: %v", night, err)
		}
	}
	storage.Local = was
	t.Logf("%d reads", reads)
	if err := readThrough(t.Context(), c.Out); err != nil {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(c.Out, ".*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %s %v", left, err)
	}
	pipelinetest.SameAsAFullBuild(t, c)
}
