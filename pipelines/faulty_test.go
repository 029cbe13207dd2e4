package pipelines

import (
	"context"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/commonplace/commonplace/storage"
)

// faulty is the machine's file system with a fault: it counts the calls that are
// made of it, and fault says what comes of the n-th. It does not wait for the
// disk, which no test here needs.
type faulty struct {
	storage.FileSystem
	calls atomic.Int64
	fault func(call int64, writes bool) error // nil: none
}

// faultBelow puts a fault below all tables until the test ends or lift is called.
func faultBelow(t *testing.T, fault func(call int64, writes bool) error) (f *faulty, lift func()) {
	t.Helper()
	was := storage.Local
	f = &faulty{FileSystem: was, fault: fault}
	storage.Local = f
	lift = sync.OnceFunc(func() { storage.Local = was })
	t.Cleanup(lift)
	return f, lift
}

func (f *faulty) call(writes bool) error {
	n := f.calls.Add(1)
	if f.fault == nil {
		return nil
	}
	return f.fault(n, writes)
}

func (f *faulty) MkdirAll(ctx context.Context, dir string) error {
	if err := f.call(true); err != nil {
		return err
	}
	return f.FileSystem.MkdirAll(ctx, dir)
}

func (f *faulty) CreateTemp(ctx context.Context, dir, prefix string) (storage.WritableFile, error) {
	if err := f.call(true); err != nil {
		return nil, err
	}
	w, err := f.FileSystem.CreateTemp(ctx, dir, prefix)
	return &faultyWriter{w, f}, err
}

func (f *faulty) Rename(ctx context.Context, from, to string) error {
	if err := f.call(true); err != nil {
		return err
	}
	return f.FileSystem.Rename(ctx, from, to)
}

func (f *faulty) SyncDir(context.Context, string) error { return f.call(true) }

func (f *faulty) Open(ctx context.Context, path string) (storage.ReadableFile, error) {
	if err := f.call(false); err != nil {
		return nil, err
	}
	r, err := f.FileSystem.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	return &faultyReader{r, f}, nil
}

func (f *faulty) Size(ctx context.Context, path string) (int64, error) {
	if err := f.call(false); err != nil {
		return 0, err
	}
	return f.FileSystem.Size(ctx, path)
}

func (f *faulty) List(ctx context.Context, dir string) ([]string, error) {
	if err := f.call(false); err != nil {
		return nil, err
	}
	return f.FileSystem.List(ctx, dir)
}

func (f *faulty) Remove(ctx context.Context, path string) error {
	if err := f.call(true); err != nil {
		return err
	}
	return f.FileSystem.Remove(ctx, path)
}

func (f *faulty) RemoveEmpty(ctx context.Context, dir string) error {
	if err := f.call(true); err != nil {
		return err
	}
	return f.FileSystem.RemoveEmpty(ctx, dir)
}

func (f *faulty) Link(ctx context.Context, target, path string) error {
	if err := f.call(true); err != nil {
		return err
	}
	return f.FileSystem.Link(ctx, target, path)
}

func (f *faulty) Exchange(ctx context.Context, a, b string) error {
	if err := f.call(true); err != nil {
		return err
	}
	return f.FileSystem.Exchange(ctx, a, b)
}

func (f *faulty) ReadLink(ctx context.Context, path string) (string, error) {
	if err := f.call(false); err != nil {
		return "", err
	}
	return f.FileSystem.ReadLink(ctx, path)
}

type faultyWriter struct {
	storage.WritableFile
	f *faulty
}

func (w *faultyWriter) Write(p []byte) (int, error) {
	if err := w.f.call(true); err != nil {
		n, _ := w.WritableFile.Write(p[:len(p)/2]) // a disk that fills up takes some of it
		return n, err
	}
	return w.WritableFile.Write(p)
}

func (w *faultyWriter) WriteAt(p []byte, at int64) (int, error) {
	if err := w.f.call(true); err != nil {
		n, _ := w.WritableFile.WriteAt(p[:len(p)/2], at)
		return n, err
	}
	return w.WritableFile.WriteAt(p, at)
}

func (w *faultyWriter) Sync() error { return w.f.call(true) }

func (w *faultyWriter) Close() error {
	err := w.WritableFile.Close()
	if fault := w.f.call(true); fault != nil {
		return fault
	}
	return err
}

type faultyReader struct {
	storage.ReadableFile
	f *faulty
}

func (r *faultyReader) ReadAt(p []byte, at int64) (int, error) {
	if err := r.f.call(false); err != nil {
		return 0, err
	}
	return r.ReadableFile.ReadAt(p, at)
}

// onceAt fails the n-th call, as a disk does that has one bad moment.
func onceAt(n int64) func(int64, bool) error {
	return func(call int64, _ bool) error {
		if call == n {
			return syscall.EIO
		}
		return nil
	}
}

// fromOn fails every writing call from the n-th call on: a disk that is full, or
// was mounted read-only.
func fromOn(n int64, err error) func(int64, bool) error {
	return func(call int64, writes bool) error {
		if writes && call >= n {
			return err
		}
		return nil
	}
}

// late makes every seventh call wait, from the n-th on.
func late(n int64) func(int64, bool) error {
	return func(call int64, _ bool) error {
		if call >= n && call%7 == 0 {
			time.Sleep(time.Millisecond)
		}
		return nil
	}
}
