// Package tabletest writes the tables of a small run, for tests.
package tabletest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage/storagetest"
	"github.com/commonplace/commonplace/table"
)

// Shards is how many every table has.
const Shards = 3

// Write writes rows into the Shards of their documents and commits them.
func Write[T any](t *testing.T, m *storagetest.Memory, tab *table.Table[T], stage string, rows []T, id func(T) string, inputs ...string) {
	t.Helper()
	tab = tab.On(m)
	var tasks []table.TaskRecord
	for k := range Shards {
		w, err := tab.Create(t.Context(), table.Dir("run", tab.Name), k, Shards)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		for _, r := range rows {
			if table.ShardOf(id(r), Shards) == k {
				if err := w.Write(r); err != nil {
					t.Fatal(err)
				}
			}
		}
		shard, err := w.Close()
		if err != nil {
			t.Fatal(err)
		}
		rw, err := table.Rejects.On(m).Create(t.Context(), table.RejectsDir("run", stage), k, Shards)
		if err != nil {
			t.Fatal(err)
		}
		defer rw.Abort()
		if err := rw.Write(commonplace.Reject{Stage: stage, ID: fmt.Sprint(k), Reason: "empty"}); err != nil {
			t.Fatal(err)
		}
		rejects, err := rw.Close()
		if err != nil {
			t.Fatal(err)
		}
		r := table.TaskRecord{Table: tab.Name, Stage: stage, Shard: shard, Rejects: &rejects}
		if err := table.WriteTask(t.Context(), m, "run", r); err != nil {
			t.Fatal(err)
		}
		tasks = append(tasks, r)
	}
	from := map[string]string{}
	for _, in := range inputs {
		c, err := table.ReadCommit(t.Context(), m, "run", in)
		if err != nil {
			t.Fatal(err)
		}
		from[in] = c.Fingerprint()
	}
	slices.Reverse(tasks)
	c, err := table.NewCommit(tab.Name, stage, 1, json.RawMessage(`{"a":1}`), from, tasks)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.WriteCommit(t.Context(), m, "run", c); err != nil {
		t.Fatal(err)
	}
}

// Run is a whole run in which everything is right, row by row, so that a test can
// spoil one of them.
type Run struct {
	Documents  []commonplace.Document
	Quotes     []commonplace.Quote
	Passages   []commonplace.Passage
	Alignments []commonplace.Alignment
	Examples   []commonplace.Example
	Queries    []commonplace.Query
	Windows    []commonplace.Window
	Counts     []commonplace.QuoteCount
	Scores     []commonplace.Score
	Rankings   []commonplace.Ranking
}

// NewRun is a run without a problem.
func NewRun() *Run {
	s := &Run{}
	cut := func(text string, begin, end int) string {
		return commonplace.Slice(text, commonplace.Span{Begin: begin, End: end})
	}
	for d := range 9 {
		id := fmt.Sprintf("doc%d", d)
		text := strings.Repeat(fmt.Sprintf("Été %d — ſo 😀 it goes. ", d), 20)
		n := len([]rune(text))
		s.Documents = append(s.Documents, commonplace.Document{ID: id, Text: text, Characters: int64(n), FrameStart: 5, FrameEnd: int64(5 + n)})
		s.Quotes = append(s.Quotes, commonplace.Quote{ID: "q" + id, Text: "« " + cut(text, 30, 50)})
		for i := range n / 40 {
			b, e := i*40, i*40+39
			pid := commonplace.PassageID(id, int64(i))
			s.Passages = append(s.Passages, commonplace.Passage{ID: pid, DocID: id, Index: int64(i), Begin: int64(b), End: int64(e), Text: cut(text, b, e)})
			s.Counts = append(s.Counts, commonplace.QuoteCount{PassageID: pid, DocID: id, Index: int64(i)})
			s.Scores = append(s.Scores, commonplace.Score{PassageID: pid, DocID: id, Index: int64(i), Score: float64(i)})
			s.Rankings = append(s.Rankings, commonplace.Ranking{PassageID: pid, DocID: id, Index: int64(i), Begin: int64(b), End: int64(e), Text: cut(text, b, e), RankInDocument: 1, RankOverall: 2, RankBalanced: 2, Percentile: 0.5})
			if i%2 == 1 { // a line that goes on beyond its passage
				from, to, score := int64(b)+3, int64(e)+1, 0.5
				s.Rankings[len(s.Rankings)-1].BestBegin, s.Rankings[len(s.Rankings)-1].BestEnd = &from, &to
				s.Rankings[len(s.Rankings)-1].BestText, s.Rankings[len(s.Rankings)-1].BestScore = cut(text, b+3, e+1), &score
			}
		}
		derived := fmt.Sprintf("doc%d", (d+1)%9)
		s.Alignments = append(s.Alignments,
			commonplace.Alignment{SourceID: id, SourceBegin: 30, SourceEnd: 50, SourceText: cut(text, 30, 50), QuoteID: "q" + id, DerivedBegin: 2, DerivedEnd: 22, DerivedText: cut(text, 30, 50),
				Parts: []commonplace.Part{{DerivedBegin: 2, DerivedEnd: 5, SourceBegin: 30, SourceEnd: 33}}},
			commonplace.Alignment{SourceID: id, SourceBegin: 60, SourceEnd: 70, SourceText: cut(text, 60, 70), DerivedID: derived, DerivedBegin: 0, DerivedEnd: 5, DerivedText: fmt.Sprintf("Été %d", (d+1)%9)})
		found := strings.ReplaceAll(text, fmt.Sprint(d), fmt.Sprint((d+1)%9)) // the text that quotes
		s.Queries = append(s.Queries, commonplace.Query{ID: "q", DocID: id, Span: cut(text, 60, 70), SpanBegin: 60, SpanEnd: 70, PassageIDs: []string{id + ":000001"}, ArticleID: derived,
			Quote: cut(found, 22, 43), QuoteBegin: 22, QuoteEnd: 43, LeftContext: cut(found, 0, 21), LeftEnd: 21, Before: "it goes.", After: "Été"})
		s.Windows = append(s.Windows, commonplace.Window{ID: "w", SourceID: id, Quote: cut(text, 60, 70), SourceBegin: 60, SourceEnd: 70, Sentences: 1, Candidates: 9, DerivedID: derived, DerivedBegin: 44, DerivedEnd: 65,
			Left: []string{strings.Replace(cut(found, 22, 43), " — ſo", "", 1)}, LeftBegin: 22, LeftEnd: 43, Right: []string{cut(found, 66, 87)}, RightBegin: 66, RightEnd: 87})
		s.Examples = append(s.Examples, commonplace.Example{ID: "c", DocID: id, Quote: cut(text, 30, 50), QuoteBegin: 30, QuoteEnd: 50,
			LeftContext: cut(text, 10, 29), LeftBegin: 10, LeftEnd: 29, RightContext: cut(text, 51, 60), RightBegin: 51, RightEnd: 60,
			PassageID: id + ":000000", PassageIDs: []string{id + ":000000", id + ":000001"}, CrossesBoundary: true,
			PassageText: cut(text, 0, 39), SpanBegin: 30, SpanEnd: 39, SpanText: cut(text, 30, 39), Tokens: []string{"a", "b"}, Tags: []string{"O", "B"}})
	}
	return s
}

// Write commits the run's tables.
func (s *Run) Write(t *testing.T) *storagetest.Memory {
	t.Helper()
	m := storagetest.NewMemory()
	Write(t, m, table.Documents, "crawl", s.Documents, func(r commonplace.Document) string { return r.ID })
	Write(t, m, table.Quotes, "quotes", s.Quotes, func(r commonplace.Quote) string { return r.ID })
	Write(t, m, table.Passages, "segment", s.Passages, func(r commonplace.Passage) string { return r.DocID }, "documents")
	Write(t, m, table.Alignments, "align", s.Alignments, func(r commonplace.Alignment) string { return r.SourceID }, "documents", "quotes")
	Write(t, m, table.Examples, "label", s.Examples, func(r commonplace.Example) string { return r.DocID })
	Write(t, m, table.Queries, "query", s.Queries, func(r commonplace.Query) string { return r.DocID })
	Write(t, m, table.Windows, "window", s.Windows, func(r commonplace.Window) string { return r.SourceID })
	Write(t, m, table.QuoteCounts, "count", s.Counts, func(r commonplace.QuoteCount) string { return r.DocID })
	Write(t, m, table.Scores, "score", s.Scores, func(r commonplace.Score) string { return r.DocID })
	Write(t, m, table.Rankings, "rank", s.Rankings, func(r commonplace.Ranking) string { return r.DocID })
	return m
}
