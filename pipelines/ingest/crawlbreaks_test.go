package ingest

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/sorting"
)

// Of a packed list that breaks off nothing is taken, however much it gave before,
// and all of the lists around it.
func TestABrokenListGivesNothing(t *testing.T) {
	dir := t.TempDir()
	var list []files.File
	for k, cut := range []int{0, 30, 0, 30} {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		for i := range 3 * listedItems {
			fmt.Fprintf(w, "{\"id\": \"%d-%d\", \"text\": \"some words of number %d\"}\n", k, i, i*i)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%d.jsonl.gz", k)
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, packed.Bytes()[:packed.Len()-cut], 0o644); err != nil {
			t.Fatal(err)
		}
		list = append(list, files.File{ID: name, Path: path, Rel: name})
	}
	l := &listing{members: func() ([]member, error) { return nil, nil }, leaveOut: func(_, _, _ string) bool { return false }, left: map[string]int64{}, shards: 2, source: "lists", sorted: sorting.Sorter{Dir: t.TempDir()}}
	defer l.sorted.Close()
	l.take(newItem("before", item{}))
	if err := listFiles(context.Background(), list, optionsOf(config.NewSource(config.KindFiles)), l.take); err != nil {
		t.Fatal(err)
	}
	l.take(newItem("after", item{}))
	if len(l.broken) != 2 {
		t.Errorf("%d lists broke off behind their first lines, want 2", len(l.broken))
	}
	got := map[string]int{}
	if err := l.each(func(_ int, row []byte) error {
		it := item{}
		if err := json.Unmarshal(row, &it); err != nil {
			return err
		}
		id := it.ID.String()
		switch {
		case it.Reject != nil:
			got["rejects"]++
		case len(id) > 1 && id[1] == '-':
			got[id[:1]]++
		default:
			got[id]++
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if want := map[string]int{"before": 1, "0": 3 * listedItems, "rejects": 2, "2": 3 * listedItems, "after": 1}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the lists gave %v, want %v", got, want)
	}
}
