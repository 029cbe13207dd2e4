package files

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// archive makes a zip of name, content pairs. A name that ends with @ is a link.
func archive(t testing.TB, pairs ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		h := &zip.FileHeader{Name: strings.TrimSuffix(pairs[i], "@"), Method: zip.Deflate}
		h.SetMode(0o644)
		if strings.HasSuffix(pairs[i], "@") {
			h.SetMode(fs.ModeSymlink | 0o777)
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(pairs[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// listedDocuments lists documents as id=text and rejects as id!reason.
func listedDocuments(path string, opts Options) []string {
	var got []string
	for d, err := range Documents(context.Background(), newFile(path, filepath.Base(path), 0), opts) {
		if r := commonplace.RejectOf(err); r != nil {
			got = append(got, r.ID+"!"+r.Reason)
			continue
		}
		got = append(got, fmt.Sprintf("%s=%s", d.ID, d.Text))
	}
	slices.Sort(got) // what is refused unread comes first
	return got
}

func TestDocuments(t *testing.T) {
	broken := []byte(archive(t, "a.txt", strings.Repeat("The mill stood. ", 100), "b.txt", "b"))
	broken[60] ^= 0xff // in the data of a.txt
	tei := `<?xml version="1.0"?><TEI xml:lang="la"><teiHeader><fileDesc><titleStmt><title>De
 Mola</title><author>Anna</author></titleStmt></fileDesc></teiHeader><text><body><div><head>I</head>
 <p>Mola <hi>stat</hi>iuxta   aquam;<note>a note</note> et
 aqua &amp; mola.</p><sp><speaker>ANNA</speaker><l>Prima linea</l><l>secunda</l></sp></div></body></text></TEI>`
	for _, c := range []struct {
		name, content string
		opts          Options
		want          []string
	}{
		{"one.zip", archive(t, "1342-0.txt", "naïve"), Options{}, []string{"one=naïve"}},
		{"two.zip", archive(t, "b.txt", "B", "dir/a.txt", "A", "img/x.png", "PNG", ".hidden.txt", "h", "__MACOSX/a.txt", "m"), Options{}, []string{"two/b=B", "two/dir/a=A"}},
		{"bad.zip", archive(t, "../x.txt", "x", "/abs.txt", "x", "a\\b.txt", "x", "link.txt@", "/etc/passwd", "in.zip", "PK", "empty.txt", "", "ok.txt", "ok"), Options{},
			[]string{"bad/../x!unsafe entry", "bad//abs!unsafe entry", `bad/a\b!unsafe entry`, "bad/empty!empty", "bad/in.zip!nested archive", "bad/link!unsafe entry", "bad/ok=ok"}},
		{"twice.zip", archive(t, "a.txt", "A", "a.txt", "B", "c.txt", "C"), Options{}, []string{"twice/a=A", "twice/a!duplicate id", "twice/c=C"}},
		{"bomb.zip", archive(t, "a.txt", strings.Repeat(" ", 40<<20), "b.txt", "b"), Options{}, []string{"bomb.zip!over the limit"}},
		{"all.zip", archive(t, "a.txt", strings.Repeat("a", 60), "b.txt", strings.Repeat("b", 101)), Options{MaxBytes: 100}, []string{"all/a=" + strings.Repeat("a", 60), "all/b!over the limit"}},
		{"none.zip", archive(t, "a.png", "x"), Options{}, []string{"none.zip!empty"}},
		{"not.zip", "no archive", Options{}, []string{"not.zip!broken zip"}},
		{"cut.zip", archive(t, "a.txt", "x")[:40], Options{}, []string{"cut.zip!broken zip"}},
		{"broken.zip", string(broken), Options{}, []string{"broken/a!broken zip", "broken/b=b"}},
		{"d.jsonl", `{"id":"a","text":"A\r\nB","series":"s"}` + "\n" + `{"doc_id":7,"text":"seven","title":"T"}` + "\nnope\n" + `{"id":"a","text":"again"}` + "\n" + `{"id":"e","text":" "}` + "\n" + `{"text":"x"}` + "\n" + `{"id":"w","text":[1]}` + "\n" + `{"id":"n\u0000","text":"x"}`,
			Options{}, []string{"a=A\r\nB", "7=seven", "!broken line", "a!duplicate id", "e!white space only", "!no id", "w!wrong type", "n\x00!bad id"}},
		{"d.jsonl.gz", gz(t, `{"id":"a","text":"A"}`), Options{}, []string{"a=A"}},
		{"long.ndjson", `{"id":"a","text":"` + strings.Repeat("x", 500) + `"}` + "\n" + `{"id":"b","text":"B"}`, Options{Limits: bounded.Limits{Line: 100}}, []string{"!over the limit", "b=B"}},
		{"cut.jsonl.gz", gz(t, `{"id":"a","text":"A"}`)[:20], Options{}, []string{"!broken gzip"}},
		{"mola.xml", tei, Options{}, []string{"mola=I\n\nMola statiuxta aquam; et aqua & mola.\n\nANNA\nPrima linea\nsecunda"}},
		{"open.xml", "<TEI><text><p>unclosed", Options{}, []string{"open!broken xml"}},
		{"deep.xml", strings.Repeat("<a>", 100000), Options{}, []string{"deep!over the limit"}},
		{"laughs.xml", `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><x>&b;</x>`, Options{}, []string{"laughs!broken xml"}},
		{"page.html", `<!DOCTYPE html><html><head><meta charset="iso-8859-1"><title>A  Page</title><style>p{}</style></head><body><h1>Caf` + "\xe9" + `</h1><p>One <b>two</b>three<br>four&nbsp;&amp; <i>five</i>.</p><script>if (a<b) {}</script><ul><li>x<li>y</ul><pre>a
  b</pre></body></html>`, Options{}, []string{"page=Café\n\nOne twothree\nfour & five.\n\nx\ny\n\na\nb"}},
		{"framed.htm", "<pre>Title: X\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n</pre><p>" + strings.Repeat("The mill stood. ", 9) + "</p><pre>\n*** END OF THIS PROJECT GUTENBERG EBOOK X ***</pre>",
			Options{}, []string{"framed=" + strings.TrimSpace(strings.Repeat("The mill stood. ", 9))}},
		{"bomb.html", strings.Repeat("<div><table><tr><td>", 200000) + "x", Options{}, []string{"bomb=x"}},
		{"script.html", "x<script>" + strings.Repeat("y", 100000), Options{}, []string{"script=x"}},
		{"tags.html", "<p><br></p>", Options{}, []string{"tags!white space only"}},
		{"plain.txt", "The mill.", Options{}, []string{"plain=The mill."}},
		{"void.jsonl", "", Options{}, []string{"!empty"}},
		{"case.jsonl", `{"ID":"x","id":"a","text":"A"}` + "\n" + `{"id":"b","Id":"x","DOC_ID":"x","text":"B"}` + "\n" + `{"ID":"x","text":"C"}`, Options{}, []string{"a=A", "b=B", "!no id"}},
		{"twice.jsonl", `{"id":"a","id":"b","text":"A"}` + "\n" + `{"id":"c","text":"C","text":"D"}` + "\n" + `{"id":"d","text":"\ud800"}`, Options{}, []string{"!broken line", "!broken line", "!broken line"}},
		{"utf8.jsonl", "{\"id\":\"a\xff\",\"text\":\"A\"}\n{\"id\":\"a\ufffd\",\"text\":\"B\"}", Options{}, []string{"!broken line", "a\ufffd=B"}},
		{"replaced.xml", "<?xml version=\"1.0\" encoding=\"ISO-2022-KR\"?><x>\x1b$)C text</x>", Options{}, []string{"replaced!not decodable"}},
		{"nosuch.xml", "<?xml version=\"1.0\" encoding=\"nosuch\"?><x>text</x>", Options{}, []string{"nosuch!broken xml"}},
		{"said.xml", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><x>caf\u00e9</x>", Options{}, []string{"said=caf\u00e9"}},
		{"mark.xml", "\ufeff<x>text</x>", Options{}, []string{"mark=text"}},
		{"wide.xml", "\xff\xfe<\x00x\x00>\x00a\x00<\x00/\x00x\x00>\x00", Options{}, []string{"wide=a"}},
		{"behind.xml", "<x>text</x>\nmore", Options{}, []string{"behind!broken xml"}},
		{"before.xml", "text<x>more</x>", Options{}, []string{"before!broken xml"}},
		{"two.xml", "<x>text</x><x>more</x>", Options{}, []string{"two!broken xml"}},
		{"none.xml", "only text", Options{}, []string{"none!broken xml"}},
		{"comment.xml", "<!-- c --><x>text</x><!-- c -->\n", Options{}, []string{"comment=text"}},
		{"svg.html", "<body><p>one<svg><g><p>two<p>three", Options{}, []string{"svg=one\n\ntwo\n\nthree"}},
		{"svgs.html", "<body><p>one<svg><title>t</title>two<svg></svg>three", Options{}, []string{"svgs=one\n\nttwothree"}},
		{"drawn.html", "<body><p>one<svg><foreignObject><p>label</p></foreignObject><svg></svg><text>t</text></svg><p>two", Options{}, []string{"drawn=one\n\ntwo"}},
		{"select.html", "<body><p>one<select><option>x<p>two", Options{}, []string{"select=one\n\nx\n\ntwo"}},
		{"noscript.html", "<body><p>one<noscript><p>two<p>three", Options{}, []string{"noscript=one\n\ntwo\n\nthree"}},
		{"closed.html", "<body><p>one<noscript>two</noscript><select><option>x</select><p>three", Options{}, []string{"closed=one\n\nthree"}},
	} {
		path := filepath.Join(folder(t, map[string]string{c.name: c.content}), c.name)
		slices.Sort(c.want)
		if got := listedDocuments(path, c.opts); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %.300q, want %.300q", c.name, got, c.want)
		}
	}
}

func TestTEIHeader(t *testing.T) {
	path := filepath.Join(folder(t, map[string]string{"a.xml": `<TEI.2 lang="grc"><teiHeader><fileDesc><titleStmt><title>T  x</title><author>A</author></titleStmt></fileDesc></teiHeader><text><body><p>` + "caf\xe9" + `</p></body></text></TEI.2>`,
		"b.xml": `<?xml version="1.0" encoding="ISO-8859-1"?><x>` + "caf\xe9" + `</x>`}), "a.xml")
	if got := listedDocuments(path, Options{}); !slices.Equal(got, []string{"a!broken xml"}) {
		t.Errorf("Latin-1 in UTF-8: %q", got)
	}
	for d, err := range Documents(context.Background(), newFile(filepath.Join(filepath.Dir(path), "b.xml"), "b.xml", 0), Options{}) {
		if err != nil || d.Text != "café" || d.Encoding != "iso-8859-1" {
			t.Errorf("%+v %+v", d, err)
		}
	}
}

// wholeDocuments reads what a fuzzer made: documents are valid and ids unique,
// rejects have a reason, and there are not more of both than the file can hold.
func wholeDocuments(t *testing.T, name string, content []byte, most int) {
	t.Helper()
	const limit = 1 << 20
	path := filepath.Join(folder(t, map[string]string{name: string(content)}), name)
	ids := map[string]bool{}
	n := 0
	for d, err := range Documents(context.Background(), newFile(path, name, 0), Options{MaxBytes: limit}) {
		if n++; n > most {
			t.Fatalf("more than %d documents and rejects", most)
		}
		if err != nil {
			if r := commonplace.RejectOf(err); r == nil || r.Reason == "" || !utf8.ValidString(r.ID+r.Detail+r.Location) {
				t.Fatalf("%+v", err)
			}
			continue
		}
		if ids[d.ID] || d.ID == "" || d.Text == "" || len(d.Text) > 4*limit || !utf8.ValidString(d.Text) || d.Characters != int64(utf8.RuneCountInString(d.Text)) {
			t.Fatalf("%+v", d)
		}
		ids[d.ID] = true
	}
	if n == 0 {
		t.Fatal("neither a document nor a reject")
	}
}

// Whatever the XML or the page.
func FuzzDocuments(f *testing.F) {
	f.Add([]byte(`<TEI><text><p>x</p><l>y</l></text></TEI>`), false)
	f.Add([]byte(`<title>t<p>x<pre>a\n\nb</pre><script>`), true)
	f.Fuzz(func(t *testing.T, content []byte, html bool) {
		name := "x.xml"
		if html {
			name = "x.html"
		}
		wholeDocuments(t, name, content, 1)
	})
}

// Whatever the list: each line that is not blank is a document or a reject.
func FuzzList(f *testing.F) {
	f.Add([]byte(`{"id":"a","text":"A"}` + "\n{"))
	f.Add([]byte("\ufeff" + `{"doc_id":7,"text":"A\u0000\ud800","date":"2001-02-03","title":null}` + "\r\n\n" + `{"id":"7","text":""}` + "\n[]\n\xff"))
	f.Add([]byte(`{"id":"a","text":["A"],"id":"b"}` + "\n" + `{"text":"no id"}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		wholeDocuments(t, "x.jsonl", content, strings.Count(string(content), "\n")+1)
	})
}

// Whatever is in an archive, under whichever names, and whichever of its bytes
// are others: entries are texts, refused, or passed over.
func FuzzZip(f *testing.F) {
	f.Add("a.txt\n../b.txt\nc/d.txt", []byte("A miller.\n"), true, uint16(0), byte(0))
	f.Add("a.txt\na.txt\n/etc/x.txt\nb.zip\nc\x00.txt\nd\\e.txt", []byte{}, false, uint16(40), byte(1))
	f.Add("\xff.txt\n.hidden.txt\n__MACOSX/a.txt", []byte("caf\xe9\x00"), true, uint16(30), byte(8))
	f.Fuzz(func(t *testing.T, names string, text []byte, packed bool, at uint16, other byte) {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		all := strings.Split(names, "\n")
		for _, name := range all[:min(len(all), 50)] {
			method := zip.Store
			if packed {
				method = zip.Deflate
			}
			e, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
			if err != nil {
				return // a name that is too long
			}
			if !strings.HasSuffix(name, "/") { // a folder has no text
				if _, err := e.Write(text); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		content := b.Bytes()
		content[int(at)%len(content)] ^= other
		wholeDocuments(t, "x.zip", content, len(all)+1)
		wholeDocuments(t, "x.zip", content[:int(at)%len(content)], len(all)+1) // cut
		wholeDocuments(t, "x.zip", text, 1<<20)
	})
}
