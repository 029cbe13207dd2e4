package ingest

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/sorting"
)

// badIDs are ids of every sort that [crawl.ParseDocumentID] refuses.
var badIDs = []string{"", strings.Repeat("x", 1025), "a\xff\xfeb", "\xc3", "a\x00b", "a\x1bb", "a\x7fb", "a\nb", "a\tb"}

const goodID = "a good one"

// An item's id is a [crawl.DocumentID], so no source, of whatever kind, lists a document
// with a bad id. The row that is read must have the listed id (TestSwapped), so none is in a table.
func TestOneDoorForIDs(t *testing.T) {
	l := &listing{members: func() ([]member, error) { return nil, nil }, leaveOut: func(_, _, _ string) bool { return false }, left: map[string]int64{}, shards: 2, source: "any", sorted: sorting.Sorter{Dir: t.TempDir()}}
	defer l.sorted.Close()
	for _, id := range append(badIDs, goodID) {
		l.take(newItem(id, item{Rel: "somewhere"}))
	}
	taken, refused := 0, 0
	err := l.each(func(_ int, row []byte) error {
		var it item
		err := json.Unmarshal(row, &it)
		switch {
		case it.Reject != nil && it.Reject.Reason == files.ReasonBadID:
			refused++
		case !it.ID.IsZero(): // an item without an id is a line that could not be read
			taken++
			if it.ID.String() != goodID {
				t.Errorf("%q passed", it.ID)
			}
		}
		return err
	})
	if err != nil || taken != 1 || refused != len(badIDs)-1 {
		t.Errorf("%d taken, %d refused (%v)", taken, refused, err)
	}
}

// No reader of files takes a document with a bad id, or loses one without a word.
func TestNoReaderTakesABadID(t *testing.T) {
	ids := append(badIDs, goodID)
	jsonLines := func(quote func(string) string) []byte {
		var b bytes.Buffer
		for _, id := range ids {
			fmt.Fprintf(&b, "{\"id\": %s, \"text\": \"Some words that are long enough.\"}\n", quote(id))
		}
		return b.Bytes()
	}
	table := func(comma rune) []byte {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.Comma = comma
		w.Write([]string{"id", "text"})
		for _, id := range ids {
			w.Write([]string{id, "Some words that are long enough."})
		}
		w.Flush()
		return b.Bytes()
	}
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for _, id := range ids {
		w, err := z.CreateHeader(&zip.FileHeader{Name: id + ".txt", NonUTF8: true})
		if err == nil {
			_, err = w.Write([]byte("Some words that are long enough."))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	z.Close()
	escaped := func(id string) string { b, _ := json.Marshal(id); return string(b) }
	raw := func(id string) string { return `"` + id + `"` }
	lists := map[string][]byte{
		"list.jsonl": jsonLines(escaped), "raw.jsonl": jsonLines(raw), "table.csv": table(','), "table.tsv": table('\t'), "books.zip": packed.Bytes(),
		"page.html": []byte("<html><body><p>Some words that are long enough.</p></body></html>"), "a.warc": warcOf("http://a.org/", "Some words that are long enough."),
	}
	for _, kind := range config.Kinds() {
		if !kind.FromFiles {
			continue
		}
		dir := t.TempDir()
		all := []string{dir}
		for name, b := range lists {
			path := filepath.Join(dir, "list", name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, b, 0o644)); err != nil {
				t.Fatal(err)
			}
			all = append(all, path)
		}
		for _, id := range ids[1:] { // as names of files and of folders
			if len(id) < 200 && !strings.Contains(id, "\x00") {
				book, volume := filepath.Join(dir, id+".txt"), filepath.Join(dir, id, "pairtree_root", "ab", "ab", "ab.zip")
				err := errors.Join(os.WriteFile(book, []byte("Some words that are long enough."), 0o644), os.MkdirAll(filepath.Dir(volume), 0o755), os.WriteFile(volume, packed.Bytes(), 0o644))
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		good := 0
		for _, path := range all {
			s := config.NewSource(kind.Name)
			s.Files = []string{path}
			if kind.Name == config.KindPassages {
				s.Columns = map[string]string{"document": "id", "text": "text"}
			}
			c := &config.Config{Out: filepath.Join(t.TempDir(), "out"), Shards: 1, Sources: []config.Source{s}}
			external, err := Crawl{}.External(t.Context(), engine.NewPlanner(c))
			if err != nil {
				continue // the whole file is refused, with its reason
			}
			external.Release()
			docs, rejects, rec := crawlOnly(t, c)
			for _, d := range docs {
				if bad := crawl.BadID(d.ID); bad != "" {
					t.Errorf("%s: %s: a row has the id %q: %s", kind.Name, filepath.Base(path), d.ID, bad)
				}
				if strings.HasSuffix(d.ID, goodID) { // of an archive, behind its name
					good++
				}
			}
			if n := rec.In["inputs"]; n != int64(len(docs)+len(rejects)) || strings.HasSuffix(path, "list.jsonl") && kind.Name == config.KindFiles && n != int64(len(ids)) {
				t.Errorf("%s: %s: %d inputs, %d rows, %d rejects", kind.Name, filepath.Base(path), n, len(docs), len(rejects))
			}
		}
		if kind.Name == config.KindFiles && good != 8 { // five lists, and of the folder a file and two archives
			t.Errorf("%d documents have the good id, want 8", good)
		}
	}
}
