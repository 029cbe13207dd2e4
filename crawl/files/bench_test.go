package files

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// BenchmarkRead reports megabytes (1e6 bytes) of decompressed text per second
// of processor time, for gzip files and the same texts plain.
func BenchmarkRead(b *testing.B) {
	listing, err := List(b.Context(), []string{"../../../shared/data/books"})
	if err != nil {
		text := strings.Repeat(framed, 3000)
		listing, err = List(b.Context(), []string{folder(b, map[string]string{"a.txt.gz": gz(b, text), "b.txt.gz": gz(b, text)})})
	}
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	size := int64(0)
	var plain []File
	for _, f := range listing.Files {
		raw, _, err := readAll(context.Background(), f, Options{})
		if err != nil {
			b.Fatal(err)
		}
		size += int64(len(raw))
		path := filepath.Join(dir, f.ID+".txt")
		if err := os.WriteFile(path, raw, 0o644); err != nil {
			b.Fatal(err)
		}
		plain = append(plain, newFile(path, f.ID+".txt", int64(len(raw))))
	}
	for name, files := range map[string][]File{"gz": listing.Files, "plain": plain} {
		b.Run(name, func(b *testing.B) {
			var before, after syscall.Rusage
			if err := syscall.Getrusage(syscall.RUSAGE_SELF, &before); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				for _, f := range files {
					if _, reject := Read(context.Background(), f, Options{}); reject != nil {
						b.Fatal(reject)
					}
				}
			}
			if err := syscall.Getrusage(syscall.RUSAGE_SELF, &after); err != nil {
				b.Fatal(err)
			}
			used := after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano()
			b.ReportMetric(float64(size)*float64(b.N)*1e3/float64(used), "MB/cpu-s")
		})
	}
}
