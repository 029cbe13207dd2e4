package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/chart"
	"github.com/commonplace/commonplace/eval"
)

// page is what the template gets.
type page struct {
	Title      string
	Version    string
	Flow       flow
	Refusals   []refusal
	Strips     []*strip
	Charts     []drawing
	Facts      []fact
	Evaluation *eval.Result
	Attributes *eval.AttributeResult
	Passages   []*passage
	Data       data
	Ranked     bool   // by a model
	Sought     bool   // the run looked for quotations
	Note       string // about the features

	Style  template.CSS
	Script template.JS
	Policy string

	numbers numbers
}

// data is what the script gets.
type data struct {
	Books    []*book          `json:"books"`
	Passages []*passage       `json:"passages"`
	Total    int              `json:"total"`           // passages, those in parts too
	Parts    []string         `json:"parts,omitempty"` // addresses of the rest
	Fewer    map[int64]number `json:"fewer"`           // share of all passages that are quoted fewer times
	Of       int64            `json:"of"`              // passages of the run
	Ranked   bool             `json:"ranked"`
	Sought   bool             `json:"sought"`
}

// fact is one number of the head.
type fact struct{ Value, Name string }

// factOf is a number of things, named in the singular, and what was done with them.
func factOf(n int64, thing, done string) fact {
	return fact{thousands(n), strings.TrimSpace(commonplace.NounOf(n, thing) + " " + done)}
}

// numbers are gathered on the way.
type numbers struct {
	documents, passages, quoted, alignments int64
	lowest, highest, usual                  float64
	counts                                  chart.Tally
	scores, lengths, similarity             *chart.Histogram
}

// name gives books and quotes their names, and places to the books.
func (p *page) name(documents map[string]*book, quotes map[string]string) {
	places := map[string]int{}
	called := func(id string) *book {
		if b := documents[id]; b != nil {
			return b
		}
		return &book{ID: id, Title: id}
	}
	for _, s := range p.Strips {
		s.Book = called(s.DocID)
	}
	// By rank, whatever the order of the shards.
	slices.SortFunc(p.Passages, func(a, b *passage) int { return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.ID, b.ID)) })
	for _, s := range p.Passages {
		if _, ok := places[s.docID]; !ok {
			places[s.docID] = len(p.Data.Books)
			p.Data.Books = append(p.Data.Books, called(s.docID))
		}
		s.Book = places[s.docID]
		for _, q := range s.Quotes {
			a := q.alignment
			q.Who = quotes[a.QuoteID]
			if a.DerivedID != "" {
				b := called(a.DerivedID)
				q.Who = named(b.Author, b.Title)
			}
			q.Who = cmp.Or(q.Who, a.QuoteID)
			q.alignment = commonplace.Alignment{} // its texts are in the lines now
		}
	}
}

func (g *gatherer) finish() error {
	p, n := g.page, &g.page.numbers
	p.Version = commonplace.Version
	texts := map[string]*passage{}
	for _, s := range p.Passages {
		texts[s.ID] = s
	}
	for _, s := range p.Strips {
		s.finish(texts)
	}
	ranked, scored := "ranked", "scored"
	if !p.Ranked {
		ranked, scored = "", ""
	}
	p.Facts = []fact{
		factOf(n.documents, "document", ranked),
		factOf(n.passages, "passage", scored),
	}
	if n.quoted > 0 {
		p.Sought = true // counts can come from a file
	}
	if p.Sought {
		p.Facts = append(p.Facts, factOf(n.alignments, "quotation", "found"), factOf(n.quoted, "passage", "quoted"))
	}
	if err := p.draw(); err != nil {
		return err
	}
	p.Data.Passages, p.Data.Total, p.Data.Of, p.Data.Ranked, p.Data.Sought = p.Passages, len(p.Passages), n.passages, p.Ranked, p.Sought
	p.Data.Fewer = map[int64]number{}
	fewer := int64(0)
	for _, count := range slices.Sorted(maps.Keys(g.shares)) {
		p.Data.Fewer[count] = number(float64(fewer) / float64(n.passages))
		fewer += g.shares[count]
	}
	return nil
}

// draw makes the charts of what was gathered.
func (p *page) draw() error {
	n := &p.numbers
	var err error
	add := func(d drawing, refused error) {
		p.Charts = append(p.Charts, d)
		err = errors.Join(err, refused)
	}
	if n.passages > 0 && p.Ranked {
		add(drawHistogram(n.scores, "scores", "Scores", "score", "passages"))
	}
	if n.passages > 0 {
		add(drawHistogram(n.lengths, "lengths", "Length of passages", "words", "passages"))
	}
	if n.quoted > 0 {
		add(drawTally(&n.counts, "quotations", "How often passages are quoted", "quotations"))
	}
	if n.similarity != nil && n.similarity.N > 0 {
		add(drawHistogram(n.similarity, "similarity", "Similarity of quotations", "share of the words and letters that is equal", "quotations"))
	}
	return err
}

// headHTML begins every page.
//
//go:embed head.html
var headHTML string

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"thousands": thousands,
	"metrics":   eval.Metrics,
	"hundred":   func(x float64) string { return fmt.Sprintf("%.1f", 100*x) },
	"four":      func(x float64) string { return fmt.Sprintf("%.3g", x) },
	"count":     func(n int64, noun string) string { return thousands(n) + " " + commonplace.NounOf(n, noun) },
	"places":    func(n int) string { return commonplace.CountOf(n, "place") },
	"add":       func(a, b int) int { return a + b },
	"first":     func(n int, p []*passage) []*passage { return p[:min(n, len(p))] },
	"some":      func(d []dot) []dot { return d[:min(inList, len(d))] },
	"excerpt":   excerpt,
	"differ":    differ,
	"anyDiffer": func(all []eval.Attribute) bool { return slices.ContainsFunc(all, differ) },
	"link":      func(id string) template.URL { return template.URL("#" + fragment(id)) },
}).Parse(headHTML + pageHTML))

func (p *page) write(w io.Writer) error {
	p.Style, p.Script = template.CSS(pageCSS), template.JS(pageJS)
	sum := sha256.Sum256([]byte(pageJS))
	parts := ""
	if len(p.Data.Parts) > 0 {
		parts = " 'self' file:; connect-src 'self'" // the parts lie beside the page
	}
	p.Policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'" + parts + "; base-uri 'none'; form-action 'none'"
	return pageTemplate.Execute(w, p)
}

func differ(a eval.Attribute) bool { return a.Arrows != "–" }

// fragment is an id as it stands after # in a link: everything but letters,
// digits and -._~: is percent-encoded, so the template need not touch it.
func fragment(id string) string {
	var b []byte
	for i := range len(id) {
		switch c := id[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '.', c == '_', c == '~', c == ':':
			b = append(b, c)
		default:
			b = fmt.Appendf(b, "%%%02X", c)
		}
	}
	return string(b)
}
