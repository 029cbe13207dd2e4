package files

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/bounded"
)

// People keep quotations in texts and tables without ids. Each list is read as a
// person would read it, and says how.
func TestQuotesAsPeopleKeepThem(t *testing.T) {
	for _, c := range []struct{ name, content, layout, want string }{
		{"lines.txt", "All happy families are alike.\r\nCall me Ishmael.\r\n", "one quotation a line", "[lines:1=All happy families are alike. lines:2=Call me Ishmael.]"},
		{"apart.txt", "All happy families are alike.\n\nCall me Ishmael.\n\n", "one quotation a line", "[apart:1=All happy families are alike. apart:3=Call me Ishmael.]"},
		{"grouped.txt", "One is here.\nTwo is here!\n\nThree is here.\n", "one quotation a line", "[grouped:1=One is here. grouped:2=Two is here! grouped:4=Three is here.]"},
		{"fragments.txt", "a truth universally acknowledged\nthe best of times\n", "one quotation a line", "[fragments:1=a truth universally acknowledged fragments:2=the best of times]"},
		{"wrapped.txt", "It was the best of times,\nit was the worst of times.\n— Charles Dickens, A Tale of Two Cities\n\nCall me\nIshmael.\n", "one quotation a paragraph",
			"[wrapped:1=It was the best of times,\nit was the worst of times.|Charles Dickens|A Tale of Two Cities wrapped:5=Call me\nIshmael.]"},
		{"numbered.txt", "1. It was the best\nof times.\n2. Call me\nIshmael.\n\n3. Alike.\n", "one quotation a paragraph", "[numbered:1=It was the best\nof times. numbered:3=Call me\nIshmael. numbered:6=Alike.]"},
		{"by.txt", "1. Call me Ishmael.\n-- Herman Melville\n2. Alike.\n", "one quotation a line", "[by:1=Call me Ishmael.|Herman Melville| by:3=Alike.]"},
		{"latin1.txt", "Il y avait en Westphalie un ch\xe2teau\nd\xe9j\xe0 vu\n", "one quotation a line", "[latin1:1=Il y avait en Westphalie un château latin1:2=déjà vu]"},
		{"block.md", "# Mine\n\nI like this:\n\n> It was the best\n> of times.\n>\n> — Dickens\n\n- not this\n", "one quotation a block quote", "[block:5=It was the best\nof times.|Dickens|]"},
		{"spoken.txt", "— Me voici !\n— Vous, ici ?\n— et alors\n", "one quotation a line", "[spoken:1=— Me voici ! spoken:2=— Vous, ici ? spoken:3=— et alors]"},
		{"items.md", "# Mine\n\n- Call me\n  Ishmael.\n* Alike.\n---\nthe end\n", "one quotation an item of a list", "[items:3=Call me\nIshmael. items:5=Alike.]"},
		{"rules.md", "---\n> Call me Ishmael.\n---\n> Alike.\n", "one quotation a block quote", "[rules:2=Call me Ishmael. rules:4=Alike.]"},
		{"percent.md", "- Give 110%% or nothing.\n- Alike.\n- Genius is 1%% inspiration.\n", "one quotation an item of a list", "[percent:1=Give 110%% or nothing. percent:2=Alike. percent:3=Genius is 1%% inspiration.]"},
		{"plain.md", "Call me\nIshmael.\n\n```\ncode\n```\nAlike.\n", "one quotation a paragraph", "[plain:1=Call me\nIshmael. plain:7=Alike.]"},
		{"goodreads.csv", "Title,Author,Quote\nEmma,Jane Austen,\"Handsome, clever, and rich\"\n", "columns Quote, Author, Title", "[goodreads:2=Handsome, clever, and rich|Jane Austen|Emma]"},
		{"pandas.csv", ",quote\n1342,\"Alike, all\"\n", "column quote", "[pandas:2=Alike, all]"},
		{"excel.csv", "\ufeff\"Quote\",Author\r\n\"Alike.\",Leo\r\n", "columns Quote, Author", "[excel:2=Alike.|Leo|]"},
		{"ids.tsv", "ID\thighlight\nx\tAlike.\n", "column highlight", "[x=Alike.]"},
		{"case.jsonl", `{"Quote":"Alike.","Author":"Leo"}` + "\n", "", "[case:1=Alike.|Leo|]"},
		{"utf16.txt", "\xff\xfeA\x00l\x00i\x00k\x00e\x00.\x00\n\x00", "one quotation a line", "[utf16:1=Alike.]"},
		{"utf16.csv", "\xff\xfe" + wide("Quote;Author\r\nAlike.;Léo\r\n"), "columns Quote, Author", "[utf16:2=Alike.|Léo|]"},
		{"unicode.csv", "\xff\xfe" + wide("Quote\tAuthor\r\nAlike, all.\tLeo\r\n"), "columns Quote, Author", "[unicode:2=Alike, all.|Leo|]"},
		{"utf16.jsonl", "\xff\xfe" + wide(`{"quote":"Alike."}`+"\n"), "UTF-16", "[utf16:1=Alike.]"},
		{"semicolons.csv", "Zitat;Quote;Author\n1;Un ch\xe2teau, l\xe0-bas;Ren\xe9\n", "not UTF-8, and read as windows-1252", "[semicolons:2=Un château, là-bas|René|]"},
		{"hyphen.txt", "Hell is other people.\n- Jean-Paul Sartre, No Exit\n\nAlike.\n-Leo Tolstoy\n", "one quotation a line", "[hyphen:1=Hell is other people.|Jean-Paul Sartre|No Exit hyphen:4=Alike.|Leo Tolstoy|]"},
		{"bullets.txt", "- Know Thyself\n- Carpe Diem\n\n- Jean-Paul Sartre\n", "one quotation a line", "[bullets:1=Know Thyself bullets:2=Carpe Diem bullets:4=Jean-Paul Sartre]"},
		{"one.txt", "Whether\n- Nobody knows\n", "one quotation a line", "[one:1=Whether one:2=Nobody knows]"},
		{"quoted.md", "> Hell is other people.\n> - Jean-Paul Sartre\n", "one quotation a block quote", "[quoted:1=Hell is other people.|Jean-Paul Sartre|]"},
		{"behind.md", "- “Call me\n  Ishmael.” — Herman Melville, Moby-Dick\n- *Know thyself.* – Socrates\n- Hell is other people. - Jean-Paul Sartre\n", "one quotation an item of a list",
			"[behind:1=“Call me\nIshmael.”|Herman Melville|Moby-Dick behind:3=*Know thyself.*|Socrates| behind:4=Hell is other people.|Jean-Paul Sartre|]"},
		{"block2.md", "> It was the best of times. — *Charles Dickens*, A Tale of Two Cities\n", "one quotation a block quote", "[block2:1=It was the best of times.|Charles Dickens|A Tale of Two Cities]"},
		{"dashes.txt", "He came. — Then he went\nAn end -- Of sorts\nNo one - Not one\nStop. — They Said so.\nOnce. - Tom\n", "one quotation a line",
			"[dashes:1=He came. — Then he went dashes:2=An end -- Of sorts dashes:3=No one - Not one dashes:4=Stop. — They Said so. dashes:5=Once. - Tom]"},
		{"front.md", "---\ntitle: Mine\ntags:\n  - books\n---\n\n<!-- not this\n- nor this -->\n- Call me Ishmael. <!-- of the whale -->\n%% nor that %%\n- Alike.\n", "one quotation an item of a list", "[front:9=Call me Ishmael. front:11=Alike.]"},
		{"toml.md", "+++\r\ntitle = \"Mine\"\r\n+++\r\nCall me\r\nIshmael.\r\n", "one quotation a paragraph", "[toml:4=Call me\nIshmael.]"},
		{"rules.md", "---\nAlike.\n\nCall me <!-- Ishmael.\n", "one quotation a paragraph", "[rules:2=Alike. rules:4=Call me <!-- Ishmael.]"},
		{"noids.jsonl", `{"quote":"Alike.","book":"Anna Karenina"}` + "\n", "", "[noids:1=Alike.||Anna Karenina]"},
	} {
		dir := folder(t, map[string]string{c.name: c.content})
		var layout string
		var got []string
		for q, reject := range ReadQuotes(context.Background(), filepath.Join(dir, c.name), QuoteOptions{Layout: func(s string) { layout = s }}) {
			if reject != nil {
				t.Errorf("%s: %v", c.name, reject)
				continue
			}
			s := q.ID + "=" + q.Text
			if q.Author+q.Work != "" {
				s += "|" + q.Author + "|" + q.Work
			}
			got = append(got, s)
		}
		if fmt.Sprint(got) != c.want || layout != c.layout {
			t.Errorf("%s: %q (%s)\nwant %q (%s)", c.name, got, layout, c.want, c.layout)
		}
	}
}

// Of a text that is none nothing is taken: the list breaks off.
func TestListsThatAreNoTexts(t *testing.T) {
	for name, content := range map[string]string{"zip.txt": "PK\x03\x04zz", "control.txt": "\x00\x01\x02\x03", "cut.txt.gz": gz(t, "All happy families are alike.\n")[:20], "long.md": strings.Repeat("x", 2000), "lines.txt": strings.Repeat("a\n", 40), "page.html": "<p>Alike.</p>"} {
		path := filepath.Join(folder(t, map[string]string{name: content}), name)
		n := 0
		for _, err := range ReadQuotes(context.Background(), path, QuoteOptions{Limits: bounded.Limits{Memory: 1000}}) {
			if n++; !BreaksOff(err) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d rows", name, n)
		}
	}
}

// Where columns are named, nothing is guessed.
func TestNamedColumnsAreNotGuessed(t *testing.T) {
	dir := folder(t, map[string]string{"q.csv": "ref,text,book\na,Alike.,Anna\n", "r.csv": "quote,by\nAlike.,Leo\n"})
	if got := listedQuotes(filepath.Join(dir, "q.csv"), QuoteOptions{Columns: map[string]string{"id": "ref"}}); !slices.Equal(got, []string{"a=Alike."}) {
		t.Errorf("%q", got)
	}
	if got := listedQuotes(filepath.Join(dir, "r.csv"), QuoteOptions{Columns: map[string]string{"author": "by"}}); !slices.Equal(got, []string{":1!broken line"}) {
		t.Errorf("%q", got)
	}
}

// Every line of a text is in a quotation or names its author, in order, whatever the
// text: nothing of a list is lost on the way.
func FuzzQuoteText(f *testing.F) {
	f.Add("One.\n\nTwo\nthree\n— Jane Austen, Emma\n\n— Me voici !\n")
	f.Add("1. One\n2) Two\n\n\n- three\n--Four\r\n  five\n~ Six\n")
	f.Add("Hell is other people.\n- Jean-Paul Sartre\n\n- One\n- Two Three\n-Four-Five O’Six, Seven\n")
	f.Add("— First\n— Second\n\n— Third")
	f.Fuzz(func(t *testing.T, text string) {
		lines := textLines(text)
		l := &quoteList{}
		entries := l.plainText(lines)
		var words []string // lines of quotations that are still to come
		for _, e := range entries {
			words = append(words, strings.Split(e.text, "\n")...)
		}
		begun := 0     // entries
		named := false // the author of the last of them
		for n, line := range lines {
			begins := begun < len(entries) && entries[begun].line == n+1
			if begins {
				begun, named = begun+1, false
			}
			switch {
			case line == "":
			case !begins && !named && begun > 0 && entries[begun-1].by != "" && attributed(lines, n) == entries[begun-1].by:
				named = true
			case len(words) > 0 && (words[0] == line || words[0] == withoutMark(line)):
				words = words[1:]
			default:
				t.Fatalf("line %d, %q, is in no quotation of %+v", n+1, line, entries)
			}
		}
		if len(words) > 0 {
			t.Fatalf("%q stands in no line", words)
		}
	})
}

// wide is an ASCII or Latin-1 text in UTF-16LE.
func wide(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteByte(byte(r))
		b.WriteByte(0)
	}
	return b.String()
}
