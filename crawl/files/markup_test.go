package files

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever the markup: pages give valid text without white space around it, and
// TEI either that or an error; neither grows beyond its entities.
func FuzzMarkup(f *testing.F) {
	f.Add(`<title>t</title><p>x<br>y<pre>a
 b</pre><script>if (a<b)</script><svg><p>z`)
	f.Add(`<?xml version="1.0" encoding="iso-8859-1"?><TEI lang="la"><teiHeader><titleStmt><title>T</title><author>A</author></titleStmt></teiHeader><text><body><sp><speaker>X</speaker><l>y<note>n</note></l></sp></body></text></TEI>`)
	f.Add(`<!DOCTYPE x [<!ENTITY a "ha">]><x>&a;&amp;&eacute;&#x1F600;</x>`)
	f.Add("<a/><b></a>\xff<![CDATA[x]]>&nosuch;<!-- ")
	f.Fuzz(func(t *testing.T, markup string) {
		valid := strings.ToValidUTF8(markup, "\uFFFD") // charset sees to that
		text, title := visible(valid)
		for _, s := range []string{text, title} {
			if !utf8.ValidString(s) || strings.TrimSpace(s) != s || len(s) > 4*len(valid)+4 {
				t.Fatalf("%q: %q", markup, s)
			}
		}
		var tei teiText
		if tei.read(strings.NewReader(markup)) == nil {
			if s := tei.String(); !utf8.ValidString(s) || len(s) > 4*len(markup)+4 {
				t.Fatalf("%q: %q", markup, s)
			}
		}
	})
}
