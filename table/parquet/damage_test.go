package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/storagetest"
)

// readAll reads a file as a table and never panics; an error must name the file.
func readAll[T any](t *testing.T, tab *Schema[T], path string) ([]T, error) {
	t.Helper()
	var rows []T
	for r, err := range tab.Rows(t.Context(), path) {
		if err != nil {
			if !strings.Contains(err.Error(), path) {
				t.Errorf("%q does not name the file", err)
			}
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func TestCutFiles(t *testing.T) {
	dir := t.TempDir()
	rec := write(t, Alignments, dir, sampleAlignments())
	whole, err := os.ReadFile(filepath.Join(dir, rec.File))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "cut.parquet")
	for n := 0; n < len(whole); n += 1 + n/40 {
		if err := os.WriteFile(path, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readAll(t, Alignments, path); !errors.Is(err, storage.ErrDamaged) {
			t.Errorf("cut after %d of %d bytes: %v", n, len(whole), err)
		}
	}
	for _, content := range []string{"", "PAR1", "PAR1PAR1PAR1", "PAR1\x00\x00\x00\x00PAR1", "PAR1\xff\xff\xff\xffPAR1", "<html>captcha</html>", strings.Repeat("PAR1", 99)} {
		os.WriteFile(path, []byte(content), 0o644)
		if _, err := readAll(t, Alignments, path); !errors.Is(err, storage.ErrDamaged) {
			t.Errorf("%.20q: %v", content, err)
		}
	}
	if _, err := readAll(t, Alignments, filepath.Join(dir, "absent.parquet")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
	if _, err := readAll(t, Alignments, dir); err == nil {
		t.Error("a folder was read as a file")
	}
}

// TestFlippedBytes flips every byte of a shard in turn. The reader may find
// nothing wrong only where the rows are right all the same, and it must not
// allocate what a broken length claims.
func TestFlippedBytes(t *testing.T) {
	files := storagetest.NewMemory()
	tab := Alignments.On(files)
	rows := sampleAlignments()[:12]
	rec := write(t, tab, "run", rows)
	path := "run/" + rec.File
	whole := files.Files[path]
	flips, missed := 0, 0
	allocated := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	for i := range whole {
		masks := []byte{1 << (i % 8), 0xff}
		for _, mask := range masks[:1+i%2] {
			broken := bytes.Clone(whole)
			broken[i] ^= mask
			files.Files[path] = broken
			metrics.Read(allocated)
			before := allocated[0].Value.Uint64()
			got, err := readAll(t, tab, path)
			metrics.Read(allocated)
			if n := allocated[0].Value.Uint64() - before; n > 64<<20 {
				t.Errorf("byte %d ^ %#x: %d MB allocated (%v)", i, mask, n>>20, err)
			}
			flips++
			if err != nil {
				if !errors.Is(err, storage.ErrDamaged) && !errors.Is(err, ErrColumn) {
					t.Errorf("byte %d ^ %#x: %v", i, mask, err)
				}
				continue
			}
			missed++ // statistics, indexes, the creator's name: nothing that rows depend on
			if !reflect.DeepEqual(got, rows) {
				t.Errorf("byte %d of %d ^ %#x changes rows unnoticed: %s", i, len(whole), mask, firstDifference(got, rows))
			}
		}
	}
	if missed == 0 || missed == flips {
		t.Errorf("%d flips, %d without an error: the test shows nothing", flips, missed)
	}
}

func TestForeignColumns(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f.parquet")
	// Another order, smaller and unsigned numbers, nulls, one column too many.
	type foreign struct {
		Extra   []string `parquet:"extra,list"`
		Score   float32  `parquet:"score"`
		Index   uint32   `parquet:"index"`
		Pass    *string  `parquet:"passage_id,optional,snappy"`
		Model   string   `parquet:"model,dict"`
		SHA     string   `parquet:"model_sha256,gzip"`
		Device  string   `parquet:"device,delta"`
		Prec    string   `parquet:"precision"`
		Cut     bool     `parquet:"truncated"`
		DocID   string   `parquet:"doc_id"`
		Comment *int64   `parquet:"comment,optional"`
	}
	id := "d:000000"
	in := []foreign{{Extra: []string{"x", "y"}, Score: 0.5, Index: 1 << 31, Pass: &id, Model: "m", Cut: true, DocID: "d"}, {DocID: "e"}}
	if err := parquet.WriteFile(path, in); err != nil {
		t.Fatal(err)
	}
	want := []commonplace.Score{{PassageID: id, DocID: "d", Index: 1 << 31, Score: 0.5, Model: "m", Truncated: true}, {DocID: "e"}}
	if got, err := readAll(t, Scores, path); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	// Without reasons, asked for or not; what a row held before is gone.
	r, err := Scores.Open(t.Context(), path, "score", "reasons")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	row := commonplace.Score{Reasons: []commonplace.Reason{{Feature: "of another"}}}
	if ok, err := r.Next(&row); !ok || err != nil || row.Score != 0.5 || row.Reasons != nil {
		t.Errorf("%v, %v, %+v", ok, err, row)
	}
	// A file of our own must have them.
	type ours struct {
		Score float64 `parquet:"score"`
	}
	own := filepath.Join(dir, "own.parquet")
	if err := parquet.WriteFile(own, []ours{{1}}, parquet.CreatedBy(createdBy, "1", "table")); err != nil {
		t.Fatal(err)
	}
	if _, err := Scores.Open(t.Context(), own, "score", "reasons"); !errors.Is(err, ErrColumn) || !strings.Contains(err.Error(), "no column reasons") {
		t.Errorf("our own file without reasons: %v", err)
	}

	type without struct {
		PassageID string `parquet:"passage_id"`
	}
	type typed struct {
		PassageID int64   `parquet:"passage_id"`
		DocID     string  `parquet:"doc_id"`
		Index     string  `parquet:"index"`
		Score     float64 `parquet:"score"`
	}
	parquet.WriteFile(path, []without{{"p"}})
	if _, err := readAll(t, Scores, path); !errors.Is(err, ErrColumn) || !strings.Contains(err.Error(), "no column doc_id") {
		t.Errorf("a missing column: %v", err)
	}
	parquet.WriteFile(path, []typed{{}})
	if _, err := readAll(t, Scores, path); !errors.Is(err, ErrColumn) || !strings.Contains(err.Error(), "passage_id should be string") {
		t.Errorf("a column of another type: %v", err)
	}
	// What is not asked for may be wrong.
	n := 0
	for s, err := range Values[float64](t.Context(), Scores, path, "score") {
		if n++; err != nil || s != 0 {
			t.Errorf("score %v, %v", s, err)
		}
	}
	if n != 1 {
		t.Errorf("%d scores", n)
	}
	for _, err := range Scores.Rows(t.Context(), path, "nonsense") {
		if err == nil || !strings.Contains(err.Error(), "nonsense") {
			t.Errorf("unknown column: %v", err)
		}
	}
	for _, err := range Values[string](t.Context(), Scores, path, "score") {
		if err == nil {
			t.Error("floats were read as strings")
		}
	}
}

func TestEmptyForeignFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.parquet")
	if err := parquet.WriteFile(path, []commonplace.Quote{}); err != nil {
		t.Fatal(err)
	}
	if rows, err := readAll(t, Quotes, path); err != nil || len(rows) != 0 {
		t.Errorf("%v, %v", rows, err)
	}
}

func TestRowGroups(t *testing.T) {
	var rows []commonplace.Document
	for i := range 30 {
		rows = append(rows, commonplace.Document{ID: fmt.Sprintf("%02d", i), Text: strings.Repeat(fmt.Sprintf("é%d ", i), 200_000), Source: []string{"a", "b"}[i%2]})
	}
	dir := t.TempDir()
	rec := write(t, Documents, dir, rows)
	path := filepath.Join(dir, rec.File)
	shard, err := openShard(t.Context(), storage.Local, path)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(shard.parquet.RowGroups()); n < 2 {
		t.Errorf("%d row groups: the test shows nothing", n)
	}
	shard.close()
	if got := read(t, Documents, path); !reflect.DeepEqual(got, rows) {
		t.Error("rows changed")
	}
	if got := read(t, Documents, path, "doc_id"); len(got) != len(rows) || got[29].ID != "29" || got[29].Text != "" {
		t.Errorf("doc_id alone: %d rows", len(got))
	}
	if again := write(t, Documents, t.TempDir(), rows); again != rec {
		t.Errorf("the same rows gave %+v and %+v", rec, again)
	}
}

func firstDifference(got, want []commonplace.Alignment) string {
	for i := range min(len(got), len(want)) {
		g, w := reflect.ValueOf(got[i]), reflect.ValueOf(want[i])
		for f := range g.NumField() {
			if a, b := g.Field(f).Interface(), w.Field(f).Interface(); !reflect.DeepEqual(a, b) {
				return fmt.Sprintf("row %d: %s is %v and was %v", i, g.Type().Field(f).Name, a, b)
			}
		}
	}
	return fmt.Sprintf("%d rows were %d", len(got), len(want))
}
