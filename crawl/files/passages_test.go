package files

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/bounded"
)

func csvFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "list.csv")
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadPassages(t *testing.T) {
	path := csvFile(t, "\ufeffbook,chapter,verse,text,n\nRuth,1,1,\"Now it  came,\nto pass\",7\nRuth,1,2,And the näme,\nRuth,2,1,And Naomi,0\nJude,1,1,Jude,12\n")
	docs, err := ReadPassages(context.Background(), path, map[string]string{"document": "book"}, Options{Source: "kjv"})
	if err != nil || len(docs) != 2 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	if d := docs[0]; d.ID != "Ruth" || d.Text != "1:1 Now it came, to pass\n1:2 And the näme\n\n2:1 And Naomi" || d.Characters != 56 || d.FrameEnd != 56 || d.Source != "kjv" {
		t.Errorf("%+v", d)
	}
	if docs[1].Text != "1:1 Jude" {
		t.Errorf("%+v", docs[1])
	}
	counts, err := ReadCounts(context.Background(), path, map[string]string{"document": "book", "text": "text", "count": "n"}, bounded.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]Count{
		"Ruth": {{1, "Now it  came,\nto pass", 7, true, 2}, {2, "And the näme", 0, false, 4}, {3, "And Naomi", 0, true, 5}},
		"Jude": {{1, "Jude", 12, true, 6}},
	}
	if !reflect.DeepEqual(counts, want) {
		t.Errorf("%+v", counts)
	}
}

func TestPassagesAndCountsAreRefused(t *testing.T) {
	for want, content := range map[string]string{
		"no column document":   "book,text\n",
		"2 fields where":       "document,text,count\na,b\n",
		"passage has no text":  "document,text,count\na, ,1\n",
		"the document is \"\"": "document,text,count\n,x,1\n",
	} {
		if _, err := ReadPassages(context.Background(), csvFile(t, content), nil, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	for want, content := range map[string]string{
		"no column count":   "document,text\n",
		"the count is \"-1": "document,count\na,-1\n",
		"the passage is":    "document,number,count\na,,1\n",
		"quotation mark":    "document,count\n\"a,1\n",
	} {
		columns := map[string]string{}
		if strings.Contains(content, "number") {
			columns["passage"] = "number"
		}
		if _, err := ReadCounts(context.Background(), csvFile(t, content), columns, bounded.Limits{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := ReadCounts(context.Background(), "none.csv", nil, bounded.Limits{}); err == nil {
		t.Error("a missing file is read")
	}
}
