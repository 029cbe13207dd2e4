package hathitrust

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	commonplace "github.com/commonplace/commonplace"

	"github.com/commonplace/commonplace/bounded"
)

func TestPairtree(t *testing.T) {
	for id, want := range map[string]string{
		"uc2.ark:/13960/t1":  "uc2/pairtree_root/ar/k+/=1/39/60/=t/1/ark+=13960=t1",
		"mdp.39015012345678": "mdp/pairtree_root/39/01/50/12/34/56/78/39015012345678",
		"x.a b^c.d":          "x/pairtree_root/a^/20/b^/5e/c,/d/a^20b^5ec,d",
	} {
		got, err := PairPath(id)
		if err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", id, got, err, want)
		}
		_, local, _ := strings.Cut(id, ".")
		if back, err := LocalID(filepath.Base(want)); err != nil || back != local {
			t.Errorf("%s: back to %s, %v", want, back, err)
		}
	}
	for _, id := range []string{"", "mdp", "mdp.", ".x", "../x.y", "a/b.c"} {
		if p, err := PairPath(id); err == nil {
			t.Errorf("%q is taken: %s", id, p)
		}
	}
	for _, name := range []string{"a^2", "a^zz", "a.b", "a b", "^41"} {
		if id, err := LocalID(name); err == nil {
			t.Errorf("%q is taken: %s", name, id)
		}
	}
}

func FuzzPairtree(f *testing.F) {
	f.Add("ark:/13960/t1")
	f.Add("a^b,c=d+é\x00")
	f.Fuzz(func(t *testing.T, local string) {
		clean := CleanID(local)
		if strings.ContainsAny(clean, "/:\x00.") {
			t.Fatalf("%q: %q is no file's name", local, clean)
		}
		if back, err := LocalID(clean); err != nil || back != local {
			t.Fatalf("%q: %q: back to %q, %v", local, clean, back, err)
		}
		_, _ = LocalID(local)
	})
}

const mets = `<METS:mets xmlns:METS="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink"><METS:fileSec>
<METS:fileGrp USE="image"><METS:file ID="I1"><METS:FLocat xlink:href="00000001.tif"/></METS:file></METS:fileGrp>
<METS:fileGrp USE="ocr"><METS:file ID="T1"><METS:FLocat xlink:href="00000001.txt"/></METS:file><METS:file ID="T2"><METS:FLocat xlink:href="00000002.txt"/></METS:file></METS:fileGrp>
</METS:fileSec><METS:structMap TYPE="physical"><METS:div TYPE="volume">
<METS:div TYPE="page" ORDER="2" ORDERLABEL="1"><METS:fptr FILEID="T1"/><METS:fptr FILEID="I1"/></METS:div>
<METS:div TYPE="page" ORDER="1" LABEL="TITLE"><METS:fptr FILEID="T2"/></METS:div><METS:div TYPE="page" ORDER="3"/></METS:div></METS:structMap></METS:mets>`

func TestReadMETS(t *testing.T) {
	pages, err := ReadMETS(strings.NewReader(mets), bounded.Limits{})
	want := []METSPage{{"00000002.txt", 1, "", "TITLE"}, {"00000001.txt", 2, "1", ""}, {"", 3, "", ""}}
	if err != nil || !slices.Equal(pages, want) {
		t.Errorf("%+v, %v", pages, err)
	}
	pages, err = ReadMETS(strings.NewReader(strings.Replace(mets, `ORDER="2"`, `ORDER="9223372036854775807"`, 1)), bounded.Limits{})
	if err != nil || pages[2].Order != math.MaxInt {
		t.Errorf("a large number: %+v, %v", pages, err)
	}
	for _, bad := range []string{"", "<a>", "<a/>", `<d><div TYPE="page" ORDER="x"/></d>`, strings.Repeat("<a>", 100)} {
		if _, err := ReadMETS(strings.NewReader(bad), bounded.Limits{}); err == nil {
			t.Errorf("%.20q is taken", bad)
		}
	}
	if f, err := os.Open("../../../shared/data/hathitrust/39015012345678.mets.xml"); err == nil {
		defer f.Close()
		if pages, err := ReadMETS(f, bounded.Limits{}); err != nil || len(pages) != 2 || pages[1].File != "00000002.txt" {
			t.Errorf("the real file: %+v, %v", pages, err)
		}
	}
}

func FuzzMETS(f *testing.F) {
	f.Add(mets)
	f.Fuzz(func(t *testing.T, text string) {
		pages, err := ReadMETS(strings.NewReader(text), bounded.Limits{})
		if err == nil && len(pages) == 0 {
			t.Fatal("no pages and no error")
		}
	})
}

// dataset writes a pairtree with one volume.
func dataset(t *testing.T, metsFile string, pages ...string) string {
	t.Helper()
	root := t.TempDir()
	p, err := PairPath("uc2.ark:/13960/t1")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, p)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, filepath.Base(dir))
	f, err := os.Create(name + ".zip")
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	for i := len(pages) - 1; i >= 0; i-- {
		e, err := w.Create(fmt.Sprintf("ark+=13960=t1/%08d.txt", i+1))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Write([]byte(pages[i])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if metsFile != "" {
		if err := os.WriteFile(name+".mets.xml", []byte(metsFile), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func only(t *testing.T, root string) Volume {
	t.Helper()
	for v, err := range Volumes(t.Context(), os.DirFS(root)) {
		if err != nil {
			t.Fatal(err)
		}
		v.Zip = filepath.Join(root, v.Zip)
		if v.METS != "" {
			v.METS = filepath.Join(root, v.METS)
		}
		return v
	}
	t.Fatal("no volume")
	return Volume{}
}

func TestReadJoinsPages(t *testing.T) {
	pages := []string{
		"THE HISTORY OF MILLS\n\nThe mill stood by the wa-\nter and was well-\nknown; a well-known mill, and the water",
		"2   THE HISTORY OF MILLS\nturned it from morn-",
		"THE HISTORY OF MlLLS   3\n\ning to even-\n12",
		"4 THE HISTORY OF MILLS\nTide. Then\r\nit rested.\nB 2\n",
		"",
		"THE HISTORY OF MILLS 6\nElsewhere no head stands.\n",
	}
	v := only(t, dataset(t, "", pages...))
	if v.ID != "uc2.ark:/13960/t1" || v.METS != "" {
		t.Errorf("volume %+v", v)
	}
	doc, reject := Read(context.Background(), v, Record{Title: "Mills", Language: "eng", Rights: "pd"}, Options{Heads: true, Hyphens: true})
	if reject != nil {
		t.Fatal(reject)
	}
	const want = "The mill stood by the water and was well-\nknown; a well-known mill, and the water\nturned it from morning to even-\nTide. Then\nit rested.\nElsewhere no head stands."
	if doc.Text != want || doc.Title != "Mills" || doc.Rights != "pd" || len(doc.Pages) != 6 || len(doc.Hyphens) != 2 {
		t.Errorf("%q\n%+v", doc.Text, doc)
	}
	checkPages(t, doc, pages)
	plain, reject := Read(context.Background(), v, Record{}, Options{})
	if reject != nil {
		t.Fatal(reject)
	}
	checkPages(t, plain, pages)
	if len(plain.Hyphens) != 0 || !strings.Contains(plain.Text, "wa-\nter") {
		t.Errorf("%q", plain.Text)
	}
}

// checkPages puts every page together again from the columns.
func checkPages(t *testing.T, doc commonplace.Document, want []string) {
	t.Helper()
	runes := []rune(doc.Text)
	if doc.Characters != int64(len(runes)) {
		t.Errorf("%d characters, said to be %d", len(runes), doc.Characters)
	}
	letters := func(s string) string { return strings.Join(strings.Fields(strings.ReplaceAll(s, "-", "")), "") }
	for i, p := range doc.Pages {
		got := p.Head + "\n" + string(runes[p.Begin:p.End]) + "\n" + p.Foot
		if letters(got) != letters(want[i]) {
			t.Errorf("page %d: %q, want %q", i+1, got, want[i])
		}
	}
	for _, h := range doc.Hyphens {
		if h <= 0 || h >= int64(len(runes)) || runes[h-1] == ' ' || runes[h] == ' ' {
			t.Errorf("a hyphen at %d of %q", h, doc.Text)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct {
		name, mets string
		pages      []string
		opts       Options
		reason     string
	}{
		{"order of METS", mets, []string{"second", "first"}, Options{}, ""},
		{"page that METS lacks", mets, []string{"a", "b", "c"}, Options{}, "broken mets"},
		{"page that the zip lacks", mets, []string{"a"}, Options{}, "broken mets"},
		{"page that METS names twice", strings.Replace(mets, "00000002.txt", "00000001.txt", 1), []string{"a"}, Options{}, "broken mets"},
		{"page before the first", strings.Replace(mets, `ORDER="2"`, `ORDER="-2"`, 1), []string{"a", "b"}, Options{}, "broken mets"},
		{"broken METS", "<x", []string{"a"}, Options{}, "broken mets"},
		{"no words", "", []string{" ", ""}, Options{}, "white space only"},
		{"no pages", "", nil, Options{}, "empty"},
		{"too long", "", []string{"aaaaaaaaaa"}, Options{MaxBytes: 5}, "over the limit"},
		{"too many", "", []string{"a", "b"}, Options{MaxPages: 1}, "over the limit"},
	} {
		doc, err := Read(context.Background(), only(t, dataset(t, c.mets, c.pages...)), Record{}, c.opts)
		reject := commonplace.RejectOf(err)
		switch {
		case c.reason == "" && (err != nil || doc.Text != "first\nsecond"):
			t.Errorf("%s: %q, %+v", c.name, doc.Text, reject)
		case c.reason != "" && (reject == nil || reject.Reason != c.reason || reject.ID != "uc2.ark:/13960/t1"):
			t.Errorf("%s: %+v, want %s", c.name, reject, c.reason)
		}
	}
	if _, reject := Read(context.Background(), Volume{ID: "x.y", Zip: "none.zip"}, Record{}, Options{}); reject == nil {
		t.Error("a missing zip is read")
	}
}

// Two pages of one number have no order, so a volume of them is refused.
func TestPagesOfOneNumber(t *testing.T) {
	for _, names := range [][]string{{"00000001.txt", "1.txt"}, {"+7.txt", "7.txt"}, {"-1.txt", "1.txt"}} {
		v := only(t, dataset(t, "", "a"))
		f, err := os.Create(v.Zip)
		if err != nil {
			t.Fatal(err)
		}
		w := zip.NewWriter(f)
		for _, name := range names {
			e, err := w.Create(name)
			if err == nil {
				_, err = e.Write([]byte("words of " + name))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
		_, err = Read(t.Context(), v, Record{}, Options{})
		if reject := commonplace.RejectOf(err); reject == nil || reject.Reason != "broken zip" {
			t.Errorf("%q: %v", names, err)
		}
	}
}

func TestVolumesRefuses(t *testing.T) {
	features := t.TempDir()
	if err := os.WriteFile(filepath.Join(features, "mdp.1.json.bz2"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{features: "bag of words", t.TempDir(): "no volume", "none": "no such file"} {
		for v, err := range Volumes(t.Context(), os.DirFS(folder)) {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %+v, %v; want %s", folder, v, err, want)
			}
		}
	}
}

func TestReadHathifile(t *testing.T) {
	row := func(id, lang, title string) string {
		f := make([]string, columns)
		f[colHTID], f[colRights], f[colLanguage], f[colTitle], f[colAuthor], f[colPublished] = id, "pd", lang, title, "A. B.", "1890"
		return strings.Join(f, "\t")
	}
	text := row("mdp.1", "eng", `The "Mill"`) + "\nmdp.2\tdeny\n" + row("nodot", "eng", "x") + "\n\n" + row("mdp.3", "ger", "Die Mühle") + "\n" + row("mdp.4", "eng", "A dictionary of mills") + "\n"
	filter := Filter{Languages: []string{"eng"}, TitleWords: []string{"dictionary", "anthology"}}
	var got []string
	for r, err := range ReadHathifile(context.Background(), strings.NewReader(text), "h.tsv", bounded.Limits{}) {
		if reject := commonplace.RejectOf(err); reject != nil {
			got = append(got, reject.Location+"!"+reject.Reason)
			continue
		}
		got = append(got, fmt.Sprintf("%s %s %s %s", r.HTID, r.Title, r.Published, filter.Refuses(r)))
	}
	want := []string{`mdp.1 The "Mill" 1890 `, "h.tsv:2!broken line", "h.tsv:3!bad id", `mdp.3 Die Mühle 1890 its language is "ger"`, `mdp.4 A dictionary of mills 1890 its title has the word "dictionary"`}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if f, err := os.Open("../../../shared/data/hathitrust/hathifile-sample.tsv"); err == nil {
		defer f.Close()
		for r, err := range ReadHathifile(context.Background(), f, "sample", bounded.Limits{}) {
			if err != nil || r.Language != "eng" || r.Rights != "ic" || !strings.HasPrefix(r.Author, "Russell") {
				t.Errorf("the real file: %+v, %v", r, err)
			}
		}
	}
}

// The largest limits are none, and no volume is empty for them.
func TestLargestLimits(t *testing.T) {
	root := dataset(t, mets, "The text.\n", "A title.\n")
	l := bounded.Limits{Ratio: math.MaxInt64, Line: math.MaxInt64, Memory: math.MaxInt64}
	doc, err := Read(t.Context(), only(t, root), Record{}, Options{MaxBytes: math.MaxInt64, Limits: l})
	if err != nil || !strings.Contains(doc.Text, "The text.") || !strings.Contains(doc.Text, "A title.") {
		t.Errorf("%q, %v", doc.Text, err)
	}
}

// A byte order mark belongs to no id, and words to exclude may have any letters.
func TestHathifilesOfOtherPrograms(t *testing.T) {
	f := make([]string, columns)
	f[colHTID], f[colLanguage], f[colTitle] = "mdp.1", "ger", "Deutsches Wörterbuch (Œuvre)"
	for r, err := range ReadHathifile(t.Context(), strings.NewReader("\ufeff"+strings.Join(f, "\t")+"\r\n"), "h.tsv", bounded.Limits{}) {
		if err != nil || r.HTID != "mdp.1" {
			t.Errorf("%+v, %v", r, err)
		}
		for _, word := range []string{"wörterbuch", "Wörterbuch", "œuvre"} {
			if (Filter{TitleWords: []string{word}}).Refuses(r) == "" {
				t.Errorf("%q does not refuse %q", word, r.Title)
			}
		}
	}
}

func FuzzHathifile(f *testing.F) {
	f.Add("mdp.1\tallow\tpd\n\t\t\n\xff")
	f.Fuzz(func(t *testing.T, text string) {
		rows := 0
		for range ReadHathifile(context.Background(), strings.NewReader(text), "h", bounded.Limits{}) {
			rows++
		}
		if rows > strings.Count(text, "\n")+1 {
			t.Fatal(rows)
		}
	})
}

// A volume of nothing but lines or of nothing but new words is over the limit.
func TestVolumesOfLinesAndWords(t *testing.T) {
	var words strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&words, "%s ", strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprint(i)))
	}
	for name, page := range map[string]string{"lines": "a" + strings.Repeat("\n", 20_000) + "a", "words": words.String()} {
		opts := Options{Hyphens: true, Limits: bounded.Limits{Memory: 1 << 20}}
		_, err := FromPages("x.1", [][]byte{[]byte(page)}, Record{}, opts)
		if reject := commonplace.RejectOf(err); reject == nil || reject.Reason != "over the limit" || !strings.Contains(reject.Detail, "limits.memory") {
			t.Errorf("%s: %v", name, err)
		}
		opts.Limits = bounded.Limits{}
		if _, err := FromPages("x.1", [][]byte{[]byte(page)}, Record{}, opts); err != nil {
			t.Errorf("%s, with the default: %v", name, err)
		}
	}
}

// However the pages are made, they can be put together again.
func FuzzJoin(f *testing.F) {
	f.Add("HEAD\na-\nb\f2\nHEAD\nc-\fHEAD\nd", true)
	f.Add("", true)
	f.Fuzz(func(t *testing.T, text string, both bool) {
		text = strings.ToValidUTF8(text, "?")
		raw := strings.Split(text, "\x01")
		var pages []page
		for _, p := range raw {
			pages = append(pages, newPage(p))
		}
		out := make([]commonplace.Page, len(pages))
		if both {
			dropHeads(pages)
		}
		joined, hyphens, err := join(pages, out, both, &bounded.Budget{Most: 1 << 40})
		if err != nil {
			t.Fatal(err)
		}
		runes := []rune(joined)
		end := int64(0)
		for i, p := range out {
			if p.Begin < end || p.End < p.Begin || p.End > int64(len(runes)) {
				t.Fatalf("%q: page %d: %+v after %d", text, i, p, end)
			}
			end = p.End
		}
		for _, h := range hyphens {
			if h < 0 || h > int64(len(runes)) {
				t.Fatalf("%q: hyphen at %d of %d", text, h, len(runes))
			}
		}
	})
}
