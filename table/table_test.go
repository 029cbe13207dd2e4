package table

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
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

func write[T any](t *testing.T, tab *Table[T], dir string, rows []T) ShardRecord {
	t.Helper()
	w, err := tab.Create(t.Context(), dir, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
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

func read[T any](t *testing.T, tab *Table[T], path string, columns ...string) []T {
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

func roundTrip[T any](t *testing.T, tab *Table[T], rows []T) {
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
