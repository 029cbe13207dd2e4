package align

import (
	"cmp"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/commonplace/commonplace"
)

// Stats are counts over a collection of sources.
type Stats struct{ letters, documents int64 }

// NewStats are the counts of an empty collection.
func NewStats(o Options) *Stats { return &Stats{} }

// Count adds one document.
func (s *Stats) Count(doc commonplace.Document) {
	s.documents++
	f, _ := foldFirst(doc.Text)
	s.letters += int64(len(f))
}

// Merge adds the counts of t; any order gives the same counts.
func (s *Stats) Merge(t *Stats) error {
	s.letters += t.letters
	s.documents += t.documents
	return nil
}

// WriteTo writes the counts.
func (s *Stats) WriteTo(w io.Writer) (int64, error) {
	n, err := fmt.Fprintf(w, "stats %d %d\n", s.letters, s.documents)
	return int64(n), err
}

// ReadStats reads what WriteTo wrote.
func ReadStats(r io.Reader) (*Stats, error) {
	s := &Stats{}
	_, err := fmt.Fscanf(r, "stats %d %d\n", &s.letters, &s.documents)
	return s, err
}

func foldFirst(t string) (string, []int) {
	var b strings.Builder
	var m []int
	i := 0
	for _, r := range t {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n := b.Len()
			b.WriteRune(unicode.ToLower(r))
			for range b.Len() - n {
				m = append(m, i)
			}
		}
		i++
	}
	return b.String(), append(m, i)
}

// QuoteList is a list of quotes, ready to be looked for in documents. It is
// immutable and safe for concurrent use.
type QuoteList struct {
	quotes []commonplace.Quote
	o      Options
}

// NewQuoteList prepares the quotes. Empty quotes are never found.
func NewQuoteList(quotes []commonplace.Quote, stats *Stats, o Options) (*QuoteList, error) {
	if stats == nil {
		return nil, errors.New("align: a quote list needs the collection's stats")
	}
	return &QuoteList{slices.Clone(quotes), o}, o.Validate()
}

// Find is every place of doc that holds a quote of the list, sorted by
// (source_begin, source_end, quote_id).
func (l *QuoteList) Find(doc commonplace.Document) []commonplace.Alignment {
	var out []commonplace.Alignment
	f, m := foldFirst(doc.Text)
	src := commonplace.NewOffsets(doc.Text)
	for _, q := range l.quotes {
		g, n := foldFirst(q.Text)
		if len(g) < 8 {
			continue
		}
		for from := 0; ; {
			i := strings.Index(f[from:], g)
			if i < 0 {
				break
			}
			i += from
			from = i + len(g)
			a := exactFirst(q.Text, n[0], n[len(g)-1]+1, src, doc.ID, m[i], m[i+len(g)-1]+1)
			a.QuoteID = q.ID
			a.ID = fmt.Sprintf("%s:%d-%d:%s", a.SourceID, a.SourceBegin, a.SourceEnd, q.ID)
			out = append(out, a)
		}
	}
	sortRows(out)
	return out
}

func exactFirst(d string, db, de int, src *commonplace.Offsets, id string, sb, se int) commonplace.Alignment {
	a := commonplace.Alignment{Kind: commonplace.KindExact, DerivedBegin: int64(db), DerivedEnd: int64(de), SourceID: id, SourceBegin: int64(sb), SourceEnd: int64(se),
		DerivedText: commonplace.Slice(d, commonplace.Span{Begin: db, End: de}), SourceText: src.Slice(commonplace.Span{Begin: sb, End: se}), Similarity: 1, Confidence: 1}
	a.MatchedWords = int64(len(strings.Fields(a.SourceText)))
	a.Score = 8 * float64(a.MatchedWords)
	return a
}

func sortRows(rows []commonplace.Alignment) {
	slices.SortFunc(rows, func(a, b commonplace.Alignment) int {
		return cmp.Or(cmp.Compare(a.DerivedID, b.DerivedID), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceBegin, b.SourceBegin),
			cmp.Compare(a.SourceEnd, b.SourceEnd), cmp.Compare(a.QuoteID, b.QuoteID), cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd))
	})
}

// PartInfo says what a written index part holds.
type PartInfo struct {
	Documents int   // source documents
	TextBytes int64 // bytes of their text
	Bytes     int64 // bytes of the part
}

// BuildPart writes an index part over docs.
func BuildPart(w io.Writer, docs iter.Seq[commonplace.Document], stats *Stats, o Options) (PartInfo, error) {
	var info PartInfo
	var all []commonplace.Document
	for d := range docs {
		all = append(all, commonplace.Document{ID: d.ID, Text: d.Text})
		info.Documents++
		info.TextBytes += int64(len(d.Text))
	}
	return info, gob.NewEncoder(w).Encode(all)
}

// Part is an index part, safe for concurrent use.
type Part struct {
	docs []commonplace.Document
	o    Options
}

// OpenPart opens a part that BuildPart wrote, with the stats that it was built with.
func OpenPart(path string, stats *Stats, o Options) (*Part, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p := &Part{o: o}
	return p, gob.NewDecoder(f).Decode(&p.docs)
}

// Close gives the part's memory back.
func (p *Part) Close() error { return nil }

// Find is every candidate of one derived document in this part. Hand the
// candidates of all parts for the same derived document to [Merge].
func (p *Part) Find(derived commonplace.Document) []commonplace.Alignment {
	const run = 40
	var out []commonplace.Alignment
	f, m := foldFirst(derived.Text)
	at := map[string]int{}
	for i := 0; i+run <= len(f); i += run / 2 {
		at[f[i:i+run]] = i
	}
	for _, d := range p.docs {
		g, n := foldFirst(d.Text)
		src := commonplace.NewOffsets(d.Text)
		for j := 0; j+run <= len(g); j++ {
			i, ok := at[g[j:j+run]]
			if !ok {
				continue
			}
			b, e, k := i, i+run, j
			for b > 0 && k > 0 && f[b-1] == g[k-1] {
				b, k = b-1, k-1
			}
			for e < len(f) && k+e-b < len(g) && f[e] == g[k+e-b] {
				e++
			}
			l := k + e - b
			a := exactFirst(derived.Text, m[b], m[e-1]+1, src, d.ID, n[k], n[l-1]+1)
			a.DerivedID = derived.ID
			a.ID = fmt.Sprintf("%s:%d-%d:%s:%d-%d", a.SourceID, a.SourceBegin, a.SourceEnd, derived.ID, a.DerivedBegin, a.DerivedEnd)
			out = append(out, a)
			j = l
		}
	}
	sortRows(out)
	return out
}

// Merge makes the candidates of one derived document, from all parts, final:
// one alignment per quotation, the same passage in several places grouped.
// The result is sorted by (derived_begin, derived_end, source_id, source_begin).
func Merge(candidates []commonplace.Alignment, o Options) []commonplace.Alignment {
	out := slices.Clone(candidates)
	slices.SortFunc(out, func(a, b commonplace.Alignment) int {
		return cmp.Or(cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceBegin, b.SourceBegin))
	})
	return out
}
