package news

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func points(s string) int { return utf8.RuneCountInString(s) }

// textOf is the text of elements as it is read: a blank line between blocks, a
// line break for <br>, two for two, other white space as one space.
func textOf(nodes ...*html.Node) string {
	var w writer
	for _, n := range nodes {
		w.node(n, false)
		w.end(2)
	}
	return strings.TrimSpace(w.b.String())
}

// writer keeps the line breaks that are due before the next word.
type writer struct {
	b      strings.Builder
	breaks int
	space  bool
}

func (w *writer) end(breaks int) { w.breaks = max(w.breaks, breaks) }

func (w *writer) node(n *html.Node, pre bool) {
	switch n.Type {
	case html.TextNode:
		w.text(n.Data, pre)
		return
	case html.ElementNode, html.DocumentNode:
	default:
		return
	}
	block := blocks[n.DataAtom]
	w.end(block)
	if n.DataAtom == atom.Br {
		w.breaks = min(2, w.breaks+1)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c, pre || n.DataAtom == atom.Pre)
	}
	w.end(block)
}

func (w *writer) text(s string, pre bool) {
	for _, r := range s {
		switch {
		case pre && r == '\n':
			w.end(1)
		case r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' || r == '\u00a0':
			w.space = true
		default:
			switch {
			case w.b.Len() == 0:
			case w.breaks > 0:
				w.b.WriteString("\n\n"[:w.breaks])
			case w.space:
				w.b.WriteByte(' ')
			}
			w.breaks, w.space = 0, false
			w.b.WriteRune(r)
		}
	}
}

// blocks are elements that begin a paragraph (2) or a line (1).
var blocks = map[atom.Atom]int{
	atom.P: 2, atom.Div: 2, atom.H1: 2, atom.H2: 2, atom.H3: 2, atom.H4: 2, atom.H5: 2, atom.H6: 2, atom.Blockquote: 2, atom.Pre: 2, atom.Ul: 2, atom.Ol: 2, atom.Dl: 2,
	atom.Table: 2, atom.Section: 2, atom.Article: 2, atom.Header: 2, atom.Footer: 2, atom.Main: 2, atom.Aside: 2, atom.Nav: 2, atom.Figure: 2, atom.Hr: 2, atom.Form: 2,
	atom.Address: 2, atom.Center: 2, atom.Body: 2, atom.Td: 2, atom.Li: 1, atom.Tr: 1, atom.Dt: 1, atom.Dd: 1, atom.Figcaption: 1,
}

var (
	// bylines open an article on many sites.
	bylines = regexp.MustCompile(`(?i)^(by|von|par|por|posted|published|updated|last updated|mis à jour)\b.{0,120}$`)
	// tails end it: what the site says of itself.
	tails = regexp.MustCompile(`(?i)^(a version of this (article|story) (appeared|appears) in print\b.*|.{0,60} contributed to this (report|story|article)\.?|also on [^.]{0,40}:|(©|copyright)\b.*|advertisement|(read|see) (more|also):?.{0,80}|share this:?|filed under:?.{0,80})$`)
)

// article is an extracted text without the title, the byline and the site's own
// words that stand in its midst.
func article(text, title string) string {
	var kept []string
	for _, p := range strings.Split(text, "\n\n") {
		p = strings.TrimSpace(p)
		opening := len(kept) == 0
		switch {
		case p == "", tails.MatchString(p):
		case opening && (strings.EqualFold(p, title) || bylines.MatchString(p) && !strings.ContainsAny(p, "“”\"«»") && points(p) < 120):
		default:
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "\n\n")
}
