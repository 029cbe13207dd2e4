package cloud_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/cloud"
	"github.com/commonplace/commonplace/storage/cloud/loopback"
)

// names that have to survive the ways to a server and back.
var names = []string{"plain.txt", "a b.txt", "100%25.txt", "prix é.txt", "deep/er/and/deeper/x.txt", ".records/part.json"}

func TestBucketsKeepWhatTheyAreGiven(t *testing.T) {
	loopback.Each(t, func(t *testing.T, s *loopback.Server) {
		b := open(t, s)
		large := strings.Repeat("all the world is a stage\n", 1<<20) // 25 MB: several parts
		contents := map[string]string{"empty": "", "large": large}
		for _, name := range names {
			contents[name] = "of " + name
		}
		for name, content := range contents {
			if err := b.Write(t.Context(), s.Path("run/"+name), strings.NewReader(content)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		objects, err := s.Objects()
		if err != nil {
			t.Fatal(err)
		}
		for name, content := range contents {
			if got, ok := objects["run/"+name]; !ok || string(got) != content {
				t.Errorf("%s: the server has %d bytes, want %d", name, len(got), len(content))
			}
			if size, err := b.Size(t.Context(), s.Path("run/"+name)); err != nil || size != int64(len(content)) {
				t.Errorf("%s: size %d, want %d: %v", name, size, len(content), err)
			}
			r, err := b.Read(t.Context(), s.Path("run/"+name))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := io.ReadAll(r)
			if err != nil || string(got) != content {
				t.Errorf("%s: read %d bytes, want %d: %v", name, len(got), len(content), err)
			}
			r.Close()
		}
		for depth, want := range map[int]int{1: 6, 2: 7, 8: 8} {
			below, err := b.List(t.Context(), s.Path("run"), depth)
			if err != nil || len(below) != want {
				t.Errorf("%d names deep: %q, want %d: %v", depth, below, want, err)
			}
		}
		if _, err := storage.Modified(t.Context(), s.Path("run/large")); err != nil {
			t.Error(err)
		}
		if err := b.Remove(t.Context(), s.Path("run/a b.txt")); err != nil {
			t.Error(err)
		}
		for what, err := range map[string]error{
			"size":   second(b.Size(t.Context(), s.Path("run/a b.txt"))),
			"read":   second(b.Read(t.Context(), s.Path("run/a b.txt"))),
			"change": second(storage.Modified(t.Context(), s.Path("run/a b.txt"))),
		} {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s of what is not there: %v", what, err)
			}
		}
	})
}

func open(t *testing.T, s *loopback.Server) storage.Bucket {
	t.Helper()
	b, err := cloud.OpenBuckets(s.Scheme)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func second[T any](_ T, err error) error { return err }

// TestABucketThatFails refuses an upload, and later takes it: the object was not
// there in between, and an older one stayed.
func TestABucketThatFails(t *testing.T) {
	loopback.Each(t, func(t *testing.T, s *loopback.Server) {
		b := open(t, s)
		if err := s.Put("old", []byte("old")); err != nil {
			t.Fatal(err)
		}
		s.Refuse(1)
		cloud.SetPatience(t, 300*time.Millisecond)
		for _, name := range []string{"new", "old"} {
			if err := b.Write(t.Context(), s.Path(name), strings.NewReader("new")); err == nil {
				t.Errorf("%s was written by a server that refuses", name)
			}
		}
		broken := io.MultiReader(strings.NewReader(strings.Repeat("half ", 10)), failing{})
		s.Refuse(0)
		if err := b.Write(t.Context(), s.Path("half"), broken); !errors.Is(err, errBroken) {
			t.Errorf("a file that breaks off: %v", err)
		}
		objects, err := s.Objects()
		if err != nil || len(objects) != 1 || string(objects["old"]) != "old" {
			t.Errorf("the server has %q: %v", objects, err)
		}
		if err := b.Write(t.Context(), s.Path("old"), strings.NewReader("new")); err != nil {
			t.Error(err)
		}
	})
}

var errBroken = errors.New("the disk is broken")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errBroken }

func TestAModelIsBroughtOnce(t *testing.T) {
	loopback.Each(t, func(t *testing.T, s *loopback.Server) {
		for name, content := range map[string]string{"model.json": "{}", "graph/model.onnx": "graph"} {
			if err := s.Put("models/small/"+name, []byte(content)); err != nil {
				t.Fatal(err)
			}
		}
		dir, err := storage.FolderOnDisk(t.Context(), s.Path("models/small/"))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(dir, "graph/model.onnx")); err != nil || string(b) != "graph" {
			t.Errorf("%q: %v", b, err)
		}
		again, err := storage.FolderOnDisk(t.Context(), s.Path("models/small"))
		if err != nil || again != dir {
			t.Errorf("brought to %s and then to %s: %v", dir, again, err)
		}
		if _, err := storage.FolderOnDisk(t.Context(), s.Path("models/none")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a model that is not there: %v", err)
		}
	})
}
