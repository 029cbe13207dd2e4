package parquet

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/delta"

	"github.com/commonplace/commonplace/bounded"
)

// written is a table of rows that another program may have written.
func written[T any](t *testing.T, rows []T) string {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, parquet.Compression(&parquet.Zstd), parquet.PageBufferSize(256<<20), parquet.CreatedBy("somebody", "1", "1"))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bomb.parquet")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// foreignColumns are those of the tables below.
var foreignColumns = []Alias{{"doc_id", []string{"doc_id", "id"}, true}, {"text", []string{"text"}, true}, {"author", []string{"author"}, false}}

// readGuarded reads a table of documents and says how much was allocated for it.
func readGuarded(ctx context.Context, path string, l bounded.Limits) (rows int, took uint64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := Documents.OpenForeign(ctx, path, foreignColumns, l)
	if err == nil {
		defer r.Close()
		for _, failed := range r.Rows() {
			if err = failed; err != nil {
				break
			}
			rows++
		}
	}
	runtime.ReadMemStats(&after)
	return rows, after.TotalAlloc - before.TotalAlloc, err
}

// Small tables that hold very much: each is refused by a limit that it names, and
// little is allocated before.
func TestParquetBombs(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	type plain struct {
		ID   string `parquet:"id"`
		Text string `parquet:"text"`
	}
	type shared struct {
		ID   string `parquet:"id"`
		Text string `parquet:"text,delta"`
	}
	type dictionary struct {
		ID   string `parquet:"id"`
		Text string `parquet:"text,dict"`
	}
	var plains []plain
	var shareds []shared
	var dictionaries []dictionary
	for i := range 80 {
		text := long[:len(long)-i%2]
		plains = append(plains, plain{"a", text})
		shareds = append(shareds, shared{"a", long})
	}
	for i := range 2000 {
		dictionaries = append(dictionaries, dictionary{"a", long[:16<<10-i%2]})
	}
	same := make([]dictionary, 2000)
	for i := range same {
		same[i].Text = long[:16<<10]
	}
	many := make([]dictionary, 3000)
	for _, c := range []struct {
		name, path string
		limits     bounded.Limits
		key        string
	}{
		{"a page of one letter", written(t, plains), bounded.Limits{}, "limits.ratio"},
		{"texts that share all with the one before", written(t, shareds), bounded.Limits{}, "limits.ratio"},
		{"rows of a few long texts", written(t, dictionaries), bounded.Limits{}, "limits.ratio"},
		{"rows of one long text", written(t, same), bounded.Limits{}, "limits.ratio"},
		{"many rows", written(t, many), bounded.Limits{Records: 2000}, "limits.records"},
		{"pages that are open together", written(t, many), bounded.Limits{Memory: 10_000}, "limits."},
	} {
		info, err := os.Stat(c.path)
		if err != nil {
			t.Fatal(err)
		}
		rows, took, err := readGuarded(t.Context(), c.path, c.limits)
		var over *bounded.Error
		if !errors.As(err, &over) || !strings.HasPrefix(over.Limit, c.key) || !strings.Contains(err.Error(), "bomb.parquet") {
			t.Errorf("%s (%d bytes): %d rows and %v, want %s", c.name, info.Size(), rows, err, c.key)
		}
		if took > 64<<20 {
			t.Errorf("%s (%d bytes): %d MB were allocated", c.name, info.Size(), took>>20)
		}
	}
}

// A table as it should be passes, and gives what it gave.
func TestGuardedTable(t *testing.T) {
	type row struct {
		ID     string `parquet:"id"`
		Text   string `parquet:"text,delta"`
		Author string `parquet:"author,dict"`
	}
	var rows []row
	for i := range 5000 {
		rows = append(rows, row{string(rune('a'+i%26)) + strings.Repeat("x", i%7), strings.Repeat("word ", i%13), "somebody"})
	}
	r, err := Documents.OpenForeign(t.Context(), written(t, rows), foreignColumns, bounded.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	i := 0
	for d, err := range r.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		if d.ID != rows[i].ID || d.Text != rows[i].Text || d.Author != "somebody" {
			t.Fatalf("row %d: %+v, want %+v", i, d, rows[i])
		}
		i++
	}
	if i != len(rows) {
		t.Errorf("%d rows of %d", i, len(rows))
	}
}

// A short text that all rows have is read, however small it makes the file.
func TestOneAuthor(t *testing.T) {
	type row struct {
		ID     string `parquet:"id,dict"`
		Text   string `parquet:"text,dict"`
		Author string `parquet:"author,dict"`
	}
	rows := make([]row, 400_000)
	for i := range rows {
		rows[i] = row{"a", "b", strings.Repeat("a", 60)}
	}
	path := written(t, rows)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if most := (bounded.Limits{}).Unpacked(info.Size(), 1<<40); most > 60*int64(len(rows)) {
		t.Fatalf("%d bytes may hold %d, as much as the rows have", info.Size(), most)
	}
	if n, _, err := readGuarded(t.Context(), path, bounded.Limits{}); err != nil || n != len(rows) {
		t.Errorf("%d rows of %d: %v", n, len(rows), err)
	}
}

// Runs and differences that hold more values than their page says.
func TestValuesThatLie(t *testing.T) {
	run := binary.AppendUvarint([]byte{8}, 1<<30<<1) // the width, then a billion times
	run = append(run, 7)
	lie := binary.AppendUvarint(nil, 128)
	lie = binary.AppendUvarint(lie, 4)
	lie = binary.AppendUvarint(lie, 1<<30)
	lie = binary.AppendVarint(lie, 0)
	for name, c := range map[string]struct {
		page     []byte
		encoding int64
	}{
		"places": {run, dictionaryPlace}, "truths": {append([]byte{byte(len(run) - 1), 0, 0, 0}, run[1:]...), runLengths},
		"numbers": {lie, deltaPacked}, "lengths": {lie, deltaLengths}, "beginnings": {lie, deltaTexts},
	} {
		if _, err := valuesTake(c.page, pageHeader{kind: dataPage, encoding: c.encoding, values: 100}, levels{}); !errors.Is(err, errRuns) {
			t.Errorf("%s: %v", name, err)
		}
	}
	nulls := append([]byte{byte(len(run) - 1), 0, 0, 0}, run[1:]...)
	if _, err := valuesTake(nulls, pageHeader{kind: dataPage, values: 100}, levels{nulls: 1}); !errors.Is(err, errRuns) {
		t.Errorf("nulls: %v", err)
	}
}

// What is counted of texts that share their beginnings is what they are unpacked.
func FuzzSharedBeginnings(f *testing.F) {
	f.Add("abc\nabd\nabd\n\nabdabd", byte(3))
	f.Fuzz(func(t *testing.T, text string, times byte) {
		var src []byte
		offsets := []uint32{0}
		for range times {
			for _, s := range strings.Split(text, "\n") {
				src = append(src, s...)
				offsets = append(offsets, uint32(len(src)))
			}
		}
		page, err := new(delta.ByteArrayEncoding).EncodeByteArray(nil, src, offsets)
		if err != nil {
			t.Fatal(err)
		}
		made, err := valuesTake(page, pageHeader{kind: dataPage, encoding: deltaTexts, values: int64(len(offsets))}, levels{})
		if err != nil || made > int64(len(src)) || made+int64(len(page)) < int64(len(src)) {
			t.Errorf("%d of %d bytes, a page of %d: %v", made, len(src), len(page), err)
		}
	})
}

// Any bytes are an error or a count, never a panic.
func FuzzValues(f *testing.F) {
	f.Add([]byte{8, 0xff, 1}, int64(8), 1, int64(10))
	f.Fuzz(func(t *testing.T, page []byte, encoding int64, nulls int, values int64) {
		valuesTake(page, pageHeader{kind: dataPage, encoding: encoding % 10, values: values % (1 << 20)}, levels{nulls: nulls & 3})
		deltas(page, values%(1<<20), func(int64) {})
	})
}
