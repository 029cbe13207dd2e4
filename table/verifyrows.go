package table

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
)

// verify reads every row of the table's shards.
func (t *Table[T]) verify(v *verifier) {
	commit := v.commits[t.Name]
	look := t.entry.Verify
	if t.entry.Sequence != nil {
		look = t.entry.Sequence(commit.Config)
	}
	for _, s := range commit.Shards {
		verifyShard(v, t, filepath.Join(commit.Folder(), s.File), s, look)
	}
}

// verifyShard reads a shard's rows: as many as the record says, sorted, keys
// unique, each in the shard of its document; look adds what else must hold.
func verifyShard[T any](v *verifier, t *Table[T], file string, want ShardRecord, look func(*check, *T)) {
	path := storage.Join(v.run, file)
	if v.bad[path] {
		return // said already; its rows would only echo it
	}
	c := &check{verifier: v, table: t.Name, file: file, texts: newTexts(v)}
	defer c.texts.close()
	reader, err := t.On(v.files).Open(v.ctx, path)
	if err != nil {
		c.hold(false, "%v", err)
		return
	}
	defer reader.Close()
	shard, of, named := ParseShardName(want.File)
	var row, last T
	now, before := reflect.ValueOf(&row).Elem(), reflect.ValueOf(&last).Elem()
	c.key = func() string { return keyOf(t.columns, t.order, now) }
	n := int64(0)
	for ; ; n++ {
		ok, err := reader.Next(&row)
		if err != nil {
			c.key = nil
			c.hold(false, "%v", err)
			return
		}
		if !ok {
			break
		}
		if n > 0 {
			d := compare(t.columns, t.order, before, now)
			if d > 0 {
				c.hold(false, "comes after (%s): the rows are not sorted", keyOf(t.columns, t.order, before))
			}
			c.hold(d != 0 || t.twins, "has the key of the row before it")
		}
		if t.doc >= 0 && named {
			id := now.Field(t.columns[t.doc].field).String()
			if k := ShardOf(id, of); k != shard {
				c.hold(false, "belongs into %s", ShardName(k, of))
			}
		}
		if look != nil {
			look(c, &row)
		}
		for _, i := range t.order {
			f := t.columns[i].field
			before.Field(f).Set(now.Field(f))
		}
	}
	v.sum.Rows += n
	c.key = nil
	c.hold(n == want.Rows, "has %d rows, its record says %d", n, want.Rows)
}

// check is what a row is looked at with.
type check struct {
	*verifier
	table, file string
	key         func() string // of the present row; nil outside of rows
	texts       *texts
}

// hold reports a problem of the present row unless ok.
func (c *check) hold(ok bool, format string, args ...any) {
	if ok {
		return
	}
	row := ""
	if c.key != nil {
		row = c.key()
	}
	c.problem(c.table, c.file, row, format, args...)
}

func (c *check) finite(name string, x float64) {
	c.hold(!math.IsNaN(x) && !math.IsInf(x, 0), "%s is %v", name, x)
}

func (c *check) passageID(id, docID string, index int64) {
	want := commonplace.PassageID(docID, index)
	c.hold(id == want, "passage_id is %q and should be %q", id, want)
}

// span holds an exported span against the text of its document.
func (c *check) span(docID, name string, begin, end int64, want string) {
	text, err := c.texts.of(c.ctx, docID)
	if err != nil {
		c.hold(false, "%s: %v", name, err)
		return
	}
	if text != nil {
		c.slice(text, "documents.text", name, begin, end, want)
	}
}

// line holds a passage's best line against the text of its document.
func (c *check) line(docID string, begin, end *int64, text string, score *float64) {
	c.hold((begin == nil) == (end == nil) && (begin == nil) == (score == nil), "some of best_begin, best_end and best_score are null, and others are not")
	if begin == nil || end == nil || score == nil {
		c.hold(text == "", "best_text is %s without best_begin, best_end and best_score", short(text))
		return
	}
	c.finite("best_score", *score)
	c.span(docID, "best_text", *begin, *end, text)
}

// slice holds text[begin:end] == want.
func (c *check) slice(text *commonplace.Offsets, of, name string, begin, end int64, want string) {
	c.sum.Spans++
	if begin < 0 || begin > end || end > int64(text.Len()) {
		c.hold(false, "%s is [%d:%d] of a text of %d code points", name, begin, end, text.Len())
		return
	}
	got := text.Slice(commonplace.Span{Begin: int(begin), End: int(end)})
	if got != want {
		c.hold(false, "%s is %s and %s[%d:%d] is %s", name, short(want), of, begin, end, short(got))
	}
}

// short quotes the first words of a text.
func short(s string) string {
	const most = 40
	if n := 0; len(s) > most {
		for i := range s {
			if n++; n > most {
				return fmt.Sprintf("%q...", s[:i])
			}
		}
	}
	return fmt.Sprintf("%q", s)
}

func verifyDocument(c *check, r *commonplace.Document) {
	n := int64(utf8.RuneCountInString(r.Text))
	c.hold(r.Characters == n, "characters is %d, text has %d", r.Characters, n)
	c.hold(r.FrameEnd-r.FrameStart == n && r.FrameStart >= 0, "the body is [%d:%d] of its file, text has %d code points", r.FrameStart, r.FrameEnd, n)
	c.hold(utf8.ValidString(r.Text), "text is not UTF-8")
}

// verifyPassages holds passages to their contract: a document's count from 0 and
// do not overlap, unless the stage's config says that they are chunks, of which each
// begins and ends behind where the one before it does.
func verifyPassages(config []byte) func(*check, *commonplace.Passage) {
	overlap := bytes.Contains(config, []byte(`"chunks:`))
	doc, index, begin, end := "", int64(-1), int64(-1), int64(0)
	return func(c *check, r *commonplace.Passage) {
		if r.DocID != doc || index < 0 {
			doc, index, begin, end = r.DocID, -1, -1, 0
		}
		c.passageID(r.ID, r.DocID, r.Index)
		c.hold(r.Index == index+1, "index is %d after %d", r.Index, index)
		c.hold(r.Begin >= end || overlap && r.Begin > begin && r.End > end, "begins at %d and ends at %d, the one before it at %d and %d", r.Begin, r.End, begin, end)
		c.span(r.DocID, "text", r.Begin, r.End, r.Text)
		index, begin, end = r.Index, r.Begin, r.End
	}
}

// verifyMatch looks at the derived side alone: rows come in its order. Both sides
// are looked at in alignments, which have the same rows by source.
func verifyMatch(c *check, r *commonplace.Alignment) {
	c.span(r.DerivedID, "derived_text", r.DerivedBegin, r.DerivedEnd, r.DerivedText)
	c.scored(r)
}

func verifyAlignment(c *check, r *commonplace.Alignment) {
	c.hold((r.QuoteID == "") != (r.DerivedID == ""), "quote_id is %q and derived_id %q: one must be empty", r.QuoteID, r.DerivedID)
	c.span(r.SourceID, "source_text", r.SourceBegin, r.SourceEnd, r.SourceText)
	c.scored(r)
}

// scored holds the numbers and the parts of an alignment.
func (c *check) scored(r *commonplace.Alignment) {
	c.finite("similarity", r.Similarity)
	c.finite("score", r.Score)
	for i, p := range r.Parts {
		inside := r.SourceBegin <= p.SourceBegin && p.SourceBegin <= p.SourceEnd && p.SourceEnd <= r.SourceEnd &&
			r.DerivedBegin <= p.DerivedBegin && p.DerivedBegin <= p.DerivedEnd && p.DerivedEnd <= r.DerivedEnd
		c.hold(inside, "part %d lies outside the alignment", i)
	}
}

func verifyExample(c *check, r *commonplace.Example) {
	c.span(r.DocID, "quote", r.QuoteBegin, r.QuoteEnd, r.Quote)
	c.span(r.DocID, "left_context", r.LeftBegin, r.LeftEnd, r.LeftContext)
	c.span(r.DocID, "right_context", r.RightBegin, r.RightEnd, r.RightContext)
	passage := commonplace.NewOffsets(r.PassageText)
	c.slice(passage, "passage_text", "span_text", r.SpanBegin, r.SpanEnd, r.SpanText)
	c.hold(len(r.Tokens) == len(r.Tags), "%d tokens and %d tags", len(r.Tokens), len(r.Tags))
	for i, tag := range r.Tags {
		c.hold(tag == "B" || tag == "I" || tag == "O", "tag %d is %q", i, tag)
	}
	joined := strings.Join(r.PassageIDs, " ")
	c.hold(r.PassageID == "" || strings.Contains(" "+joined+" ", " "+r.PassageID+" "), "passage_id %q is not among passage_ids", r.PassageID)
	c.hold(r.CrossesBoundary == (len(r.PassageIDs) > 1), "crosses_boundary is %v and the quote touches %d passages", r.CrossesBoundary, len(r.PassageIDs))
}

func verifyChoice(c *check, r *commonplace.Choice) {
	yes := r.Label == "yes"
	c.hold(yes || r.Label == "no", "label is %q", r.Label)
	c.hold(yes == (r.SpanEnd > 0) && yes == (r.SampledBy == "positive"), "label %s, span [%d:%d], sampled by %s", r.Label, r.SpanBegin, r.SpanEnd, r.SampledBy)
	length := int64(commonplace.NewOffsets(r.PassageText).Len())
	c.hold(r.SpanBegin <= r.SpanEnd && r.SpanEnd <= length, "span [%d:%d] of a passage of %d", r.SpanBegin, r.SpanEnd, length)
	c.hold(slices.Contains([]string{"positive", "near", "bm25", "uniform", "tfidf", "position", "all"}, r.SampledBy), "sampled by %q", r.SampledBy)
}

func verifyRanking(c *check, r *commonplace.Ranking) {
	c.passageID(r.PassageID, r.DocID, r.Index)
	c.finite("score", r.Score)
	c.span(r.DocID, "text", r.Begin, r.End, r.Text)
	c.line(r.DocID, r.BestBegin, r.BestEnd, r.BestText, r.BestScore)
	c.hold(r.RankInDocument >= 1 && r.RankOverall >= r.RankInDocument, "rank %d in the document, %d over all", r.RankInDocument, r.RankOverall)
	c.hold(r.RankBalanced >= r.RankInDocument, "rank %d in the document, %d balanced", r.RankInDocument, r.RankBalanced)
	c.hold(r.Percentile >= 0 && r.Percentile <= 1, "percentile is %v", r.Percentile)
}
