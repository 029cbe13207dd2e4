package pipelines

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/storage/cloud/loopback"
)

// TestABucketIsListedAsAFolder lists the same files in a folder and in a bucket.
func TestABucketIsListedAsAFolder(t *testing.T) {
	loopback.Each(t, func(t *testing.T, s *loopback.Server) {
		dir := t.TempDir()
		for _, name := range []string{"books/a.txt", "books/b.txt.gz", "books/sub/c.txt", "books/notes.md", "books/.hidden.txt", "lists/x.jsonl", "lists/y.jsonl"} {
			if err := s.Put("in/"+name, []byte(name)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Put("in/books/", nil); err != nil { // as consoles make folders
			t.Fatal(err)
		}
		for _, pattern := range []string{"books", "books/", "books/*.txt", "books/**/*.txt", "lists/x.jsonl", "lists/[xy].jsonl", "nothing", "books/*.pdf"} {
			var here, there []string
			listed := func(root, pattern string, into *[]string) error {
				l, err := files.ListAll(t.Context(), []string{root + "/" + pattern})
				for _, f := range l.Files {
					*into = append(*into, f.ID+" "+f.Rel+" at "+strings.TrimPrefix(f.Path, root+"/"))
				}
				return err
			}
			hereErr, thereErr := listed(dir, pattern, &here), listed(s.Path("in"), pattern, &there)
			if !slices.Equal(here, there) || (hereErr == nil) != (thereErr == nil) {
				t.Errorf("%s: in a folder %q (%v), in a bucket %q (%v)", pattern, here, hereErr, there, thereErr)
			}
			if thereErr != nil && !strings.Contains(thereErr.Error(), s.Path("in/"+pattern)) {
				t.Errorf("%s: the error names no path of the bucket: %v", pattern, thereErr)
			}
		}
	})
}
