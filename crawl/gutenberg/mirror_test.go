package gutenberg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

func TestMirrorPath(t *testing.T) {
	for n, want := range map[int64]string{7: "0/7", 10: "1/10", 12345: "1/2/3/4/12345", 1342: "1/3/4/1342"} {
		if got := MirrorPath(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestMirror(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{
		"1/3/4/1342/1342-0.txt", "1/3/4/1342/1342-8.txt", "1/3/4/1342/1342.txt", "1/3/4/1342/1342-h/1342-h.htm", "1/3/4/1342/old/1342-0.txt",
		"0/7/7.txt", "0/7/7.zip", "2/3/9/6/23962/23962-5.txt", "2/3/9/6/23962/23962-5.zip",
		"cache/epub/1342/pg1342.txt", "cache/epub/84/pg84.txt.utf8", "cache/epub/84/pg84-images.html", "8/84/84-8.txt",
		"9/98/98-8.zip", "9/98/98-8.txt.20040101", "1/1342-0.txt", "cache/epub/feeds/pg_catalog.csv", "1/2/12/012.txt", "index.txt",
	} {
		p := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	editions, err := Mirror(t.Context(), os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range editions {
		got = append(got, fmt.Sprintf("%d %s %s %d", e.EBook, e.Name, e.Encoding, e.Others))
	}
	want := []string{"7 0/7/7.txt  1", "84 cache/epub/84/pg84.txt.utf8  1", "98 9/98/98-8.zip  0", "1342 1/3/4/1342/1342-0.txt  3", "23962 2/3/9/6/23962/23962-5.txt big5 1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	for _, folder := range []string{t.TempDir(), filepath.Join(root, "none")} {
		if _, err := Mirror(t.Context(), os.DirFS(folder)); err == nil {
			t.Errorf("%s is taken for a mirror", folder)
		}
	}
}

const catalogue = "\ufeffText#,Type,Issued,Title,Language,Authors,Subjects,LoCC,Bookshelves\r\n" +
	"1342,Text,1998-06-01,Pride and Prejudice,en,\"Austen, Jane, 1775-1817\",\"England -- Fiction; Young women -- Fiction\",PR,\"Best Books; Romance\"\r\n" +
	"5,Text,1975-12-01,\"The United States\nConstitution\",en,United States,Law,KF,\r\n" +
	"9,Sound,1977-01-01,Speech,en,X,,,\r\n" +
	"abc,Text,1977-01-01,Odd,en,X,,,\r\n" +
	"0,Text,1977-01-01,Odd,en,X,,,\r\n" +
	"77,Text\r\n" +
	"1342,Text,1998-06-01,Again,en,X,,,\r\n" +
	"11,Text,2008-06-27,Alice,en; fr,\"Carroll, Lewis\",,PZ,\r\n" +
	"12,Text,\"open,quote\r\n" +
	"13,Text,,No date,de,Y,,,\r\n"

func TestReadCatalog(t *testing.T) {
	var got []string
	var entries []Entry
	for e, err := range ReadCatalog(context.Background(), strings.NewReader(catalogue), "c.csv", bounded.Limits{}) {
		if r := commonplace.RejectOf(err); r != nil {
			got = append(got, r.Location+"!"+r.Reason)
			continue
		}
		entries = append(entries, e)
		got = append(got, fmt.Sprintf("%d %s %d %d", e.EBook, e.Title, len(e.Subjects), len(e.Shelves)))
	}
	want := []string{"1342 Pride and Prejudice 2 2", "5 The United States Constitution 1 0", "9 Speech 0 0", "c.csv:6!bad id", "c.csv:7!bad id",
		"c.csv:8!broken line", "c.csv:9!duplicate id", "11 Alice 0 0", "c.csv:11!broken line", "13 No date 0 0"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, c := range []struct {
		s    Selection
		want []int64
	}{
		{Selection{}, []int64{1342, 5, 11, 13}},
		{Selection{Languages: []string{"en"}}, []int64{1342, 5}},
		{Selection{Languages: []string{"en", "fr"}}, []int64{1342, 5, 11}},
		{Selection{Authors: []string{"austen", "carroll"}}, []int64{1342, 11}},
		{Selection{Subjects: []string{"romance"}}, []int64{1342}},
		{Selection{IDs: []int64{11, 12}}, []int64{11}},
		{Selection{From: "1990-01-01"}, []int64{1342, 11}},
		{Selection{To: "1998-06-01"}, []int64{1342, 5}},
	} {
		var ids []int64
		for _, e := range entries {
			if c.s.Wants(e) {
				ids = append(ids, e.EBook)
			}
		}
		if !slices.Equal(ids, c.want) {
			t.Errorf("%+v: %v, want %v", c.s, ids, c.want)
		}
	}
	for e, err := range ReadCatalog(context.Background(), strings.NewReader("a,b\n1,2\n"), "c.csv", bounded.Limits{}) {
		if !errors.Is(err, ErrUnusable) || commonplace.RejectOf(err) != nil || !strings.Contains(err.Error(), "Text#") {
			t.Errorf("wrong header: %+v %v", e, err)
		}
	}
}

// Empty values beside one that is kept are not kept: they are counted nowhere.
func TestCatalogKeepsNoFields(t *testing.T) {
	var catalogue strings.Builder
	catalogue.WriteString("Text#,Type,Issued,Title,Language\n")
	for n := range 40 {
		fmt.Fprintf(&catalogue, "%d,Text,2000-01-01,A,en%s\n", n+1, strings.Repeat(";", 900_000))
	}
	text := catalogue.String()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var entries []Entry
	for e, err := range ReadCatalog(t.Context(), strings.NewReader(text), "c", bounded.Limits{}) {
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if more := int64(after.HeapAlloc) - int64(before.HeapAlloc); len(entries) != 40 || more > 10<<20 {
		t.Errorf("%d MB are kept of %d books", more>>20, len(entries))
	}
	runtime.KeepAlive(text)
	runtime.KeepAlive(entries)
}

func FuzzCatalog(f *testing.F) {
	f.Add(catalogue)
	f.Add("Text#,Title,Language\n1,\"a\nb\",c\n\"\n2,x,y")
	f.Fuzz(func(t *testing.T, text string) {
		rows := 0
		seen := map[int64]bool{}
		for e, r := range ReadCatalog(context.Background(), strings.NewReader(text), "c", bounded.Limits{}) {
			rows++
			if r != nil {
				continue
			}
			if e.EBook <= 0 || seen[e.EBook] {
				t.Fatalf("%+v", e)
			}
			seen[e.EBook] = true
			Selection{Languages: []string{"en"}, Authors: []string{"a"}}.Wants(e)
		}
		if rows > strings.Count(text, "\n")+1 {
			t.Fatalf("%d rows", rows)
		}
	})
}
