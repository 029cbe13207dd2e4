package files

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	commonplace "github.com/commonplace/commonplace"
)

func gz(t testing.TB, s string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// folder writes files under a new folder and returns it.
func folder(t testing.TB, content map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range content {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestList(t *testing.T) {
	dir := folder(t, map[string]string{
		"emma.txt": "x", "moby.txt.gz": "x", "Alice.TXT": "x", "walden.gz": "x", "sub/deep/emma.txt": "x", "CON.txt": "x",
		"a b%2f.txt": "x", ".hidden.txt": "x", ".git/config.txt": "x", "quotes.jsonl": "x", "README.md": "x", "verses.csv.gz": "x",
	})
	duplicates := folder(t, map[string]string{"emma.txt": "x", "emma.txt.gz": "x"})
	for _, c := range []struct {
		patterns []string
		ids      []string
		rejects  []string
		skipped  int
	}{
		{[]string{dir}, []string{"Alice.TXT", "CON", "a b%2f", "emma", "moby", "sub/deep/emma", "walden"}, nil, 3},
		{[]string{dir + "/*.txt"}, []string{"CON", "a b%2f", "emma"}, nil, 0},
		{[]string{dir + "/**/*.txt"}, []string{"CON", "a b%2f", "emma", "sub/deep/emma"}, nil, 0},
		{[]string{dir + "/sub/**"}, []string{"deep/emma"}, nil, 0},
		{[]string{dir + "/**/deep/*.txt"}, []string{"sub/deep/emma"}, nil, 0},
		{[]string{dir + "/emma.txt", dir + "/*.gz"}, []string{"emma", "moby", "verses.csv", "walden"}, nil, 0},
		{[]string{dir + "/emma.txt", dir + "/emma.txt"}, []string{"emma"}, nil, 0},
		{[]string{dir + "/e*.txt", duplicates}, []string{"emma"}, []string{"emma", "emma"}, 0},
	} {
		l, err := List(t.Context(), c.patterns)
		if err != nil {
			t.Errorf("%q: %v", c.patterns, err)
			continue
		}
		var ids, rejects []string
		for _, f := range l.Files {
			ids = append(ids, f.ID)
		}
		for _, duplicate := range l.Duplicates {
			r := duplicate.Reject()
			rejects = append(rejects, r.ID)
			if r.Reason != "duplicate id" || !strings.Contains(r.Detail, "emma.txt") {
				t.Errorf("%q: reject %+v", c.patterns, r)
			}
		}
		if !slices.Equal(ids, c.ids) || !slices.Equal(rejects, c.rejects) || len(l.Skipped) != c.skipped {
			t.Errorf("%q: ids %q, rejects %q, skipped %q", c.patterns, ids, rejects, l.Skipped)
		}
	}
	for _, pattern := range []string{dir + "/none", dir + "/*.xyz", t.TempDir(), dir + "/[", "/no/such/**"} {
		if l, err := List(t.Context(), []string{pattern}); err == nil {
			t.Errorf("%q: no error but %+v", pattern, l.Files)
		}
	}
}

const framed = "Title: The Mill\r\nAuthor: Ann\r\nRelease Date: May 1, 2001 [EBook #77]\r\n\r\n*** START OF THIS PROJECT GUTENBERG EBOOK THE MILL ***\r\n\r\n" +
	"Élan vital.\r\nThe mill stood by the water, and the water stood by the mill.\r\n\r\n*** END OF THIS PROJECT GUTENBERG EBOOK THE MILL ***\r\n"

func TestRead(t *testing.T) {
	dir := folder(t, map[string]string{"mill.txt": framed, "mill2.txt.gz": gz(t, framed), "bom.txt": "\ufeffnaïve"})
	read := func(name string, opts Options) commonplace.Document {
		doc, reject := Read(context.Background(), newFile(filepath.Join(dir, name), name, 0), opts)
		if reject != nil {
			t.Fatalf("%s: %+v", name, reject)
		}
		if r := []rune(doc.Text); int64(len(r)) != doc.Characters || doc.FrameEnd-doc.FrameStart != doc.Characters {
			t.Errorf("%s: %d characters, said to be %d, frame [%d, %d)", name, len(r), doc.Characters, doc.FrameStart, doc.FrameEnd)
		}
		return doc
	}
	a, b := read("mill.txt", Options{Source: "s"}), read("mill2.txt.gz", Options{})
	if a.Text != b.Text || a.SHA256 != b.SHA256 || a.Text != "Élan vital.\r\nThe mill stood by the water, and the water stood by the mill." {
		t.Errorf("plain and gz differ, or wrong: %q, %q", a.Text, b.Text)
	}
	if string([]rune(framed)[a.FrameStart:a.FrameEnd]) != a.Text {
		t.Errorf("frame [%d, %d) does not give the text", a.FrameStart, a.FrameEnd)
	}
	if a.ID != "mill" || b.ID != "mill2" || a.Title != "The Mill" || a.Author != "Ann" || a.EBook != 77 || a.FrameStatus != "removed" || a.Source != "s" ||
		a.Encoding != "utf-8" || a.URL != "mill.txt" || a.RemovedFraction < 0.5 || a.RemovedFraction > 0.9 {
		t.Errorf("columns: %+v", a)
	}
	if whole := read("mill.txt", Options{Frame: FrameNone}); whole.Text != framed || whole.FrameStatus != "as is" {
		t.Errorf("frame none: %+v", whole)
	}
	if bare := read("mill.txt", Options{Bare: true}); bare.Text != framed || bare.FrameStatus != "as is" || bare.FrameEnd != bare.Characters {
		t.Errorf("bare: %+v", bare)
	}
	if bare := read("bom.txt", Options{Bare: true}); bare.Text != "\ufeffnaïve" {
		t.Errorf("bare keeps the mark: %q", bare.Text)
	}
	if doc := read("bom.txt", Options{}); doc.Text != "naïve" || doc.EncodingReason != "bom" {
		t.Errorf("the mark is no character of the decoded text: %+v", doc)
	}
}

// Bad files are refused with a reason; see the table of bad inputs.
func TestReadRefuses(t *testing.T) {
	whole := gz(t, strings.Repeat("The mill stood by the water. ", 2000))
	flipped := []byte(whole)
	flipped[len(flipped)-6] ^= 1 // in the checksum
	bomb := gz(t, strings.Repeat("\x00", 40<<20))
	dir := folder(t, map[string]string{
		"cut.txt.gz": whole[:len(whole)/2], "cut8.txt.gz": whole[:len(whole)-8], "crc.txt.gz": string(flipped),
		"garbage.txt.gz": whole + "trailing garbage", "notgz.txt.gz": "plain text", "emptygz.txt.gz": "", "bomb.txt.gz": bomb,
		"twice.txt.gz": whole + whole, "nested.txt.gz": gz(t, whole),
		"empty.txt": "", "blank.txt": " \r\n\t\u00a0\n", "nul.txt": strings.Repeat("\x00", 100),
		"header.txt": framed[:strings.Index(framed, "Élan")], "pdf.txt": "%PDF-1.4 ...", "zip.txt": "PK\x03\x04...", "png.txt": "\x89PNG\r\n\x1a\n",
		"binary.txt": strings.Repeat("\x01\x02abc\x03\x04", 100), "latin.txt": "caf\xe9 au lait", "big.txt": strings.Repeat("big ", 1000),
		"ok.txt": "The mill.",
	})
	if err := os.Mkdir(filepath.Join(dir, "folder.txt"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		opts   Options
		reason string
		detail string
	}{
		{"cut.txt.gz", Options{}, ReasonGzip, "unexpected EOF"},
		{"cut8.txt.gz", Options{}, ReasonGzip, "unexpected EOF"},
		{"crc.txt.gz", Options{}, ReasonGzip, "invalid checksum"},
		{"garbage.txt.gz", Options{}, ReasonGzip, "invalid header"},
		{"notgz.txt.gz", Options{}, ReasonGzip, "invalid header"},
		{"emptygz.txt.gz", Options{}, ReasonGzip, "EOF"},
		{"bomb.txt.gz", Options{}, ReasonLimit, "limits.ratio 200"},
		{"bomb.txt.gz", Options{MaxBytes: 1 << 20}, ReasonLimit, "max_bytes 1048576"},
		{"nested.txt.gz", Options{}, ReasonNotText, "gzip"},
		{"twice.txt.gz", Options{}, "", ""},
		{"empty.txt", Options{}, ReasonEmpty, "no byte"},
		{"blank.txt", Options{}, ReasonBlank, ""},
		{"blank.txt", Options{Bare: true}, ReasonBlank, ""},
		{"nul.txt", Options{}, ReasonNotText, "control"},
		{"header.txt", Options{}, ReasonHeaderOnly, "START OF"},
		{"pdf.txt", Options{}, ReasonNotText, "PDF"},
		{"zip.txt", Options{}, ReasonNotText, "zip"},
		{"png.txt", Options{}, ReasonNotText, "PNG"},
		{"binary.txt", Options{}, ReasonNotText, "control characters"},
		{"latin.txt", Options{Bare: true}, ReasonEncoding, "byte 3 is not UTF-8"},
		{"latin.txt", Options{}, "", ""},
		{"big.txt", Options{MaxBytes: 3999}, ReasonLimit, "max_bytes 3999"},
		{"big.txt", Options{MaxBytes: 4000}, "", ""},
		{"folder.txt", Options{}, ReasonUnreadable, "not a regular file"},
		{"missing.txt", Options{}, ReasonUnreadable, "no such file"},
		{"ok.txt", Options{}, "", ""},
	} {
		doc, err := Read(context.Background(), newFile(filepath.Join(dir, c.name), c.name, 0), c.opts)
		reject := commonplace.RejectOf(err)
		switch {
		case c.reason == "" && err != nil:
			t.Errorf("%s: %+v", c.name, reject)
		case c.reason == "":
		case reject == nil:
			t.Errorf("%s: taken, %d characters, want %s", c.name, doc.Characters, c.reason)
		case reject.Reason != c.reason || !strings.Contains(reject.Detail, c.detail) || reject.ID == "" || !strings.HasSuffix(reject.Location, c.name):
			t.Errorf("%s: %+v, want %s with %q", c.name, reject, c.reason, c.detail)
		}
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, reject := Read(canceled, newFile(filepath.Join(dir, "ok.txt"), "ok.txt", 0), Options{}); reject == nil {
		t.Error("a cancelled context reads on")
	}
	for _, id := range []string{"", "a\x00b", "line\nbreak", "\xff", strings.Repeat("x", 2000)} {
		f := File{ID: id, Path: filepath.Join(dir, "ok.txt"), Rel: "ok.txt"}
		_, err := Read(context.Background(), f, Options{})
		if reject := commonplace.RejectOf(err); reject == nil || reject.Reason != ReasonBadID || !utf8.ValidString(reject.ID) {
			t.Errorf("id %q: %+v", id, reject)
		}
	}
}

func TestOptionsCheck(t *testing.T) {
	for _, o := range []Options{{Frame: "gutenburg"}, {MaxBytes: -1}} {
		if o.Check() == nil {
			t.Errorf("%+v is not refused", o)
		}
	}
	if err := (Options{Frame: FrameAuto}).Check(); err != nil {
		t.Error(err)
	}
	if err := (QuoteOptions{Columns: map[string]string{"txt": "x"}}).Check(); err == nil || !strings.Contains(err.Error(), `"txt"`) {
		t.Error(err)
	}
}

// What Spark, and so passim, writes to a folder is read as a folder. Of other lists the error says
// how to name them.
func TestFoldersOfParts(t *testing.T) {
	dir := folder(t, map[string]string{
		"in/part-00000.json.gz": gz(t, `{"id":"a","text":"A"}`), "in/part-00001.json.gz": gz(t, ""), "in/_SUCCESS": "", "in/.part-00000.json.gz.crc": "x",
		"out/out.json/part-00000.json": `{"id":"b","text":"B"}`, "lists/notes.JSON.gz": "x", "lists/_SUCCESS": "", "odd [x]/All.JSONL.GZ": "x", "pictures/a.png": "x",
	})
	for name, want := range map[string]string{"in": "a=A", "out": "b=B"} {
		l, err := ListAll(t.Context(), []string{filepath.Join(dir, name)})
		if err != nil || len(l.Skipped) > 0 {
			t.Fatal(l, err)
		}
		var got []string
		for _, f := range l.Files {
			got = append(got, listedDocuments(f.Path, Options{})...)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	l, err := ListAll(t.Context(), []string{filepath.Join(dir, "in", "*")})
	if err != nil || len(l.Files) != 2 {
		t.Errorf("a glob: %v %v", l.Files, err)
	}
	if l, err := List(t.Context(), []string{filepath.Join(dir, "in")}); err != nil || len(l.Files) != 2 {
		t.Errorf("for programs that take texts as they are: %v %v", l.Files, err)
	}
	side := folder(t, map[string]string{"part-1.txt": "A", "part-1.json": `{"title":"T","text":"none"}`})
	if l, err := ListAll(t.Context(), []string{side}); err != nil || len(l.Files) != 1 || l.Files[0].ID != "part-1" {
		t.Errorf("a file beside a text: %v %v", l.Files, err)
	}
	for name, want := range map[string]string{
		"lists":    "it holds lists, such as notes.JSON.gz, which have to be named: " + dir + "/lists/**/*.JSON.gz (a record a line; an array has to be made lines first)",
		"odd [x]":  "it holds lists, such as All.JSONL.GZ, which have to be named: " + dir + `/odd \[x]/**/*.JSONL.GZ`,
		"pictures": "EPUB and PDF are not read",
	} {
		if l, err := ListAll(t.Context(), []string{filepath.Join(dir, name)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v %v", name, l, err)
		}
	}
	if l, err := ListAll(t.Context(), []string{dir + `/odd \[x]/**/*.JSONL.GZ`}); err != nil || len(l.Files) != 1 {
		t.Errorf("the glob that the error names: %v %v", l, err)
	}
}
