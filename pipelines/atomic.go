package pipelines

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/commonplace/commonplace/table"
)

// atomicFile writes a file under a temporary name beside it and gives it its
// name when it is whole and on the disk.
func atomicFile(path string, write func(*os.File) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp") // two workers may write the same file
	if err != nil {
		return fmt.Errorf("write %s: %w: %w", path, table.ErrStorage, err)
	}
	temp := f.Name()
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(temp)
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil { // CreateTemp's files are private
		return fmt.Errorf("write %s: %w: %w", path, table.ErrStorage, err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("write %s: %w: %w", path, table.ErrStorage, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write %s: %w: %w", path, table.ErrStorage, err)
	}
	if err := os.Rename(temp, path); err != nil {
		return fmt.Errorf("write %s: %w: %w", path, table.ErrStorage, err)
	}
	return nil
}

// writeFile writes a small file in one step.
func writeFile(path string, b []byte) error {
	return atomicFile(path, func(f *os.File) error {
		_, err := f.Write(b)
		return err
	})
}
