package bounded

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// No tag that a parser reads has more attributes than Tags counted.
func FuzzTags(f *testing.F) {
	for _, s := range []string{`<p a b=c d="e f" g='>'>`, "<!--><p a b c d>", `<?x > <!-- ?><a b="" c="" d="" e=""/>`, `<!DOCTYPE a "<!--"><a b="" c="" d="" e=""/>`,
		"<title><!--</title><p a b c d>", `<p " a b c d>`, "<p a<b a<c a<d a<e>", `<_ b="" c="" d="" e=""/>`, "<script></scripts a=\"</script><p a b c d>",
		"<p/a/b/c/d>", "<p a = b == c =d e>", "<svg><title><p a b c d>", "<a b=''c=''d=''e=''/>", "<textarea><p a='</textarea><p a b c d>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const most = 3
		if CheckTags(text, Limits{Attributes: most}) != nil {
			return
		}
		z := html.NewTokenizer(strings.NewReader(text))
		for z.Next() != html.ErrorToken {
			if n := len(z.Token().Attr); n > most {
				t.Fatalf("HTML: %d attributes", n)
			}
		}
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			token, err := d.RawToken()
			if err != nil {
				return
			}
			if e, ok := token.(xml.StartElement); ok && len(e.Attr) > most {
				t.Fatalf("XML: %d attributes", len(e.Attr))
			}
		}
	})
}

// XML reads what the standard library reads, but for name spaces.
func FuzzXML(f *testing.F) {
	for _, s := range []string{"<a>b</a>", "<a><b/></a> ", "<a>", "</a>", "<a></b>", "<a:b xmlns:a='c'></a:b>", "<a:b xmlns:a='c' xmlns:d='c'></d:b>", "a", "",
		"<a xmlns='b'><c xmlns='d'/></a><e>&amp;&eacute;</e>", "<?xml version='1.0' encoding='x'?><a/>", "<a><![CDATA[<b>]]><!-- c --></a>", "<a></a", "<a/></a>", "<a></A>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := xml.NewDecoder(strings.NewReader(text))
		d.Entity = xml.HTMLEntity
		x := NewXML(strings.NewReader(text), Limits{Depth: 1 << 20}, nil)
		for {
			want, failed := d.Token()
			got, err := x.Token()
			if (failed == io.EOF) != (err == io.EOF) || (failed == nil) != (err == nil) {
				t.Fatalf("error %v, must be %v", err, failed)
			}
			if err != nil {
				return
			}
			if said(got) != said(want) {
				t.Fatalf("%s, must be %s", said(got), said(want))
			}
		}
	})
}

// said is a token without name spaces.
func said(token xml.Token) string {
	switch t := token.(type) {
	case xml.StartElement:
		s := "<" + t.Name.Local
		for _, a := range t.Attr {
			s += fmt.Sprintf(" %s=%q", a.Name.Local, a.Value)
		}
		return s
	case xml.EndElement:
		return "</" + t.Name.Local
	}
	return fmt.Sprintf("%T %q", token, token)
}

// What open elements declare is not kept.
func TestNameSpacesAreNotKept(t *testing.T) {
	const deep, wide = 200, 1000
	element := "<a " + strings.Repeat("xmlns:a='' ", wide) + ">"
	x := NewXML(strings.NewReader(strings.Repeat(element, deep)+strings.Repeat("</a>", deep)), Limits{}, nil)
	held := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := held()
	for range deep {
		if _, err := x.Token(); err != nil {
			t.Fatal(err)
		}
	}
	if after := held(); after > before+deep*wide*8 {
		t.Errorf("%d bytes are kept of %d declarations", after-before, deep*wide)
	}
	for range deep {
		if _, err := x.Token(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := x.Token(); err != io.EOF {
		t.Error(err)
	}
}

// The largest limits are none.
func TestLargestLimits(t *testing.T) {
	var l Limits
	l.each(l, func(own *int64, _ int64) { *own = math.MaxInt64 })
	if err := CheckTags("<p a=b>", l); err != nil {
		t.Error(err)
	}
	if err := CheckDepth([]byte(`{"a": [1]}`), l); err != nil {
		t.Error(err)
	}
	if err := CheckYAML([]byte("a: [1]\n"), l); err != nil {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("a text"), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := ReadFile(path, l); err != nil || string(text) != "a text" {
		t.Errorf("%q, %v", text, err)
	}
}
