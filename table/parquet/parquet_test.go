package parquet

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/storagetest"
)

// examples are rows with every kind of column filled and empty.
func sampleExamples() []commonplace.Example {
	var rows []commonplace.Example
	for i := range 200 {
		e := commonplace.Example{ID: fmt.Sprintf("c%03d", i), DocID: "b", Quote: "ſo – it 😀", QuoteBegin: int64(i), QuoteEnd: int64(i + 9), Similarity: 0.5, CrossesBoundary: i%3 == 0, Split: "train"}
		for j := range i % 7 {
			e.Tokens = append(e.Tokens, strings.Repeat("w", j))
			e.Tags = append(e.Tags, []string{"B", "I", "O"}[j%3])
		}
		rows = append(rows, e)
	}
	return rows
}

func sampleAlignments() []commonplace.Alignment {
	var rows []commonplace.Alignment
	for i := range 300 {
		a := commonplace.Alignment{ID: fmt.Sprint(i), Kind: commonplace.KindExact, SourceID: "b", SourceBegin: int64(i), SourceEnd: int64(i + 5), SourceText: "abcde", Similarity: 1, Score: -2.5}
		for j := range i % 4 {
			a.Parts = append(a.Parts, commonplace.Part{DerivedBegin: int64(j), DerivedEnd: int64(j + 1), SourceBegin: int64(i), SourceEnd: int64(i + j)})
		}
		rows = append(rows, a)
	}
	return rows
}

func read[T any](t *testing.T, tab *Schema[T], path string, columns ...string) []T {
	t.Helper()
	var rows []T
	for r, err := range tab.Rows(t.Context(), path, columns...) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

func roundTrip[T any](t *testing.T, tab *Schema[T], rows []T) {
	t.Helper()
	dir := t.TempDir()
	rec := write(t, tab, dir, rows)
	if rec.Rows != int64(len(rows)) || rec.File != "part-00000-of-00001.parquet" {
		t.Errorf("record %+v", rec)
	}
	got := read(t, tab, filepath.Join(dir, rec.File))
	if len(got) != len(rows) {
		t.Fatalf("%s: wrote %d rows, read %d", tab.Name, len(rows), len(got))
	}
	for i := range rows {
		if !reflect.DeepEqual(got[i], rows[i]) {
			t.Fatalf("%s row %d:\n got %+v\nwant %+v", tab.Name, i, got[i], rows[i])
		}
	}
	// The second writer finds used buffers in the pools: its bytes must not tell.
	if again := write(t, tab, t.TempDir(), rows); again != rec {
		t.Errorf("%s: the same rows gave %+v and %+v", tab.Name, rec, again)
	}
	if info, err := os.Stat(filepath.Join(dir, rec.File)); err != nil || info.Size() != rec.Bytes {
		t.Errorf("%v %v", info, err)
	}
}

func TestRoundTrip(t *testing.T) {
	roundTrip(t, Examples, sampleExamples())
	roundTrip(t, Alignments, sampleAlignments())
	roundTrip(t, Scores, []commonplace.Score{{PassageID: "a:000000", DocID: "a", Score: 1.25, Truncated: true}, {DocID: "a", Index: 1}})
	roundTrip(t, Documents, []commonplace.Document{})
	roundTrip(t, Documents, []commonplace.Document{{ID: "", Text: strings.Repeat("é", 3<<20)}, {ID: "x"}})
	roundTrip(t, Rejects, []commonplace.Reject{{Stage: "segment", Reason: "empty"}, {Stage: "segment", Reason: "empty"}})
}

// shardName is what a run calls its only shard.
const shardName = "part-00000-of-00001.parquet"

// create begins a file under the name of a run's shard.
func create[T any](t testing.TB, s *Schema[T], dir string) *Writer[T] {
	t.Helper()
	w, err := s.CreateFile(t.Context(), storage.Join(dir, shardName))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func write[T any](t testing.TB, s *Schema[T], dir string, rows []T) ShardRecord {
	t.Helper()
	w := create(t, s, dir)
	defer w.Abort()
	for _, r := range rows {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	rec, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// Files as a run's tables have them.
var (
	Documents  = sorted[commonplace.Document]("documents", "doc_id")
	Passages   = sorted[commonplace.Passage]("passages", "doc_id", "index")
	Alignments = sorted[commonplace.Alignment]("alignments", "source_id", "source_begin", "source_end", "quote_id", "derived_id", "derived_begin", "derived_end")
	Examples   = sorted[commonplace.Example]("examples", "doc_id", "quote_begin", "quote_end", "context_id")
	Quotes     = sorted[commonplace.Quote]("quotes", "quote_id")
	Scores     = sorted[commonplace.Score]("scores", "doc_id", "index")
	Rankings   = sorted[commonplace.Ranking]("rankings", "doc_id", "index")
	Rejects    = NewSchema[commonplace.Reject]("rejects")
)

func sorted[T any](name string, columns ...string) *Schema[T] {
	s := NewSchema[T](name)
	s.Duplicates = false
	if err := s.SortBy(columns...); err != nil {
		panic(err)
	}
	return s
}

// Of a list's fields some can be read alone; the others stay zero.
func TestFieldsOfAList(t *testing.T) {
	rows := sampleAlignments()
	dir := t.TempDir()
	path := filepath.Join(dir, write(t, Alignments, dir, rows).File)
	got := read(t, Alignments, path, "parts.source_end", "alignment_id", "parts.derived_end")
	for i, want := range rows {
		want = commonplace.Alignment{ID: want.ID, Parts: slices.Clone(want.Parts)}
		for k := range want.Parts {
			want.Parts[k].DerivedBegin, want.Parts[k].SourceBegin = 0, 0
		}
		if !reflect.DeepEqual(got[i], want) {
			t.Fatalf("row %d: %+v, want %+v", i, got[i], want)
		}
	}
	for _, none := range []string{"parts.nothing", "kind.parts", "parts."} {
		if _, err := Alignments.Open(t.Context(), path, "parts.source_end", none); err == nil || !strings.Contains(err.Error(), "no column "+none) {
			t.Errorf("%s: %v", none, err)
		}
	}
}

func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Log("root may write anywhere: the folder is a file instead")
	}
	path := filepath.Join(t.TempDir(), "file")
	os.WriteFile(path, nil, 0o644)
	if _, err := Documents.CreateFile(t.Context(), filepath.Join(path, "documents", shardName)); !errors.Is(err, storage.ErrRefused) {
		t.Errorf("%v", err)
	}
	m := storagetest.NewMemory()
	m.FailAt, m.Failure = 2, syscall.EROFS
	if _, err := Documents.On(m).CreateFile(t.Context(), "run/"+shardName); !errors.Is(err, storage.ErrRefused) || !strings.Contains(err.Error(), "may write to") {
		t.Errorf("%v", err)
	}
}

func TestShardsAreReadable(t *testing.T) {
	dir := t.TempDir()
	rec := write(t, Documents, dir, []commonplace.Document{{ID: "0"}})
	info, err := os.Stat(filepath.Join(dir, rec.File))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm()&0o600 != 0o600 || info.Mode().Perm()&0o111 != 0 {
		t.Errorf("mode %v", info.Mode())
	}
	want, _ := os.OpenFile(filepath.Join(dir, "umask"), os.O_CREATE|os.O_WRONLY, 0o644)
	like, _ := want.Stat()
	if info.Mode() != like.Mode() {
		t.Errorf("mode %v, a plain file has %v", info.Mode(), like.Mode())
	}
}

func TestOrder(t *testing.T) {
	for _, c := range []struct {
		rows []commonplace.Passage
		want []string
	}{
		{[]commonplace.Passage{{DocID: "b"}, {DocID: "a"}}, []string{`doc_id "a", index 0`, `doc_id "b", index 0`, "sorted"}},
		{[]commonplace.Passage{{DocID: "a", Index: 10}, {DocID: "a", Index: 9}}, []string{"index 9", "index 10", "sorted"}},
		{[]commonplace.Passage{{DocID: "a", Index: 1}, {DocID: "a", Index: 1}}, []string{"two rows", "index 1"}},
		{[]commonplace.Passage{{DocID: "a", Text: "\xff"}}, []string{"text", "UTF-8", `doc_id "a"`}},
	} {
		dir := t.TempDir()
		w, err := create(t, Passages, dir), error(nil)
		for _, r := range c.rows {
			err = w.Write(r)
		}
		if err == nil {
			t.Fatalf("%+v was written", c.rows)
		}
		for _, s := range c.want {
			if !strings.Contains(err.Error(), s) {
				t.Errorf("%q does not say %q", err, s)
			}
		}
		if _, closing := w.Close(); closing == nil {
			t.Error("Close after a wrong row worked")
		}
		if names, _ := storage.Local.List(t.Context(), dir); len(names) != 0 {
			t.Errorf("left: %v", names)
		}
	}
	w, _ := Examples.On(storagetest.NewMemory()).CreateFile(t.Context(), "run/"+shardName)
	if err := w.Write(commonplace.Example{Tokens: []string{"a", "\x80"}}); err == nil || !strings.Contains(err.Error(), "tokens") {
		t.Errorf("a list with bytes that are not UTF-8: %v", err)
	}
}

func TestLargestValue(t *testing.T) {
	defer func(n int) { maxValue = n }(maxValue)
	maxValue = 1000
	w, err := Documents.On(storagetest.NewMemory()).CreateFile(t.Context(), "run/"+shardName)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(commonplace.Document{ID: "a", Text: strings.Repeat("x", 900)}); err != nil {
		t.Error(err)
	}
	if err := w.Write(commonplace.Document{ID: "b", Text: strings.Repeat("x", 1001)}); err == nil || !strings.Contains(err.Error(), `doc_id "b"`) {
		t.Errorf("%v", err)
	}
}
