package parquet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

type sheetRow struct {
	ID      string       `parquet:"id" doc:"id"`
	Answers sheetAnswers `parquet:"answers" doc:"answers"`
}

type sheetAnswers struct {
	Text  []string `parquet:"text,list" doc:"texts"`
	Start []int64  `parquet:"answer_start,list" doc:"where they begin"`
}

// A sheet takes rows in any order and twice, columns that are structs of lists,
// and says in its footer what it was told to.
func TestSheet(t *testing.T) {
	sheet := NewSchema[sheetRow]("answers").With("key", "a value")
	path := filepath.Join(t.TempDir(), "sheet.parquet")
	w, err := sheet.CreateFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	rows := []sheetRow{{"b", sheetAnswers{[]string{"x", "é"}, []int64{1, 2}}}, {"a", sheetAnswers{}}, {"a", sheetAnswers{[]string{"y"}, []int64{3}}}}
	for _, r := range rows {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	// A string has its bytes and 4, a number 8.
	if w.Rows() != 3 || w.Bytes() != 3*5+(5+6+5)+3*8 {
		t.Errorf("%d rows, %d bytes", w.Rows(), w.Bytes())
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	info, _ := raw.Stat()
	f, err := parquet.OpenFile(raw, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := f.Lookup("key"); !ok || v != "a value" {
		t.Errorf("the footer says %q", v)
	}
	back, err := parquet.ReadFile[sheetRow](path)
	if err != nil {
		t.Fatal(err)
	}
	if len(back) != 3 || back[0].ID != "b" || back[0].Answers.Text[1] != "é" || back[2].Answers.Start[0] != 3 || len(back[1].Answers.Text) != 0 {
		t.Errorf("%+v", back)
	}
	w, err = sheet.CreateFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := w.Write(sheetRow{Answers: sheetAnswers{Text: []string{"\xff"}}}); err == nil || !strings.Contains(err.Error(), "answers is not UTF-8") {
		t.Errorf("%v", err)
	}
}
