package cache

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// listing is a bucket of which only the names matter.
type listing []string

func (l listing) List(_ context.Context, dir string, _ int) ([]string, error) {
	var names []string
	for _, path := range l {
		if name, ok := strings.CutPrefix(path, dir+"/"); ok {
			names = append(names, name)
		}
	}
	return names, nil
}
func (listing) Read(context.Context, string) (io.ReadCloser, error) { panic("read") }
func (listing) Write(context.Context, string, io.Reader) error      { panic("written") }
func (listing) Size(context.Context, string) (int64, error)         { panic("asked for") }
func (listing) Remove(context.Context, string) error                { panic("removed") }

// In a bucket the cache of version 0.1.0 stays, and the user is told that it can go.
func TestOldCacheInABucket(t *testing.T) {
	objects := listing{"mem://bucket/run/index/counts-0123456789abcdef", "mem://bucket/run/index/part-0123456789abcdef", "mem://bucket/run/index/notes.txt", "mem://bucket/new/cache/counts-0123456789abcdef"}
	storage.RegisterBuckets("mem", func() (storage.Bucket, error) { return objects, nil })
	defer storage.RegisterBuckets("mem", nil)
	note, err := Adopt(t.Context(), "mem://bucket/run")
	if err != nil || note != "mem://bucket/run/index holds 2 files of version 0.1.0, which nothing reads any more; delete them" {
		t.Errorf("%q, %v", note, err)
	}
	if note, err := Adopt(t.Context(), "mem://bucket/new"); note != "" || err != nil {
		t.Errorf("%q, %v", note, err)
	}
}
