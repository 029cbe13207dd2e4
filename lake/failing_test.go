package lake

import (
	"context"

	"github.com/commonplace/commonplace/storage"
)

// What publish calls of a file system, each call a step that may fail.

func (f *failing) MkdirAll(ctx context.Context, dir string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.FileSystem.MkdirAll(ctx, dir)
}

func (f *failing) CreateTemp(ctx context.Context, dir, prefix string) (storage.WritableFile, error) {
	if err := f.step(); err != nil {
		return nil, err
	}
	file, err := f.FileSystem.CreateTemp(ctx, dir, prefix)
	return failingFile{file, f}, err
}

func (f *failing) Rename(ctx context.Context, from, to string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.FileSystem.Rename(ctx, from, to)
}

func (f *failing) SyncDir(ctx context.Context, dir string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.FileSystem.SyncDir(ctx, dir)
}

func (f *failing) Open(ctx context.Context, path string) (storage.ReadableFile, error) {
	if err := f.step(); err != nil {
		return nil, err
	}
	return f.FileSystem.Open(ctx, path)
}

func (f *failing) Size(ctx context.Context, path string) (int64, error) {
	if err := f.step(); err != nil {
		return 0, err
	}
	return f.FileSystem.Size(ctx, path)
}

func (f *failing) List(ctx context.Context, dir string) ([]string, error) {
	if err := f.step(); err != nil {
		return nil, err
	}
	return f.FileSystem.List(ctx, dir)
}

func (f *failing) Remove(ctx context.Context, path string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.FileSystem.Remove(ctx, path)
}

func (f *failing) Share(ctx context.Context, from, to string) (bool, error) {
	if err := f.step(); err != nil {
		return false, err
	}
	return f.FileSystem.Share(ctx, from, to)
}

// failingFile is a file that is being written there.
type failingFile struct {
	storage.WritableFile
	f *failing
}

func (w failingFile) Write(p []byte) (int, error) {
	if err := w.f.step(); err != nil {
		n, _ := w.WritableFile.Write(p[:len(p)/2])
		return n, err
	}
	return w.WritableFile.Write(p)
}

func (w failingFile) Sync() error {
	if err := w.f.step(); err != nil {
		return err
	}
	return w.WritableFile.Sync()
}
