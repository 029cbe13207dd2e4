package storage_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/storagetest"
)

func TestPaths(t *testing.T) {
	for _, c := range []struct{ path, scheme, folder, joined string }{
		{"/run/part", "", "/run", "/run/part/x"},
		{"part", "", ".", "part/x"},
		{"gs://bucket/run/part", "gs", "gs://bucket/run", "gs://bucket/run/part/x"},
		{"gs://bucket/part", "gs", "gs://bucket", "gs://bucket/part/x"},
		{"s3://bucket/..", "s3", "s3://bucket", "s3://bucket/x"},
		{"a.b://c/d", "", "a.b:/c", "a.b:/c/d/x"},
	} {
		if got := storage.Scheme(c.path); got != c.scheme || storage.Remote(c.path) != (c.scheme != "") {
			t.Errorf("%s: scheme %q, want %q", c.path, got, c.scheme)
		}
		if got := storage.Folder(c.path); got != c.folder {
			t.Errorf("%s: folder %q, want %q", c.path, got, c.folder)
		}
		if got := storage.Join(c.path, "x"); got != c.joined {
			t.Errorf("%s: joined %q, want %q", c.path, got, c.joined)
		}
	}
}

// everywhere runs a test in a folder of this machine and in a bucket. Temporary
// files lie in temp, and none is left.
func everywhere(t *testing.T, test func(t *testing.T, ctx context.Context, dir string)) {
	run := func(name, dir string) {
		t.Run(name, func(t *testing.T) {
			temp := t.TempDir()
			t.Setenv("TMPDIR", filepath.Join(temp, "gone")) // the context's folder and no other
			test(t, storage.WithTempDir(t.Context(), temp), dir)
			if left, _ := os.ReadDir(temp); len(left) > 0 {
				t.Errorf("%s is left in the temporary folder", left[0].Name())
			}
		})
	}
	storagetest.NewBucket(t, "mem")
	run("local", filepath.Join(t.TempDir(), "run"))
	run("bucket", "mem://bucket/run")
}

// TestAFileAppearsWhole writes a file, and leaves it as it was where anything fails.
func TestAFileAppearsWhole(t *testing.T) {
	broken := errors.New("broken")
	everywhere(t, func(t *testing.T, ctx context.Context, dir string) {
		path := storage.Join(dir, "sub", "file")
		content := func() string {
			b, err := storage.ReadFile(ctx, path)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			return string(b)
		}
		for _, c := range []string{"", "first", "second"} {
			for what, write := range map[string]func() error{
				"a write that fails": func() error {
					return storage.WriteWith(ctx, storage.Default, path, func(w storage.Writer) error {
						w.Write([]byte("half"))
						return broken
					})
				},
				"a check that fails": func() error {
					f, err := storage.Create(ctx, storage.Default, path)
					if err != nil {
						return err
					}
					f.Write([]byte("half"))
					return f.Commit(func(string) error { return broken })
				},
				"a file whose context ends": func() error {
					ended, end := context.WithCancelCause(ctx)
					err := storage.WriteWith(ended, storage.Default, path, func(w storage.Writer) error {
						w.Write([]byte("half"))
						end(broken)
						return nil
					})
					if errors.Is(err, context.Canceled) {
						return context.Cause(ended)
					}
					return err
				},
				"a file that is aborted": func() error {
					f, err := storage.Create(ctx, storage.Default, path)
					if err != nil {
						return err
					}
					f.Write([]byte("half"))
					f.Abort()
					return broken
				},
			} {
				if err := write(); !errors.Is(err, broken) {
					t.Errorf("%s: %v", what, err)
				}
				if got := content(); got != c {
					t.Errorf("%s leaves %q, want %q", what, got, c)
				}
			}
			next := map[string]string{"": "first", "first": "second", "second": "third"}[c]
			if err := storage.WriteFile(ctx, path, []byte(next)); err != nil {
				t.Fatal(err)
			}
			if got := content(); got != next {
				t.Errorf("%q was written and %q is there", next, got)
			}
		}
		if names, err := storage.List(ctx, storage.Folder(path)); err != nil || !slices.Equal(names, []string{"file"}) {
			t.Errorf("%q lie there: %v", names, err)
		}
		if err := errors.Join(storage.Remove(ctx, path), storage.Remove(ctx, path)); err != nil {
			t.Errorf("it is removed, and what is not there too: %v", err)
		}
		if names, err := storage.List(ctx, storage.Join(dir, "absent")); err != nil || len(names) > 0 {
			t.Errorf("a folder that is not there holds %q: %v", names, err)
		}
	})
}

// TestWalk opens all that lies below a folder by the paths that it is given.
func TestWalk(t *testing.T) {
	everywhere(t, func(t *testing.T, ctx context.Context, dir string) {
		want := []string{"a", "below/b", "below/more/c"}
		for _, name := range want {
			if err := storage.WriteFile(ctx, storage.Join(dir, name), []byte(name)); err != nil {
				t.Fatal(err)
			}
		}
		var read []string
		err := storage.Walk(ctx, dir, func(file string) error {
			b, err := storage.ReadFile(ctx, file)
			read = append(read, string(b))
			return err
		})
		if err != nil || !slices.Equal(read, want) {
			t.Errorf("%q, %v", read, err)
		}
	})
}

// TestWriteAnywhere fills a file from its end.
func TestWriteAnywhere(t *testing.T) {
	everywhere(t, func(t *testing.T, ctx context.Context, dir string) {
		path := storage.Join(dir, "file")
		err := storage.WriteWith(ctx, storage.Default, path, func(w storage.Writer) error {
			_, last := w.WriteAt([]byte("world"), 6)
			_, first := w.WriteAt([]byte("hello "), 0)
			return errors.Join(first, last)
		})
		if b, read := storage.ReadFile(ctx, path); err != nil || read != nil || string(b) != "hello world" {
			t.Errorf("%q: %v, %v", b, err, read)
		}
	})
}

func TestSums(t *testing.T) {
	everywhere(t, func(t *testing.T, ctx context.Context, dir string) {
		path := storage.Join(dir, "file")
		if err := storage.WriteFile(ctx, path, []byte("abc")); err != nil {
			t.Fatal(err)
		}
		const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
		for p, is := range map[string]bool{path: true, storage.Join(dir, "absent"): false} {
			if has, err := storage.HasSum(ctx, p, want); has != is || err != nil {
				t.Errorf("%s has the sum: %v, %v", p, has, err)
			}
		}
		ended, end := context.WithCancel(ctx)
		end()
		if _, err := storage.HasSum(ended, path, want); !errors.Is(err, context.Canceled) {
			t.Errorf("a sum that nobody waits for: %v", err)
		}
	})
}

func TestLinks(t *testing.T) {
	everywhere(t, func(t *testing.T, ctx context.Context, dir string) {
		link := storage.Join(dir, "editions", "newest")
		for _, version := range []string{"one", "two"} {
			if err := storage.WriteFile(ctx, storage.Join(dir, "editions", version, "part"), []byte(version)); err != nil {
				t.Fatal(err)
			}
			if err := storage.Default.Link(ctx, version, link); err != nil {
				t.Fatal(err)
			}
		}
		if name, err := storage.Default.ReadLink(ctx, link); err != nil || name != "two" {
			t.Errorf("the link is to %q: %v", name, err)
		}
		if _, err := storage.Default.ReadLink(ctx, storage.Join(dir, "absent")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a link that is not there: %v", err)
		}
		// The link goes, and not what it leads to.
		if err := storage.Default.Remove(ctx, link); err != nil {
			t.Error(err)
		}
		if name, err := storage.Default.ReadLink(ctx, link); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the link was removed, and leads to %q: %v", name, err)
		}
		if _, err := storage.ReadFile(ctx, storage.Join(dir, "editions", "two", "part")); err != nil {
			t.Errorf("what the link led to: %v", err)
		}
	})
}

// TestOnDisk gives the file itself, or a copy that goes.
func TestOnDisk(t *testing.T) {
	everywhere(t, func(t *testing.T, ctx context.Context, dir string) {
		path := storage.Join(dir, "list.jsonl.gz")
		if err := storage.WriteFile(ctx, path, []byte("list")); err != nil {
			t.Fatal(err)
		}
		name, done, err := storage.OnDisk(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(name)
		if err != nil || string(b) != "list" || filepath.Base(name) != "list.jsonl.gz" || (name == path) == storage.Remote(path) {
			t.Errorf("%s holds %q: %v", name, b, err)
		}
		done()
		if _, _, err := storage.OnDisk(ctx, storage.Join("mem://bucket", "absent")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a file that is not there: %v", err)
		}
	})
}

func TestAnUploadThatLosesBytes(t *testing.T) {
	storagetest.NewBucket(t, "mem").Loses = 1
	if err := storage.WriteFile(t.Context(), "mem://bucket/file", []byte("abc")); !errors.Is(err, storage.ErrRefused) || !strings.Contains(err.Error(), "2 of 3 bytes") {
		t.Errorf("%v, want that 2 of 3 bytes arrived", err)
	}
}

// TestABucketThatOpensForEver asks for one whose credentials never come.
func TestABucketThatOpensForEver(t *testing.T) {
	never, opening := make(chan struct{}), make(chan struct{})
	storage.RegisterBuckets("slow", func() (storage.Bucket, error) {
		close(opening)
		<-never
		return nil, errors.New("no credentials")
	})
	t.Cleanup(func() { storage.RegisterBuckets("slow", nil) })
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-opening
		cancel()
	}()
	if _, err := storage.Reachable(ctx, "slow://bucket/file"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the context's error", err)
	}
	close(never)
	if _, err := storage.Reachable(t.Context(), "slow://bucket/file"); err == nil || !strings.Contains(err.Error(), "no credentials") {
		t.Errorf("opened later: %v", err)
	}
	if known, _ := storage.Reachable(t.Context(), "ftp://host/file"); known {
		t.Error("ftp is known")
	}
}

func TestWrap(t *testing.T) {
	if err := storage.Wrap("write", "f", nil); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{&fs.PathError{Op: "open", Path: ".f.12.tmp", Err: syscall.ENOSPC}, "write f: no space left on device; free some space and run again: what is finished is kept"},
		{&os.LinkError{Op: "rename", Old: ".f.12.tmp", New: "f", Err: syscall.EROFS}, "write f: read-only file system; choose a folder that you may write to"},
		{errors.New("out of order"), "write f: out of order; run again when the cause is gone: what is finished is kept"},
	} {
		err := storage.Wrap("write", "f", c.err)
		if err.Error() != c.want || !errors.Is(err, storage.ErrRefused) {
			t.Errorf("%v, want %s", err, c.want)
		}
		if cause := (*fs.PathError)(nil); errors.As(c.err, &cause) && !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%v has lost its cause", err)
		}
	}
	ended := fmt.Errorf("upload: %w", context.Canceled)
	for _, err := range []error{storage.Wrap("write", "f", ended), storage.Mark(ended)} {
		if errors.Is(err, storage.ErrRefused) || !errors.Is(err, context.Canceled) {
			t.Errorf("%v: an interruption is no fault of the storage", err)
		}
	}
}

// TestTreesOfBuckets names what is in a bucket as it names what is in a folder, and
// reads it.
func TestTreesOfBuckets(t *testing.T) {
	m := storagetest.NewBucket(t, "mem")
	for _, name := range []string{"books/b/c.txt", "books/a.txt", "books/b.txt", "other/z.txt"} {
		m.Objects["mem://bucket/"+name] = []byte(name)
	}
	ctx := storage.WithTempDir(t.Context(), t.TempDir())
	tree, err := storage.OpenTree(ctx, "mem://bucket/books/*.txt")
	if err != nil || tree.Root != "mem://bucket/books" || tree.Glob != "*.txt" || tree.Path("b/c.txt") != "mem://bucket/books/b/c.txt" {
		t.Fatalf("%+v, %v", tree, err)
	}
	var walked []string
	err = fs.WalkDir(tree.FS, ".", func(name string, d fs.DirEntry, err error) error {
		walked = append(walked, fmt.Sprintf("%s %v", name, d.IsDir()))
		return err
	})
	if want := []string{". true", "a.txt false", "b true", "b/c.txt false", "b.txt false"}; err != nil || !slices.Equal(walked, want) {
		t.Errorf("%q, %v, want %q", walked, err, want)
	}
	if b, err := fs.ReadFile(tree.FS, "b/c.txt"); err != nil || string(b) != "books/b/c.txt" {
		t.Errorf("%s, %v", b, err)
	}
	if _, err := fs.Stat(tree.FS, "b/d.txt"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "mem://bucket/books/b/d.txt") {
		t.Errorf("%v, want an error of mem://bucket/books/b/d.txt", err)
	}
	one, err := storage.OpenTree(ctx, "mem://bucket/books/a.txt")
	if err != nil || one.File != "a.txt" || one.Path(one.File) != "mem://bucket/books/a.txt" {
		t.Errorf("%+v, %v", one, err)
	}
	if _, err := storage.OpenTree(ctx, "mem://bucket/nothing"); err == nil || err.Error() != "no input at mem://bucket/nothing: nothing lies there" {
		t.Error(err)
	}
}

// A folder of this machine may have names that are not UTF-8, or that look like globs.
func TestTreesOfFolders(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a\xff.txt", "[b].txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := storage.OpenTree(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	err = fs.WalkDir(tree.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
			_, err = fs.Stat(tree.FS, name)
		}
		return err
	})
	if err != nil || len(names) != 2 {
		t.Errorf("%q, %v", names, err)
	}
	one, err := storage.OpenTree(t.Context(), filepath.Join(dir, "[b].txt"))
	if err != nil || one.File != "[b].txt" || one.Glob != "" {
		t.Errorf("%+v, %v", one, err)
	}
}

func TestUnknownSchemeIsNamed(t *testing.T) {
	_, err := storage.ReadFile(t.Context(), "ftp://host/file")
	if err == nil || !strings.Contains(err.Error(), "ftp:// is no kind of storage") {
		t.Error(err)
	}
}

func TestJoinAndFolder(t *testing.T) {
	for _, c := range [][2]string{
		{storage.Join("gs://b/run", "a", "b.json"), "gs://b/run/a/b.json"},
		{storage.Join("s3://b", "a"), "s3://b/a"},
		{storage.Join("s3://b/c", "../../../a"), "s3://b/a"},
		{storage.Join("out", "..", "a"), "a"},
		{storage.Join("", "a/b"), "a/b"},
		{storage.Folder("gs://b/run/a"), "gs://b/run"},
		{storage.Folder("out/a"), "out"},
		{storage.Folder("a"), "."},
	} {
		if c[0] != c[1] {
			t.Errorf("%q, should be %q", c[0], c[1])
		}
	}
}

// Errors of a copy name the path that the user knows, and stay what they are.
func TestRenamedErrorsStayWhatTheyAre(t *testing.T) {
	err := storage.Renamed(fmt.Errorf("/tmp/copy: %w", storage.ErrDamaged), "/tmp/copy", "gs://bucket/list")
	if !errors.Is(err, storage.ErrDamaged) || !strings.HasPrefix(err.Error(), "gs://bucket/list: ") {
		t.Errorf("%v, want an error of gs://bucket/list", err)
	}
}
