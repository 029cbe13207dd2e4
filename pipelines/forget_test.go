package pipelines

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/storagetest"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/verify"
)

// A book that nobody else has, whose id is no word.
const (
	secretID = "zq-withdrawn-7"
	secret   = "The harbourmaster of Quillon kept forty lanterns and trusted none of them. " +
		"He wrote that a lamp which never fails teaches a sailor nothing about the dark. " +
		"When the council came to count his oil they found the ledgers written in verse. "
)

// withSecret gives a config's books one more, long enough for passages.
func withSecret(t *testing.T, folder string) {
	t.Helper()
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "%sThat was entry %d of the Quillon harbour book.\n\n", secret, i)
	}
	if err := os.WriteFile(filepath.Join(folder, "books", secretID+".txt"), []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// holding are the files below a folder that have a book's id or a part of its text in
// any byte, as they are or unpacked. It knows nothing of the program's own search.
func holding(t *testing.T, dir string) (files []string) {
	t.Helper()
	parts := []string{secretID}
	for at := 0; at+40 <= len(secret); at += 20 {
		parts = append(parts, secret[at:at+40])
	}
	for _, part := range parts[1:] { // as an index has it
		parts = append(parts, strings.NewReplacer(" ", "", ".", "").Replace(strings.ToLower(part)))
	}
	has := func(b []byte) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return bytes.Contains(b, []byte(part)) })
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		found := has(b) || has([]byte(path))
		for rest := b; !found; {
			i := bytes.Index(rest, []byte{0x28, 0xb5, 0x2f, 0xfd})
			if i < 0 {
				break
			}
			if z, err := zstd.NewReader(bytes.NewReader(rest[i:])); err == nil {
				page, _ := io.ReadAll(z) // what follows the page is no page
				found = has(page)
				z.Close()
			}
			rest = rest[i+4:]
		}
		if found {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// runWithSecret has versions with the book and one before it, some rankings, and a build
// that failed and left its folder.
func runWithSecret(t *testing.T) (c *config.Config, folder string) {
	c, folder = small(t)
	c.Guard, c.Rankings.Keep = config.Default().Guard, 3
	c.Guard.Passages, c.Guard.Alignments = 0.1, 0.1 // of few books
	pipelinetest.Build(t, c)
	withSecret(t, folder)
	pipelinetest.Build(t, c)
	bookOf(t, folder, "salt.txt")
	pipelinetest.Build(t, c)
	bookOf(t, folder, "more.txt")
	if err := engine.Build(t.Context(), engine.Request{Config: c, Around: func(ctx context.Context, task engine.Task, work engine.MakeFunc) (table.TaskRecord, error) {
		if task.Stage == "rank" {
			return table.TaskRecord{}, errors.New("died")
		}
		return work(ctx, task)
	}}); err == nil {
		t.Fatal("the build did not fail")
	}
	if n := len(holding(t, c.Out)); n < 20 {
		t.Fatalf("only %d files have the book", n)
	}
	return c, folder
}

// What is forgotten is in no byte of the run, and the tables are those of a library that
// never had it. No later build takes it in, though its source has it.
func TestForget(t *testing.T) {
	c, folder := runWithSecret(t)
	report, err := engine.Forget(t.Context(), engine.Request{Config: c}, []string{secretID})
	if err != nil {
		t.Fatalf("%v: %+v", err, report)
	}
	if left := holding(t, c.Out); len(left) > 0 {
		t.Errorf("%d files have something of it, such as %s", len(left), left[0])
	}
	if len(report.Versions) != 3 || report.Searched.Pieces < 100 || report.Searched.Files < 50 || report.Searched.Unpacked < 10_000 || len(report.Sources) != 1 || report.Sources[0].Rel != secretID+".txt" {
		t.Errorf("the report says %+v", report)
	}
	whole := func(when string) {
		t.Helper()
		if err := readThrough(t.Context(), c.Out); err != nil {
			t.Errorf("%s: %v", when, err)
		}
		if _, err := verify.Tables(t.Context(), storage.Default, c.Out, func(p verify.Problem) { t.Errorf("%s: %v", when, p) }); err != nil {
			t.Error(err)
		}
		never := pipelinetest.Into(c, filepath.Join(t.TempDir(), "never"))
		book := filepath.Join(folder, "books", secretID+".txt")
		if err := os.Rename(book, filepath.Join(folder, "away")); err != nil {
			t.Fatal(err)
		}
		pipelinetest.Build(t, never)
		if err := os.Rename(filepath.Join(folder, "away"), book); err != nil {
			t.Fatal(err)
		}
		now, want := pipelinetest.Snapshot(t, c.Out), pipelinetest.Snapshot(t, never.Out)
		delete(now, "guard.json") // which counts what the sources have
		delete(want, "guard.json")
		if d := pipelinetest.Differing(now, want); len(d) > 0 {
			t.Errorf("%s: other bytes than of a library that never had the book in %v", when, d)
		}
	}
	whole("forgotten")
	bookOf(t, folder, "yet.txt")
	for _, force := range []bool{false, true} {
		if err := engine.Build(t.Context(), engine.Request{Config: c, Force: force}); err != nil {
			t.Fatal(err)
		}
		if left := holding(t, c.Out); len(left) > 0 {
			t.Errorf("forced: %v: it came back to %v", force, left)
		}
	}
	whole("after two builds")

	// again, after a clean search, when no text is left to look for; and what no version has
	if report, err = engine.Forget(t.Context(), engine.Request{Config: c}, []string{secretID}); err != nil || report.Documents[0].Characters != 0 || report.Known != 0 {
		t.Errorf("again: %v, %+v", err, report)
	}
	if _, err = engine.Forget(t.Context(), engine.Request{Config: c}, []string{"nobody"}); !errors.Is(err, config.ErrInvalid) {
		t.Errorf("a document that is not there: %v", err)
	}
}

// In a bucket, too, other versions are removed.
func TestForgetInABucket(t *testing.T) {
	bucket := storagetest.NewBucket(t, "memory")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c, folder := small(t)
	c.Out, c.Guard, c.Rankings.Keep = "memory://library/run", config.Guard{}, 2
	objects := func() string {
		dir := t.TempDir()
		for name, b := range bucket.Objects {
			file := filepath.Join(dir, strings.TrimPrefix(name, "memory://"))
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, b, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	withSecret(t, folder)
	pipelinetest.Build(t, c)
	if n := len(holding(t, objects())); n < 5 {
		t.Fatalf("only %d objects have the book", n)
	}
	// No build keeps temporary files in a bucket, so these are somebody's copies.
	copies := []string{".commonplace.tmp-old/x", ".commonplace.tmp/worker-1/groups", ".lock"}
	for _, name := range copies {
		bucket.Objects[c.Out+"/"+name] = []byte(secret)
	}
	for _, when := range []string{"first", "again"} {
		report, err := engine.Forget(t.Context(), engine.Request{Config: c}, []string{secretID})
		var left []string
		for _, l := range report.Left {
			left = append(left, l.Path)
		}
		if !errors.Is(err, engine.ErrLeft) || !slices.Equal(left, copies) {
			t.Errorf("%s: %v: left are %v, want %v", when, err, left, copies)
		}
	}
	for _, name := range copies {
		delete(bucket.Objects, c.Out+"/"+name)
	}
	report, err := engine.Forget(t.Context(), engine.Request{Config: c}, []string{secretID})
	if err != nil {
		t.Errorf("%v: %+v", err, report)
	}
	if left := holding(t, objects()); len(left) > 0 {
		t.Errorf("%d objects have something of it, such as %s", len(left), left[0])
	}
	current, err := table.Current(t.Context(), c.Out)
	if err != nil {
		t.Fatal(err)
	}
	versions, err := storage.List(t.Context(), storage.Folder(current))
	if err != nil || len(versions) != 1 {
		t.Errorf("versions %v are left (%v), want one", versions, err)
	}
	if _, err := verify.Tables(t.Context(), storage.Default, c.Out, func(p verify.Problem) { t.Error(p) }); err != nil {
		t.Error(err)
	}
}

// A run that is pinned forgets, too, and stays pinned. Exports that have the document
// are named, and so is what somebody has put into the run's folder.
func TestForgetOfAPinnedRun(t *testing.T) {
	c, _ := runWithSecret(t)
	if _, err := engine.Rollback(t.Context(), c.Out, 2); err != nil {
		t.Fatal(err)
	}
	export := filepath.Join(t.TempDir(), "export", "data")
	for _, err := range []error{
		os.MkdirAll(export, 0o755),
		os.WriteFile(filepath.Join(export, "rows.jsonl"), []byte(`{"doc_id":"`+secretID+`"}`), 0o644),
		os.WriteFile(filepath.Join(c.Out, "notes.txt"), []byte("see "+secret), 0o644),
		os.WriteFile(filepath.Join(c.Out, secretID+".note"), nil, 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	engine.NoteOutput(t.Context(), c.Out, "export", filepath.Dir(export))
	engine.NoteOutput(t.Context(), c.Out, "report", filepath.Join(t.TempDir(), "gone.html"))
	report, err := engine.Forget(t.Context(), engine.Request{Config: c}, []string{secretID})
	if !errors.Is(err, engine.ErrLeft) || len(report.Left) != 2 || report.Left[0].Path != "notes.txt" || report.Left[0].Pieces == 0 ||
		report.Left[1].Path != secretID+".note" || !slices.Equal(report.Left[1].NamedBy, []string{secretID}) {
		t.Errorf("%v: left are %+v", err, report.Left)
	}
	if len(report.Outputs) != 1 || report.Outputs[0].Path != filepath.Dir(export) || len(report.Unread) != 1 {
		t.Errorf("outside are %+v and %+v", report.Outputs, report.Unread)
	}
	if left := holding(t, c.Out); len(left) != 2 || filepath.Base(left[0]) != "notes.txt" {
		t.Errorf("%v have something of it", left)
	}
	if number, pinned, err := table.Pinned(t.Context(), c.Out); !pinned || number != report.Version || err != nil {
		t.Errorf("pinned: %v, to %d, and readers get %d (%v)", pinned, number, report.Version, err)
	}
	if err := pipelinetest.TryBuild(c); !errors.Is(err, engine.ErrPinned) {
		t.Errorf("it is built: %v", err)
	}
}

// Text that lies in the run's folder, and is in no version, is left, also in the folder of a
// table that was read. A text that another document has stays, and that document is named.
func TestForgetNamesWhatStays(t *testing.T) {
	c, folder := small(t)
	c.Guard = config.Guard{}
	withSecret(t, folder)
	book := filepath.Join(folder, "books", secretID+".txt")
	b, err := os.ReadFile(book)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "books", "the-same-again.txt"), b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	pipelinetest.Build(t, c)
	current, err := table.Current(t.Context(), c.Out)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(current, table.Documents.Name, "copy")
	if err := os.WriteFile(copied, b, 0o644); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(t.TempDir(), "archive")
	if err := errors.Join(os.Mkdir(archive, 0o755), os.WriteFile(filepath.Join(archive, "copy"), b, 0o644)); err != nil {
		t.Fatal(err)
	}
	c.Crawl.Archive = archive
	list := filepath.Join(t.TempDir(), "quotes.jsonl")
	entry := fmt.Sprintf(`{"quote_id": "harbour", "text": %q}`+"\n", strings.TrimSpace(secret))
	if err := os.WriteFile(list, append(fileOf(t, c.Quotes[0].Path), entry...), 0o644); err != nil {
		t.Fatal(err)
	}
	c.Quotes[0].Path = list
	report, err := engine.Forget(t.Context(), engine.Request{Config: c}, []string{secretID})
	if err != nil || len(report.Others) != 2 || report.Others[0].Document != "the-same-again" || report.Others[0].Pieces < 100 ||
		report.Others[1].List != c.Quotes[0].Name || report.Others[1].Pieces < 10 {
		t.Errorf("%v: also have it %+v", err, report.Others)
	}
	if len(report.Outputs) != 1 || report.Outputs[0].Path != archive {
		t.Errorf("outside are %+v", report.Outputs)
	}
	report, err = engine.Forget(t.Context(), engine.Request{Config: c}, []string{"the-same-again"})
	if !errors.Is(err, engine.ErrLeft) || len(report.Left) != 1 || filepath.Base(report.Left[0].Path) != "copy" || report.Left[0].Pieces < 100 {
		t.Errorf("%v: left are %+v", err, report.Left)
	}
}

// While documents are still to be forgotten, readers cannot be turned back to them.
func TestNoRollbackToWhatIsForgotten(t *testing.T) {
	c, _ := runWithSecret(t)
	_, err := engine.Forget(t.Context(), engine.Request{Config: c, Around: func(context.Context, engine.Task, engine.MakeFunc) (table.TaskRecord, error) {
		return table.TaskRecord{}, errors.New("died")
	}}, []string{secretID})
	if err == nil {
		t.Fatal("it did not die")
	}
	if _, err := engine.Rollback(t.Context(), c.Out, 0); !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), "forget") {
		t.Errorf("turned back: %v", err)
	}
	if _, err := engine.Pin(t.Context(), c.Out, true); err != nil {
		t.Fatal(err)
	}
	if err := pipelinetest.TryBuild(c); !errors.Is(err, engine.ErrPinned) || !strings.Contains(err.Error(), "forget again") {
		t.Errorf("built while pinned: %v", err)
	}
}

// Killed at any moment, readers get a whole version, and the same command, or the next
// build, ends with nothing left.
func TestForgetThatIsKilled(t *testing.T) {
	c, _ := runWithSecret(t)
	forget := func(fault func(int64, bool) error) (calls int64, of *config.Config, err error) {
		of = pipelinetest.Into(c, filepath.Join(t.TempDir(), "run"))
		if err := os.CopyFS(of.Out, os.DirFS(c.Out)); err != nil {
			t.Fatal(err)
		}
		f, lift := faultBelow(t, fault)
		defer lift()
		_, err = engine.Forget(t.Context(), engine.Request{Config: of}, []string{secretID})
		return f.calls.Load(), of, err
	}
	calls, _, err := forget(nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := int64(1); n < calls; n += int64(every(int(calls))) {
		_, of, err := forget(fromOn(n, syscall.EIO))
		if err == nil { // only the lease's removal failed, which the next build does
			if left := holding(t, of.Out); len(left) > 0 || n < calls*9/10 {
				t.Errorf("killed at call %d of %d: no error, and %v are left", n, calls, left)
			}
			continue
		}
		if err := readThrough(t.Context(), of.Out); err != nil {
			t.Errorf("killed at call %d of %d: %v", n, calls, err)
		}
		if n%2 == 0 {
			copied := filepath.Join(of.Out, "notes.txt")
			if err := os.WriteFile(copied, []byte(secret), 0o644); err != nil {
				t.Fatal(err)
			}
			var report *engine.ForgetReport
			report, err = engine.Forget(t.Context(), engine.Request{Config: of}, []string{secretID})
			if !errors.Is(err, engine.ErrLeft) || len(report.Left) != 1 {
				t.Errorf("killed at call %d of %d: the next one is %v, with a copy in the folder: %+v", n, calls, err, report.Left)
			}
			os.Remove(copied)
			_, err = engine.Forget(t.Context(), engine.Request{Config: of}, []string{secretID})
		} else if f, failed := engine.ReadForgotten(t.Context(), of.Out); failed != nil || len(f.Documents) > 0 {
			err = errors.Join(failed, pipelinetest.TryBuild(of))
		} else {
			continue // nothing was begun
		}
		if err != nil {
			t.Errorf("killed at call %d of %d: the next one: %v", n, calls, err)
		}
		if left := holding(t, of.Out); len(left) > 0 {
			t.Errorf("killed at call %d of %d: %v are left", n, calls, left)
		}
		os.RemoveAll(of.Out)
	}
}
