package report

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/pairs"
	"github.com/commonplace/commonplace/reuse"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Bounds of a page of text reuse.
const (
	reuseText     = 1200 // code points of a match that are shown, on each side
	reuseFields   = 12   // metadata fields by which it can be filtered, the commonest first
	reuseValue    = 80   // bytes of a field's value
	reuseClusters = 1000 // clusters, the largest first
	reuseCopies   = 100  // copies of a cluster

	// mostMatches are bytes of matches in a part: a browser reads it in some hundredths of a second.
	mostMatches = 1 << 19
)

// ErrNoReuse says that a run has no page of text reuse.
var ErrNoReuse = errors.New("no documents are matched with each other")

// reuseData is what the script of the page gets at once; matches follow in parts.
type reuseData struct {
	Documents []*reuseDocument `json:"docs"`
	Fields    []string         `json:"fields"`
	Pairs     []*reusePair     `json:"pairs"`
	Parts     []string         `json:"parts"`
	Clusters  []*reuseCluster  `json:"clusters"`
	Left      int              `json:"left"`            // clusters that are not shown
	TextsAt   string           `json:"texts,omitempty"` // address that gives whole texts
	Piece     int              `json:"piece"`           // code points of a piece of them
	Likely    []string         `json:"likely"`          // what the copies of clusters say of a source, see [reuseCopy]
}

// reuseDocument is a document that quotes or is quoted.
type reuseDocument struct {
	ID     string   `json:"id"`
	Title  string   `json:"t"`
	Author string   `json:"a"`
	Date   string   `json:"d"`
	Year   *int     `json:"y,omitempty"` // the first that Date can mean, 0 for 1 BC
	Length int64    `json:"n"`
	Fields []string `json:"f"`           // values of [reuseData.Fields]
	First  int      `json:"p"`           // first of the parts with what is quoted of it; -1: nothing is
	Last   int      `json:"q,omitempty"` // behind the last
	Texts  []string `json:"x,omitempty"` // parts with its text

	Withheld bool `json:"r,omitempty"` // its rights do not allow to show its text

	metadata []commonplace.Field
	pages    []commonplace.Page
}

// reusePair is how much of one document another has: source, target, matches, words.
type reusePair [4]int64

// reuseMatch is a match as the script gets it.
type reuseMatch struct {
	Source     int      `json:"s"`
	Target     int      `json:"t"`
	SourceSpan [2]int64 `json:"x"`
	TargetSpan [2]int64 `json:"y"`
	Similarity number   `json:"i"`
	Words      int64    `json:"w"`
	Inflected  bool     `json:"f,omitempty"` // found by the words without their endings
	SourceIs   int      `json:"n,omitempty"` // 1: the source is the older document, 2: the newer one, 0: no date says so
	SourceText string   `json:"u"`
	TargetText string   `json:"v"`
	SourcePage string   `json:"k,omitempty"`
	TargetPage string   `json:"l,omitempty"`

	// Where they are on the images of their pages.
	SourceImage string `json:"b,omitempty"`
	TargetImage string `json:"c,omitempty"`
}

// reuseSpan is a span of a document.
type reuseSpan struct {
	doc        int
	begin, end int64
}

// reuseCluster is a passage that several documents have.
type reuseCluster struct {
	Name      string      `json:"c"`
	Documents int64       `json:"n"`
	Text      string      `json:"t"` // of the first copy
	Copies    []reuseCopy `json:"m"`
}

// reuseCopy is document, begin, end, and the place of [commonplace.Cluster.SourceBy] in the
// words of reuseData.Likely, which begin with those for none.
type reuseCopy [4]int64

// likelyBy are the words for a [commonplace.Cluster.SourceBy].
var likelyBy = map[string]string{
	commonplace.ByDate:                "the likely source: the oldest",
	commonplace.ByFirstDate:           "the likely source: of the oldest date, but one without a date or with a coarse one may be older",
	commonplace.ByDateAndWording:      "the likely source: one of several of the oldest date, chosen by its wording",
	commonplace.ByFirstDateAndWording: "the likely source: one of several of the oldest date, chosen by its wording; but one without a date or with a coarse one may be older",
	commonplace.ByWording:             "the likely source by its wording: there are no dates",
	commonplace.Undecided:             "perhaps the source: this copy and the others marked so are equally likely",
}

// reuseGatherer reads a run for its page of text reuse. It holds the documents that are
// matched, without texts, how often two of them are, and one part.
type reuseGatherer struct {
	ctx     context.Context
	dir     string
	o       Options
	commits map[string]table.Commit

	data   reuseData
	places map[string]int
	pairs  map[[2]int]*reusePair
	spans  map[string][][2]int64    // of the matches, by document, until it is described
	images map[reuseSpan]string     // where those are on images whose documents say so
	older  map[[2]string][][4]int32 // matches whose source is the older document, by both

	part  bytes.Buffer
	rows  int
	parts int
	total int64
}

// reusePage is what the template gets.
type reusePage struct {
	Title, Version string
	Facts          []fact
	Data           reuseData
	Inline         template.JS // the parts, of a page in one file
	Style          template.CSS
	Script         template.JS
	Policy         string
}

// WriteReuse writes a page to read which documents of a run have words of others: who
// quotes whom and when, each book with those who quote it over its length, and every
// match with both texts side by side. Options that are about passages do not matter. The
// same tables and options give the same bytes.
func WriteReuse(ctx context.Context, w io.Writer, dir string, o Options) error {
	o.Title = cmp.Or(o.Title, "Text reuse in "+filepath.Base(table.Home(dir)))
	o.PageSize = cmp.Or(o.PageSize, 2_000_000)
	g := reuseGatherer{ctx: ctx, dir: dir, o: o, places: map[string]int{}, pairs: map[[2]int]*reusePair{}, spans: map[string][][2]int64{}, images: map[reuseSpan]string{}, older: map[[2]string][][4]int32{}}
	var err error
	if g.commits, err = table.Whole(ctx, storage.Default, dir); err != nil {
		return err
	}
	g.data.Pairs, g.data.Parts, g.data.Clusters = []*reusePair{}, []string{}, []*reuseCluster{} // null is no list to the script
	g.data.TextsAt, g.data.Piece = o.TextsAt, textPiece
	g.data.Likely = []string{""}
	for _, by := range commonplace.SourceBys {
		g.data.Likely = append(g.data.Likely, ", "+likelyBy[by])
	}
	p := &reusePage{Title: o.Title, Version: commonplace.Version}
	parts := inlined{write: o.Part, most: o.PageSize / 2}
	if o.TextsAt != "" { // a page that asks for texts may ask for matches, too
		parts.most = 0
	}
	g.o.Part = parts.add
	for _, step := range []func() error{g.find, g.describe, g.texts, g.write, g.clusters} {
		if err := step(); err != nil {
			return err
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(g.pairs), func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }) {
		g.data.Pairs = append(g.data.Pairs, g.pairs[key])
	}
	parts.settle(g.data.Parts)
	for _, d := range g.data.Documents {
		parts.settle(d.Texts)
	}
	p.Data, p.Inline = g.data, template.JS(bytes.Join(parts.parts, nil))
	p.Facts = []fact{
		{thousands(int64(len(g.data.Documents))), "documents that quote or are quoted"},
		factOf(int64(len(g.data.Pairs)), "pair", "of documents"),
		factOf(g.total, "match", ""),
		{thousands(int64(len(g.data.Clusters) + g.data.Left)), "passages that several have"},
	}
	return p.write(w)
}

func (g *reuseGatherer) step(what string, done, of int) {
	if g.o.Progress != nil {
		g.o.Progress(what, done, of)
	}
}

// find notes which documents are matched.
func (g *reuseGatherer) find() error {
	c := g.commits[table.Alignments.Name]
	for i, path := range c.ShardPaths(g.dir) {
		g.step("reading the matches", i, len(c.Shards))
		for a, err := range table.Alignments.Rows(g.ctx, path, "source_id", "source_begin", "source_end", "derived_id", "derived_begin", "derived_end", "source_is") {
			if err == nil {
				err = g.ctx.Err()
			}
			if err != nil {
				return err
			}
			if a.DerivedID != "" {
				if a.SourceIs == "older" {
					key := [2]string{a.SourceID, a.DerivedID}
					g.older[key] = append(g.older[key], [4]int32{int32(a.SourceBegin), int32(a.SourceEnd), int32(a.DerivedBegin), int32(a.DerivedEnd)})
				}
				g.spans[a.SourceID] = append(g.spans[a.SourceID], [2]int64{a.SourceBegin, a.SourceEnd})
				g.spans[a.DerivedID] = append(g.spans[a.DerivedID], [2]int64{a.DerivedBegin, a.DerivedEnd})
			}
		}
	}
	if len(g.spans) == 0 {
		return fmt.Errorf("%s: %w: give sources role: derived or both (docs/datasets.md#clusters)", table.Home(g.dir), ErrNoReuse)
	}
	for i, id := range slices.Sorted(maps.Keys(g.spans)) {
		g.places[id] = i
		g.data.Documents = append(g.data.Documents, &reuseDocument{ID: id, Title: id, First: -1, Withheld: g.o.Open != nil})
	}
	return nil
}

// describe reads what is known of the documents.
func (g *reuseGatherer) describe() error {
	c := g.commits[table.Documents.Name]
	names := map[string]int{}
	for i, path := range c.ShardPaths(g.dir) {
		g.step("reading the documents", i, len(c.Shards))
		for d, err := range table.Documents.Rows(g.ctx, path, "doc_id", "title", "author", "date", "characters", "rights", "metadata", "pages") {
			if err == nil {
				err = g.ctx.Err()
			}
			if err != nil {
				return err
			}
			at, ok := g.places[d.ID]
			if !ok {
				continue
			}
			r := g.data.Documents[at]
			if r.Withheld = g.o.Open != nil && !g.o.Open(d.Rights); r.Withheld {
				d.Metadata = nil // fields may hold words of the text
			}
			if year, known := pairs.Year(d.Date); known {
				r.Year = &year
			}
			r.Title, r.Author, r.Date, r.Length, r.pages = cmp.Or(d.Title, d.ID), d.Author, d.Date, d.Characters, d.Pages
			for k := range r.pages { // no more than where they are
				r.pages[k] = commonplace.Page{Begin: r.pages[k].Begin, Label: cmp.Or(r.pages[k].Label, fmt.Sprint(r.pages[k].Sequence))}
			}
			if im := reuse.NewImages(commonplace.FieldValue(d.Metadata, "pages")); im != nil {
				for _, span := range g.spans[d.ID] {
					if image := im.At(span[0], span[1]); image != "" {
						g.images[reuseSpan{at, span[0], span[1]}] = image
					}
				}
			}
			delete(g.spans, d.ID)
			for _, f := range d.Metadata {
				if len(f.Value) <= reuseValue {
					r.metadata = append(r.metadata, f)
					names[f.Name]++
				}
			}
		}
	}
	g.data.Fields = slices.SortedFunc(maps.Keys(names), func(a, b string) int { return cmp.Or(cmp.Compare(names[b], names[a]), cmp.Compare(a, b)) })
	g.data.Fields = append([]string{}, g.data.Fields[:min(len(g.data.Fields), reuseFields)]...)
	for _, d := range g.data.Documents {
		d.Fields = make([]string, len(g.data.Fields))
		for i, name := range g.data.Fields {
			var values []string
			for _, f := range d.metadata {
				if f.Name == name {
					values = append(values, f.Value)
				}
			}
			d.Fields[i] = strings.Join(values, "; ")
		}
		d.metadata = nil
	}
	return nil
}

// write writes the matches to parts, in the order of the sources.
func (g *reuseGatherer) write() error {
	c := g.commits[table.Alignments.Name]
	for i, path := range c.ShardPaths(g.dir) {
		g.step("writing the matches", i, len(c.Shards))
		for a, err := range table.Alignments.Rows(g.ctx, path, "source_id", "source_begin", "source_end", "source_text", "derived_id", "derived_begin", "derived_end", "derived_text", "similarity", "matched_words", "kind", "source_is") {
			if err == nil {
				err = g.ctx.Err()
			}
			if err == nil && a.DerivedID != "" && !g.turned(a) {
				err = g.add(a)
			}
			if err != nil {
				return err
			}
		}
	}
	return g.flush()
}

// turned says that a match has the older document in the place of the one that quotes, and
// is there the other way round too: both were searched for the other's words.
func (g *reuseGatherer) turned(a commonplace.Alignment) bool {
	if a.SourceIs != "newer" {
		return false
	}
	return slices.ContainsFunc(g.older[[2]string{a.DerivedID, a.SourceID}], func(o [4]int32) bool {
		return reuse.HalfShared(a.DerivedBegin, a.DerivedEnd, int64(o[0]), int64(o[1])) && reuse.HalfShared(a.SourceBegin, a.SourceEnd, int64(o[2]), int64(o[3]))
	})
}

func (g *reuseGatherer) add(a commonplace.Alignment) error {
	m := reuseMatch{
		Source: g.places[a.SourceID], Target: g.places[a.DerivedID],
		SourceSpan: [2]int64{a.SourceBegin, a.SourceEnd}, TargetSpan: [2]int64{a.DerivedBegin, a.DerivedEnd},
		Similarity: number(a.Similarity), Words: a.MatchedWords, Inflected: a.Kind == commonplace.KindInflected, SourceIs: 1 + slices.Index([]string{"older", "newer"}, a.SourceIs),
		SourceText: shortened(a.SourceText), TargetText: shortened(a.DerivedText),
	}
	source, target := g.data.Documents[m.Source], g.data.Documents[m.Target]
	if source.Withheld || target.Withheld { // one has the words of the other
		m.SourceText, m.TargetText = "", ""
	}
	m.SourcePage, m.TargetPage = pageAt(source.pages, a.SourceBegin), pageAt(target.pages, a.DerivedBegin)
	m.SourceImage, m.TargetImage = g.images[reuseSpan{m.Source, a.SourceBegin, a.SourceEnd}], g.images[reuseSpan{m.Target, a.DerivedBegin, a.DerivedEnd}]
	row, err := json.Marshal(m) // < and > are escaped, which a script of a page needs
	if err != nil {
		return err
	}
	if g.part.Len() > 0 && g.part.Len()+len(row) > min(g.o.PageSize*3/4, mostMatches) {
		if err := g.flush(); err != nil {
			return err
		}
	}
	if g.rows == 0 {
		fmt.Fprintf(&g.part, "commonplaceReuse(%d,[", g.parts)
	} else {
		g.part.WriteByte(',')
	}
	g.part.Write(row)
	g.rows++
	g.total++
	if source.First < 0 {
		source.First = g.parts
	}
	source.Last = g.parts + 1
	key := [2]int{m.Source, m.Target}
	if g.pairs[key] == nil {
		g.pairs[key] = &reusePair{int64(m.Source), int64(m.Target)}
	}
	g.pairs[key][2]++
	g.pairs[key][3] += a.MatchedWords
	return nil
}

func (g *reuseGatherer) flush() error {
	if g.rows == 0 {
		return nil
	}
	g.part.WriteString("])\n")
	address, err := g.o.Part(g.part.Bytes())
	if err != nil {
		return err
	}
	g.data.Parts = append(g.data.Parts, address)
	g.part.Reset()
	g.rows = 0
	g.parts++
	return nil
}

// clusters reads the largest ones.
func (g *reuseGatherer) clusters() error {
	c, ok := g.commits[table.Clusters.Name]
	if !ok {
		return nil
	}
	sizes := map[string]int64{}
	for _, path := range c.ShardPaths(g.dir) {
		for r, err := range table.Clusters.Rows(g.ctx, path, "cluster", "documents") {
			if err != nil {
				return err
			}
			sizes[r.Cluster] = r.Documents
		}
	}
	names := slices.SortedFunc(maps.Keys(sizes), func(a, b string) int { return cmp.Or(cmp.Compare(sizes[b], sizes[a]), cmp.Compare(a, b)) })
	g.data.Left = max(0, len(names)-reuseClusters)
	chosen := map[string]*reuseCluster{}
	for _, name := range names[:len(names)-g.data.Left] {
		chosen[name] = &reuseCluster{Name: name, Documents: sizes[name]}
		g.data.Clusters = append(g.data.Clusters, chosen[name])
	}
	for _, path := range c.ShardPaths(g.dir) {
		for r, err := range table.Clusters.Rows(g.ctx, path) {
			if err == nil {
				err = g.ctx.Err()
			}
			if err != nil {
				return err
			}
			of := chosen[r.Cluster]
			at, known := g.places[r.DocID]
			if of == nil {
				continue
			}
			shown := g.o.Open == nil || known && !g.data.Documents[at].Withheld
			if shown && (of.Text == "" || fmt.Sprintf("%s:%d-%d", r.DocID, r.Begin, r.End) == r.Cluster) {
				of.Text = shortened(r.Text)
			}
			if len(of.Copies) < reuseCopies {
				likely := 1 + slices.Index(commonplace.SourceBys, r.SourceBy)
				of.Copies = append(of.Copies, reuseCopy{int64(at), r.Begin, r.End, int64(likely)})
			}
		}
	}
	return nil
}

// shortened is a text that may be long.
func shortened(s string) string {
	n := 0
	for i := range s {
		if n++; n > reuseText {
			return s[:i] + " …"
		}
	}
	return s
}

// pageAt is the label of the page on which a code point is.
func pageAt(pages []commonplace.Page, at int64) string {
	i := sort.Search(len(pages), func(i int) bool { return pages[i].Begin > at })
	if i == 0 {
		return ""
	}
	return pages[i-1].Label
}

//go:embed reuse.html
var reuseHTML string

//go:embed reuse.css
var reuseCSS string

//go:embed reuse.js
var reuseJS string

var reuseTemplate = template.Must(template.New("reuse").Parse(headHTML + reuseHTML))

func (p *reusePage) write(w io.Writer) error {
	p.Style, p.Script = template.CSS(pageCSS+reuseCSS), template.JS(reuseJS)
	hash := func(script string) string {
		sum := sha256.Sum256([]byte(script))
		return " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	from := hash(reuseJS)
	if p.Inline != "" {
		from += hash(string(p.Inline))
	} else {
		from += " 'self' file:; connect-src 'self'" // the parts lie beside the page
	}
	p.Policy = "default-src 'none'; style-src 'unsafe-inline'; script-src" + from + "; base-uri 'none'; form-action 'none'"
	return reuseTemplate.Execute(w, p)
}
