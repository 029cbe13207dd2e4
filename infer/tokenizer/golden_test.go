package tokenizer

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type textRow struct {
	Text string  `json:"text"`
	Pair *string `json:"pair"`
}

type goldenRow struct {
	IDs     []int64 `json:"ids"`
	Types   []int64 `json:"types"`
	Offsets []int   `json:"offsets"`
}

// eachLine decodes a file of JSON lines.
func eachLine[T any](t testing.TB, path string, yield func(line int, row T)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	n := 0
	for lines.Scan() {
		n++
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s:%d: %v", path, n, err)
		}
		yield(n, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func readTexts(t testing.TB, path string) []textRow {
	var rows []textRow
	eachLine(t, path, func(_ int, row textRow) { rows = append(rows, row) })
	return rows
}

// compare holds a tokenizer to what the reference made of the texts, and
// returns how many rows were equal.
func compare(t *testing.T, tok *Tokenizer, texts []textRow, golden string) (equal, all int) {
	t.Helper()
	eachLine(t, golden, func(line int, want goldenRow) {
		row := texts[line-1]
		all++
		var e Encoding
		var err error
		if row.Pair != nil {
			e, err = tok.EncodePair(row.Text, *row.Pair)
		} else {
			e, err = tok.Encode(row.Text)
		}
		if err != nil {
			t.Errorf("line %d: %v", line, err)
			return
		}
		if want.Types == nil {
			want.Types = make([]int64, len(want.IDs))
		}
		offsets := []int{}
		for _, s := range e.Spans {
			offsets = append(offsets, s.Begin, s.End)
		}
		switch {
		case !slices.Equal(e.IDs, want.IDs):
			t.Errorf("line %d, %q: ids\n%v, want\n%v", line, row.Text, e.IDs, want.IDs)
		case !slices.Equal(offsets, want.Offsets):
			t.Errorf("line %d, %q: offsets\n%v, want\n%v", line, row.Text, offsets, want.Offsets)
		case !slices.Equal(e.Types, want.Types):
			t.Errorf("line %d, %q: types %v, want %v", line, row.Text, e.Types, want.Types)
		default:
			equal++
		}
	})
	if all != len(texts) {
		t.Errorf("%d golden rows for %d texts", all, len(texts))
	}
	return equal, all
}

// The goldens are what the reference (Python, models/golden/train_tokenizers.py) says.
func TestEncodeEqualsTheReference(t *testing.T) {
	texts := readTexts(t, "testdata/texts.jsonl")
	files, err := filepath.Glob("testdata/*.golden.jsonl")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d golden files, %v", len(files), err)
	}
	for _, golden := range files {
		name := strings.TrimSuffix(filepath.Base(golden), ".golden.jsonl")
		t.Run(name, func(t *testing.T) {
			tok, err := Open(filepath.Join("testdata", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			equal, all := compare(t, tok, texts, golden)
			t.Logf("%d of %d equal", equal, all)
			tok.fast = nil
			compare(t, tok, texts, golden)
		})
	}
}
