package files

import (
	"context"
	"path/filepath"
	"testing"
)

func TestListMirror(t *testing.T) {
	root := folder(t, map[string]string{
		"1/3/4/1342/1342-0.txt": framed, "9/98/98-8.zip": archive(t, "98-8.txt", "caf\xe9"), "2/3/9/6/23962/23962-5.txt": "\xac\xf5\xbc\xd3",
	})
	list, err := ListMirror(t.Context(), root, func(n int64) bool { return n != 7 })
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	want := []struct {
		id, encoding string
		ebook        int64
	}{{"98", "windows-1252", 98}, {"1342", "utf-8", 1342}, {"23962", "big5", 23962}}
	for i, f := range list {
		for d, r := range Documents(context.Background(), f, Options{}) {
			if r != nil || d.ID != want[i].id || d.Encoding != want[i].encoding || d.EBook != want[i].ebook {
				t.Errorf("%s: %+v %+v", f.Rel, d, r)
			}
		}
	}
	if _, err := ListMirror(t.Context(), filepath.Join(root, "1/3"), nil); err != nil {
		t.Error("a part of a mirror is one, too:", err)
	}
}
