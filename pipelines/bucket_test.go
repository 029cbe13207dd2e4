package pipelines

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/loopback"
	"github.com/commonplace/commonplace/storage"
)

// storeOf starts a server and makes this process find it.
func storeOf(t *testing.T, scheme string) *loopback.Server {
	s := loopback.Start(t, scheme)
	for _, e := range s.Env() {
		name, value, _ := strings.Cut(e, "=")
		t.Setenv(name, value)
	}
	t.Setenv("AWS_MAX_ATTEMPTS", "2")
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	fresh := func() (storage.Bucket, error) { return openBuckets(scheme) }
	storage.RegisterBuckets(scheme, fresh)
	before := patience
	patience = 3 * time.Second
	t.Cleanup(func() {
		patience = before
		storage.RegisterBuckets(scheme, fresh)
		if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
			t.Errorf("%s is left in the temporary folder", left[0].Name())
		}
	})
	return s
}

func eachStore(t *testing.T, test func(t *testing.T, s *loopback.Server)) {
	for _, scheme := range []string{"gs", "s3"} {
		t.Run(scheme, func(t *testing.T) { test(t, storeOf(t, scheme)) })
	}
}

// names that have to survive the ways to a server and back.
var names = []string{"plain.txt", "a b.txt", "100%25.txt", "prix é.txt", "deep/er/and/deeper/x.txt", ".records/part.json"}

func TestBucketsKeepWhatTheyAreGiven(t *testing.T) {
	eachStore(t, func(t *testing.T, s *loopback.Server) {
		b, err := openBuckets(s.Scheme)
		if err != nil {
			t.Fatal(err)
		}
		large := strings.Repeat("all the world is a stage\n", 1<<20) // 25 MB: several parts
		contents := map[string]string{"empty": "", "large": large}
		for _, name := range names {
			contents[name] = "of " + name
		}
		for name, content := range contents {
			if err := b.Write(s.Path("run/"+name), strings.NewReader(content)); err != nil {
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
			if size, err := b.Size(s.Path("run/" + name)); err != nil || size != int64(len(content)) {
				t.Errorf("%s: size %d, want %d: %v", name, size, len(content), err)
			}
			r, err := b.Read(s.Path("run/" + name))
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
			below, err := b.List(s.Path("run"), depth)
			if err != nil || len(below) != want {
				t.Errorf("%d names deep: %q, want %d: %v", depth, below, want, err)
			}
		}
		if _, err := storage.Modified(s.Path("run/large")); err != nil {
			t.Error(err)
		}
		if err := b.Remove(s.Path("run/a b.txt")); err != nil {
			t.Error(err)
		}
		for what, err := range map[string]error{
			"size":   second(b.Size(s.Path("run/a b.txt"))),
			"read":   second(b.Read(s.Path("run/a b.txt"))),
			"change": second(storage.Modified(s.Path("run/a b.txt"))),
		} {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s of what is not there: %v", what, err)
			}
		}
	})
}

func second[T any](_ T, err error) error { return err }

// TestABucketThatFails refuses an upload, and later takes it: the object was not
// there in between, and an older one stayed.
func TestABucketThatFails(t *testing.T) {
	eachStore(t, func(t *testing.T, s *loopback.Server) {
		b, err := openBuckets(s.Scheme)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Put("old", []byte("old")); err != nil {
			t.Fatal(err)
		}
		s.Refuse(1)
		patience = 300 * time.Millisecond
		for _, name := range []string{"new", "old"} {
			if err := b.Write(s.Path(name), strings.NewReader("new")); err == nil {
				t.Errorf("%s was written by a server that refuses", name)
			}
		}
		broken := io.MultiReader(strings.NewReader(strings.Repeat("half ", 10)), failing{})
		s.Refuse(0)
		if err := b.Write(s.Path("half"), broken); !errors.Is(err, errBroken) {
			t.Errorf("a file that breaks off: %v", err)
		}
		objects, err := s.Objects()
		if err != nil || len(objects) != 1 || string(objects["old"]) != "old" {
			t.Errorf("the server has %q: %v", objects, err)
		}
		if err := b.Write(s.Path("old"), strings.NewReader("new")); err != nil {
			t.Error(err)
		}
	})
}

var errBroken = errors.New("the disk is broken")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errBroken }

// TestShadowsNameABucketAsAFolder lists the same files in a folder and in a bucket.
func TestShadowsNameABucketAsAFolder(t *testing.T) {
	eachStore(t, func(t *testing.T, s *loopback.Server) {
		dir := t.TempDir()
		for _, name := range []string{"books/a.txt", "books/b.txt.gz", "books/sub/c.txt", "books/notes.md", "books/.hidden.txt", "lists/x.jsonl", "lists/y.jsonl"} {
			if err := s.Put("in/"+name, []byte(name)); err != nil {
				t.Fatal(err)
			}
			if err := storage.Touch(dir, name); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Put("in/books/", nil); err != nil { // as consoles make folders
			t.Fatal(err)
		}
		for _, pattern := range []string{"books", "books/", "books/*.txt", "books/**/*.txt", "lists/x.jsonl", "lists/[xy].jsonl", "nothing", "books/*.pdf"} {
			var here, there []string
			listed := func(root, pattern string, into *[]string) error {
				local, in, err := storage.NewPlaceholders([]string{root + "/" + pattern})
				if err != nil {
					return err
				}
				defer in.Remove()
				l, err := files.ListAll(local)
				for _, f := range l.Files {
					*into = append(*into, f.ID+" "+f.Rel+" at "+strings.TrimPrefix(in.Back(f.Path), root+"/"))
				}
				return in.Told(err)
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

func TestAModelIsBroughtOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, s *loopback.Server) {
		for name, content := range map[string]string{"model.json": "{}", "graph/model.onnx": "graph"} {
			if err := s.Put("models/small/"+name, []byte(content)); err != nil {
				t.Fatal(err)
			}
		}
		dir, err := storage.FolderOnDisk(s.Path("models/small/"))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(dir, "graph/model.onnx")); err != nil || string(b) != "graph" {
			t.Errorf("%q: %v", b, err)
		}
		again, err := storage.FolderOnDisk(s.Path("models/small"))
		if err != nil || again != dir {
			t.Errorf("brought to %s and then to %s: %v", dir, again, err)
		}
		if _, err := storage.FolderOnDisk(s.Path("models/none")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a model that is not there: %v", err)
		}
	})
}

func TestPathsThatNoBucketTakes(t *testing.T) {
	c := config.Default()
	c.Out = "ftp://host/out"
	if err := c.CheckBuckets(); !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), "gs://bucket/… and s3://bucket/…") {
		t.Error(err)
	}
	storeOf(t, "gs")
	c.Out = "gs://library/out"
	c.Sources = []config.Source{{Name: "news", Kind: config.KindArticles}}
	if err := c.CheckBuckets(); !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), "news") {
		t.Errorf("fetching into a bucket: %v", err)
	}
	c.Sources = []config.Source{{Name: "old", Kind: config.KindWARC, Files: []string{"gs://library/x.warc"}}}
	if err := c.CheckBuckets(); !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), "WARC") {
		t.Errorf("WARC files in a bucket: %v", err)
	}
}
