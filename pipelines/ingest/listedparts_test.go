package ingest

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
)

// small makes parts of a file or a volume for a test.
func small(t *testing.T) {
	wasBytes, wasVolumes := listedBytes, listedVolumes
	listedBytes, listedVolumes = 1, 2
	t.Cleanup(func() { listedBytes, listedVolumes = wasBytes, wasVolumes })
}

// inTurn are workers that list the last part first, each of them twice, as an engine may.
func inTurn(out string) workers {
	return workers{out, func(ctx context.Context, parts []listedPart) error {
		for _, p := range slices.Backward(slices.Concat(parts, parts)) {
			var sent listedPart
			if err := json.Unmarshal(storage.MustJSON(p), &sent); err != nil {
				return err
			}
			if err := listTo(ctx, sent); err != nil {
				return err
			}
		}
		return nil
	}}
}

// Workers list what one machine lists: plain files, lists, archives that break off, what is
// refused, what cannot be read, catalogued books and scanned volumes, in the same order.
func TestWorkersListWhatOneMachineLists(t *testing.T) {
	small(t)
	mixed := config.NewSource(config.KindFiles)
	mixed.Name, mixed.Files = "mixed", []string{mixedFiles(t), filepath.Join(mixedFiles(t), "*.jsonl*")}
	sources := map[string]config.Source{
		"files": mixed, "gutenberg": catalogued(t, "gutenberg", 9, 10, 0), "hathitrust": catalogued(t, "hathitrust", 9, 10, 0),
	}
	for name, s := range sources {
		s.Kind = name
		here := kinds[name].local.(partLister)
		out := t.TempDir()
		w := inTurn(out)
		parts := 0
		w.run = func(run func(context.Context, []listedPart) error) func(context.Context, []listedPart) error {
			return func(ctx context.Context, p []listedPart) error { parts += len(p); return run(ctx, p) }
		}(w.run)
		want, wantNotes := itemsListed(t, here, s)
		got, notes := itemsListed(t, here.on(w), s)
		if parts < 2 || len(want) < 9 {
			t.Errorf("%s: %d items in %d parts", name, len(want), parts)
		}
		if !slices.Equal(notes, wantNotes) {
			t.Errorf("%s: notes %q, want %q", name, notes, wantNotes)
		}
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("%s: item %d of %d and %d\n%+v\nwant\n%+v", name, i, len(got), len(want), at(got, i), at(want, i))
			}
		}
		if left, err := os.ReadDir(cache.Dir(out)); len(left) > 0 {
			t.Errorf("%s: %s is left behind (%v)", name, left[0].Name(), err)
		}
	}
}

func at(list []item, i int) item {
	if i < len(list) {
		return list[i]
	}
	return item{}
}

// itemsListed are a source's items without the function that cannot be compared.
func itemsListed(t *testing.T, r sourceReader, s config.Source) (list []item, notes []string) {
	t.Helper()
	notes, err := r.list(t.Context(), s, func(it item) {
		it.SaidOf = nil
		list = append(list, it)
	})
	if err != nil {
		t.Fatal(err)
	}
	return list, notes
}

// mixedFiles is a folder with a file of each sort.
func mixedFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for i := range 2 * listedItems {
		fmt.Fprintf(z, "{\"id\": \"p%d\", \"text\": \"some words of number %d\"}\n", i, i*i)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"a.txt": "All happy families are alike.", "b/c.txt": "It was the best of times.", "e\xff.txt": "A name that is no UTF-8.",
		"lists/none.jsonl": "{\"id\": \"x\", \"text\": \"one\"}\nbroken\n{\"text\": \"without an id\"}\n{\"id\": \"x\", \"text\": \"again\"}\n",
		"whole.jsonl.gz":   packed.String(), "cut.jsonl.gz": packed.String()[:packed.Len()-30], "no.zip": "no zip", "page.html": "<p>Alike.</p>",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A build whose sources workers list makes the tables of one that lists them itself.
func TestABuildThatWorkersList(t *testing.T) {
	c := pipelinetest.Demo(t)
	stages := []string{"crawl", "segment"}
	build := func(c *config.Config) {
		t.Helper()
		if err := engine.Build(t.Context(), engine.Request{Config: c, Stages: stages}); err != nil {
			t.Fatal(err)
		}
	}
	build(c)
	small(t)
	other := pipelinetest.Into(c, filepath.Join(t.TempDir(), "spread"))
	build(other)
	if d := pipelinetest.Differing(pipelinetest.Snapshot(t, c.Out), pipelinetest.Snapshot(t, other.Out)); len(d) > 0 {
		t.Errorf("other bytes in %s", d)
	}
	failed := errors.New("no worker")
	l := workers{t.TempDir(), func(context.Context, []listedPart) error { return failed }}
	_, err := kinds[config.KindFiles].local.(partLister).on(l).list(t.Context(), c.Sources[0], func(item) {})
	if not := (notListed{}); !errors.As(err, &not) || !errors.Is(err, failed) {
		t.Errorf("of workers that fail: %v", err)
	}
}
