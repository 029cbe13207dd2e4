package report

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/collate"
)

// passage is one passage as the page's script gets it. Names are short because
// there are thousands.
type passage struct {
	ID     string   `json:"id"`
	Book   int      `json:"b"` // place in page.Books
	Score  number   `json:"s"`
	Rank   int64    `json:"r"`
	InBook int64    `json:"rd"`
	Above  number   `json:"p"` // percentile, 0 to 1
	Count  int64    `json:"n,omitempty"`
	Text   string   `json:"t"`
	Cut    bool     `json:"cut,omitempty"` // the text goes on
	Before string   `json:"x,omitempty"`
	After  string   `json:"y,omitempty"`
	Quotes []*quote `json:"q,omitempty"`
	More   int      `json:"m,omitempty"` // quotations that are not shown
	Why    []reason `json:"w,omitempty"`
	Kind   []string `json:"k,omitempty"` // what kind of line it is, in words
	Line   *line    `json:"l,omitempty"`
	Lead   *span    `json:"o,omitempty"` // without a line: its first whole sentences

	quoted     string // words of it that were quoted
	docID      string
	begin, end int64
}

// span is code points of a passage's text.
type span [2]int64

// line is a passage's best line, which may go beyond the passage.
type line struct {
	Text  string `json:"t"`
	Score number `json:"s"`
	Span  span   `json:"a"` // the part of the passage's text that it has of the line
}

// reason is what moved a passage's score.
type reason struct {
	Feature string `json:"f"`
	Effect  number `json:"e"`
}

// quote is one alignment that touches a passage.
type quote struct {
	Spans      []span           `json:"a"`
	Kind       string           `json:"k"`
	Similarity number           `json:"sim"`
	Confidence number           `json:"c"`
	Who        string           `json:"w"`
	Lines      []collate.Column `json:"l"`
	Cut        bool             `json:"cut,omitempty"`

	alignment commonplace.Alignment
}

// number is written with four digits, so that a page of thousands stays small.
type number float64

// MarshalJSON writes null for what JSON cannot say.
func (n number) MarshalJSON() ([]byte, error) {
	if f := float64(n); math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', 4, 64), nil
}

func newPassage(r commonplace.Ranking) *passage {
	text, cut := firstPoints(r.Text, maxPoints)
	var why []reason
	for _, w := range r.Reasons {
		why = append(why, reason{strings.Clone(w.Feature), number(w.Effect)})
	}
	var best *line
	if r.BestBegin != nil && r.BestEnd != nil && r.BestScore != nil {
		inside := func(point int64) int64 { return max(r.Begin, min(point, r.End)) - r.Begin }
		best = &line{strings.Clone(r.BestText), number(*r.BestScore), span{inside(*r.BestBegin), inside(*r.BestEnd)}}
	}
	var lead *span
	if best == nil {
		begin, end := whole(text, leadPoints)
		lead = &span{int64(utf8.RuneCountInString(text[:begin])), int64(utf8.RuneCountInString(text[:end]))}
	}
	return &passage{
		Why: why, Line: best, Lead: lead,
		ID: r.PassageID, Score: number(r.Score), Rank: r.RankOverall, InBook: r.RankInDocument, Above: number(r.Percentile),
		Count: r.QuoteCount, Text: text, Cut: cut, docID: r.DocID, begin: r.Begin, end: r.End,
	}
}

// leadPoints is about how long the first sentences are that stand for a passage
// without a line.
const leadPoints = 240

// Shown is what a reader sees of a passage in a list: its line, if it has one, or its
// first whole sentences.
func (p *passage) Shown() string {
	if p.Line != nil {
		return p.Line.Text
	}
	points := []rune(p.Text)
	return string(points[p.Lead[0]:p.Lead[1]])
}

func firstPoints(text string, n int) (string, bool) {
	if len(text) <= n {
		return strings.Clone(text), false
	}
	for i := range text {
		if n == 0 {
			return strings.Clone(text[:i]), true
		}
		n--
	}
	return strings.Clone(text), false
}

func countWords(text string) int {
	n, inside := 0, false
	for i := 0; i < len(text); {
		space, size := spaces[text[i]], 1
		if text[i] >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRuneInString(text[i:])
			space = unicode.IsSpace(r)
		}
		if !space && !inside {
			n++
		}
		inside = !space
		i += size
	}
	return n
}

// spaces are the white space of ASCII.
var spaces = [256]bool{' ': true, '\t': true, '\n': true, '\v': true, '\f': true, '\r': true}

// firstWords are the first n words as they stand.
func firstWords(text string, n int) string {
	inside := false
	for i, r := range text {
		space := unicode.IsSpace(r)
		if inside && space {
			if n--; n == 0 {
				return text[:i]
			}
		}
		inside = !space
	}
	return text
}

// lastWords are the last n words as they stand.
func lastWords(text string, n int) string {
	inside := false
	for i := len(text); i > 0; {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		space := unicode.IsSpace(r)
		if inside && space {
			if n--; n == 0 {
				return text[i:]
			}
		}
		inside = !space
		i -= size
	}
	return text
}
