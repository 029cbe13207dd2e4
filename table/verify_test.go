package table

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

const shards = 3

// writeTable writes rows into the shards of their documents and commits them.
func writeTable[T any](t *testing.T, m *memory, tab *Table[T], stage string, rows []T, id func(T) string, inputs ...string) {
	t.Helper()
	tab = tab.On(m)
	var tasks []TaskRecord
	for k := range shards {
		w, err := tab.Create(t.Context(), Dir("run", tab.Name), k, shards)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		for _, r := range rows {
			if ShardOf(id(r), shards) == k {
				if err := w.Write(r); err != nil {
					t.Fatal(err)
				}
			}
		}
		shard, err := w.Close()
		if err != nil {
			t.Fatal(err)
		}
		rw, err := Rejects.On(m).Create(t.Context(), RejectsDir("run", stage), k, shards)
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
		r := TaskRecord{Table: tab.Name, Stage: stage, Shard: shard, Rejects: &rejects}
		if err := WriteTask(t.Context(), m, "run", r); err != nil {
			t.Fatal(err)
		}
		tasks = append(tasks, r)
	}
	from := map[string]string{}
	for _, in := range inputs {
		c, err := ReadCommit(t.Context(), m, "run", in)
		if err != nil {
			t.Fatal(err)
		}
		from[in] = c.Fingerprint()
	}
	slices.Reverse(tasks)
	c, err := NewCommit(tab.Name, stage, 1, json.RawMessage(`{"a":1}`), from, tasks)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteCommit(t.Context(), m, "run", c); err != nil {
		t.Fatal(err)
	}
}

// sampleRun is a whole run in which everything is right, told row by row so that
// a test can spoil one of them.
type sampleRun struct {
	documents  []commonplace.Document
	quotes     []commonplace.Quote
	passages   []commonplace.Passage
	alignments []commonplace.Alignment
	examples   []commonplace.Example
	queries    []commonplace.Query
	windows    []commonplace.Window
	counts     []commonplace.QuoteCount
	scores     []commonplace.Score
	rankings   []commonplace.Ranking
}

func newSampleRun() *sampleRun {
	s := &sampleRun{}
	cut := func(text string, begin, end int) string {
		return commonplace.Slice(text, commonplace.Span{Begin: begin, End: end})
	}
	for d := range 9 {
		id := fmt.Sprintf("doc%d", d)
		text := strings.Repeat(fmt.Sprintf("Été %d — ſo 😀 it goes. ", d), 20)
		n := len([]rune(text))
		s.documents = append(s.documents, commonplace.Document{ID: id, Text: text, Characters: int64(n), FrameStart: 5, FrameEnd: int64(5 + n)})
		s.quotes = append(s.quotes, commonplace.Quote{ID: "q" + id, Text: "« " + cut(text, 30, 50)})
		for i := range n / 40 {
			b, e := i*40, i*40+39
			pid := commonplace.PassageID(id, int64(i))
			s.passages = append(s.passages, commonplace.Passage{ID: pid, DocID: id, Index: int64(i), Begin: int64(b), End: int64(e), Text: cut(text, b, e)})
			s.counts = append(s.counts, commonplace.QuoteCount{PassageID: pid, DocID: id, Index: int64(i)})
			s.scores = append(s.scores, commonplace.Score{PassageID: pid, DocID: id, Index: int64(i), Score: float64(i)})
			s.rankings = append(s.rankings, commonplace.Ranking{PassageID: pid, DocID: id, Index: int64(i), Begin: int64(b), End: int64(e), Text: cut(text, b, e), RankInDocument: 1, RankOverall: 2, RankBalanced: 2, Percentile: 0.5})
			if i%2 == 1 { // a line that goes on beyond its passage
				from, to, score := int64(b)+3, int64(e)+1, 0.5
				s.rankings[len(s.rankings)-1].BestBegin, s.rankings[len(s.rankings)-1].BestEnd = &from, &to
				s.rankings[len(s.rankings)-1].BestText, s.rankings[len(s.rankings)-1].BestScore = cut(text, b+3, e+1), &score
			}
		}
		derived := fmt.Sprintf("doc%d", (d+1)%9)
		s.alignments = append(s.alignments,
			commonplace.Alignment{SourceID: id, SourceBegin: 30, SourceEnd: 50, SourceText: cut(text, 30, 50), QuoteID: "q" + id, DerivedBegin: 2, DerivedEnd: 22, DerivedText: cut(text, 30, 50),
				Parts: []commonplace.Part{{DerivedBegin: 2, DerivedEnd: 5, SourceBegin: 30, SourceEnd: 33}}},
			commonplace.Alignment{SourceID: id, SourceBegin: 60, SourceEnd: 70, SourceText: cut(text, 60, 70), DerivedID: derived, DerivedBegin: 0, DerivedEnd: 5, DerivedText: fmt.Sprintf("Été %d", (d+1)%9)})
		found := strings.ReplaceAll(text, fmt.Sprint(d), fmt.Sprint((d+1)%9)) // the text that quotes
		s.queries = append(s.queries, commonplace.Query{ID: "q", DocID: id, Span: cut(text, 60, 70), SpanBegin: 60, SpanEnd: 70, PassageIDs: []string{id + ":000001"}, ArticleID: derived,
			Quote: cut(found, 22, 43), QuoteBegin: 22, QuoteEnd: 43, LeftContext: cut(found, 0, 21), LeftEnd: 21, Before: "it goes.", After: "Été"})
		s.windows = append(s.windows, commonplace.Window{ID: "w", SourceID: id, Quote: cut(text, 60, 70), SourceBegin: 60, SourceEnd: 70, Sentences: 1, Candidates: 9, DerivedID: derived, DerivedBegin: 44, DerivedEnd: 65,
			Left: []string{strings.Replace(cut(found, 22, 43), " — ſo", "", 1)}, LeftBegin: 22, LeftEnd: 43, Right: []string{cut(found, 66, 87)}, RightBegin: 66, RightEnd: 87})
		s.examples = append(s.examples, commonplace.Example{ID: "c", DocID: id, Quote: cut(text, 30, 50), QuoteBegin: 30, QuoteEnd: 50,
			LeftContext: cut(text, 10, 29), LeftBegin: 10, LeftEnd: 29, RightContext: cut(text, 51, 60), RightBegin: 51, RightEnd: 60,
			PassageID: id + ":000000", PassageIDs: []string{id + ":000000", id + ":000001"}, CrossesBoundary: true,
			PassageText: cut(text, 0, 39), SpanBegin: 30, SpanEnd: 39, SpanText: cut(text, 30, 39), Tokens: []string{"a", "b"}, Tags: []string{"O", "B"}})
	}
	return s
}

func (s *sampleRun) write(t *testing.T) *memory {
	t.Helper()
	m := newMemory()
	writeTable(t, m, Documents, "crawl", s.documents, func(r commonplace.Document) string { return r.ID })
	writeTable(t, m, Quotes, "quotes", s.quotes, func(r commonplace.Quote) string { return r.ID })
	writeTable(t, m, Passages, "segment", s.passages, func(r commonplace.Passage) string { return r.DocID }, "documents")
	writeTable(t, m, Alignments, "align", s.alignments, func(r commonplace.Alignment) string { return r.SourceID }, "documents", "quotes")
	writeTable(t, m, Examples, "label", s.examples, func(r commonplace.Example) string { return r.DocID })
	writeTable(t, m, Queries, "query", s.queries, func(r commonplace.Query) string { return r.DocID })
	writeTable(t, m, Windows, "window", s.windows, func(r commonplace.Window) string { return r.SourceID })
	writeTable(t, m, QuoteCounts, "count", s.counts, func(r commonplace.QuoteCount) string { return r.DocID })
	writeTable(t, m, Scores, "score", s.scores, func(r commonplace.Score) string { return r.DocID })
	writeTable(t, m, Rankings, "rank", s.rankings, func(r commonplace.Ranking) string { return r.DocID })
	return m
}

func problems(t *testing.T, m *memory) ([]string, Verified) {
	t.Helper()
	var said []string
	sum, err := Verify(t.Context(), m, "run", func(p Problem) { said = append(said, p.String()) })
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(said)) != sum.Problems {
		t.Errorf("%d problems reported, %d counted", len(said), sum.Problems)
	}
	return said, sum
}

func TestVerifyFindsNothing(t *testing.T) {
	s := newSampleRun()
	said, sum := problems(t, s.write(t))
	if len(said) > 0 {
		t.Fatalf("a run in which all is right:\n%s", strings.Join(said, "\n"))
	}
	rows := len(s.documents) + len(s.quotes) + len(s.passages) + len(s.alignments) + len(s.examples) + len(s.queries) + len(s.windows) + len(s.counts) + len(s.scores) + len(s.rankings) + 10*shards
	spans := len(s.passages) + len(s.rankings) + 2*len(s.alignments) + 4*len(s.examples) + 3*len(s.queries) + 3*len(s.windows)
	for _, r := range s.rankings {
		if r.BestBegin != nil {
			spans++
		}
	}
	if sum.Tables != 10 || sum.Shards != 2*10*shards || sum.Rows != int64(rows) || sum.Spans != int64(spans) {
		t.Errorf("%+v; want %d rows and %d spans", sum, rows, spans)
	}
}

// TestVerifyFindsWrongRows spoils one row before it is written, so that hashes
// and records agree and only the row's own sense is wrong.
func TestVerifyFindsWrongRows(t *testing.T) {
	for want, spoil := range map[string]func(*sampleRun){
		`characters is`:                      func(s *sampleRun) { s.documents[4].Characters++ },
		`the body is [6:`:                    func(s *sampleRun) { s.documents[4].FrameStart++ },
		`text is "`:                          func(s *sampleRun) { s.passages[7].Begin--; s.passages[7].End-- },
		`begins at`:                          func(s *sampleRun) { s.passages[1].Begin -= 3; s.passages[1].Text = "wrong" },
		`passage_id is "x"`:                  func(s *sampleRun) { s.passages[1].ID = "x" },
		`index is`:                           func(s *sampleRun) { s.passages = slices.Delete(s.passages, 4, 5) },
		`source_text is "`:                   func(s *sampleRun) { s.alignments[2].SourceEnd++ },
		`of a text of`:                       func(s *sampleRun) { s.alignments[3].SourceEnd = 1 << 40 },
		`derived_text is "`:                  func(s *sampleRun) { s.alignments[2].DerivedText = "no" },
		`documents.text[0:5]`:                func(s *sampleRun) { s.alignments[3].DerivedText = "Ete 2" },
		`"qdoc99" was aligned and is not in`: func(s *sampleRun) { s.alignments[2].QuoteID = "qdoc99" },
		`"doc99" was aligned and is not in`:  func(s *sampleRun) { s.alignments[3].DerivedID = "doc99" },
		`one must be empty`:                  func(s *sampleRun) { s.alignments[3].QuoteID = "qdoc1" },
		`part 0 lies outside`:                func(s *sampleRun) { s.alignments[2].Parts[0].SourceBegin = 29 },
		`quote is "`:                         func(s *sampleRun) { s.examples[3].Quote = "no" },
		`left_context is "`:                  func(s *sampleRun) { s.examples[3].LeftContext = "no" },
		`right_context is "`:                 func(s *sampleRun) { s.examples[3].RightContext = "no" },
		`span_text is "`:                     func(s *sampleRun) { s.examples[3].SpanText = "no" },
		`2 tokens and 1 tags`:                func(s *sampleRun) { s.examples[3].Tags = []string{"B"} },
		`tag 1 is "X"`:                       func(s *sampleRun) { s.examples[3].Tags = []string{"B", "X"} },
		`is not among passage_ids`:           func(s *sampleRun) { s.examples[3].PassageID = "doc3:000009" },
		`crosses_boundary is false`:          func(s *sampleRun) { s.examples[3].CrossesBoundary = false },
		`queries: queries/part-00001-of-00003.parquet: row (doc_id "doc2", span_begin 60, span_end 70, query_id "q"): quote is "`: func(s *sampleRun) { s.queries[2].Quote = "no" },
		`the article's text[0:22] is "`:      func(s *sampleRun) { s.queries[3].LeftEnd++ },
		`before is "no"`:                     func(s *sampleRun) { s.queries[3].Before = "no" },
		`after is "no"`:                      func(s *sampleRun) { s.queries[3].After = "no" },
		`"doc77" was aligned and is not in`:  func(s *sampleRun) { s.queries[3].ArticleID = "doc77" },
		`left is not what the secondary`:     func(s *sampleRun) { s.windows[3].Left[0] = "no" },
		`right is not what the secondary`:    func(s *sampleRun) { s.windows[3].Right = append(s.windows[3].Right, "e") },
		`right is [66:999] of a text of 440`: func(s *sampleRun) { s.windows[3].RightEnd = 999 },
		`count is -1`:                        func(s *sampleRun) { s.counts[3].Count = -1 },
		`score is NaN`:                       func(s *sampleRun) { s.scores[3].Score = nan() },
		`rank 0 in the document`:             func(s *sampleRun) { s.rankings[3].RankInDocument = 0 },
		`rankings: rankings/current/part-`:   func(s *sampleRun) { s.rankings[3].Text = "no" },
		`1 in the document, 0 balanced`:      func(s *sampleRun) { s.rankings[3].RankBalanced = 0 },
		`best_text is "no"`:                  func(s *sampleRun) { s.rankings[3].BestText = "no" },
		`best_text is "no" without`:          func(s *sampleRun) { s.rankings[4].BestText = "no" },
		`some of best_begin`:                 func(s *sampleRun) { s.rankings[3].BestScore = nil },
		`percentile is 50`:                   func(s *sampleRun) { s.rankings[3].Percentile = 50 },
		`its document is not in the table`:   func(s *sampleRun) { s.documents = s.documents[:8]; s.alignments = s.alignments[:14] },
	} {
		s := newSampleRun()
		spoil(s)
		said, _ := problems(t, s.write(t))
		if !slices.ContainsFunc(said, func(p string) bool { return strings.Contains(p, want) }) {
			t.Errorf("no problem says %q, but\n%s", want, strings.Join(said, "\n"))
		}
	}
}

func nan() float64 { var zero float64; return zero / zero }

// TestVerifyFindsWrongFiles spoils the files of a run in which all is right.
func TestVerifyFindsWrongFiles(t *testing.T) {
	good := newSampleRun().write(t)
	const shard = "run/passages/part-00001-of-00003.parquet"
	for _, c := range []struct {
		want  string
		only  bool // the one problem
		spoil func(m *memory)
	}{
		{"passages/part-00001-of-00003.parquet: is not what was written", true, func(m *memory) {
			b := bytes.Clone(m.files[shard])
			b[len(b)/2] ^= 1
			m.files[shard] = b
		}},
		{"part-00001-of-00003.parquet: is missing", true, func(m *memory) { delete(m.files, shard) }},
		{"part-00001-of-00003.parquet: has 100 bytes", true, func(m *memory) { m.files[shard] = m.files[shard][:100] }},
		{"passages/other.parquet: is not in the commit record", true, func(m *memory) { m.files["run/passages/other.parquet"] = nil }},
		{"part-00000-of-00009.parquet: is not in the commit record", true, func(m *memory) { m.files["run/passages/part-00000-of-00009.parquet"] = nil }},
		{".tmp: is not in the commit record", true, func(m *memory) { m.files["run/scores/.part-00000-of-00003.parquet.1.tmp"] = nil }},
		{"passages: run/passages/_commit.json: no commit record: the table is not whole", true, func(m *memory) { delete(m.files, "run/passages/_commit.json") }},
		{"rejects/score/part-00002-of-00003.parquet: is missing", true, func(m *memory) { delete(m.files, "run/rejects/score/part-00002-of-00003.parquet") }},
		{"rejects/score/x: is not in the commit record", true, func(m *memory) { m.files["run/rejects/score/x"] = nil }},
		{"_commit.json: damaged", false, func(m *memory) { m.files["run/passages/_commit.json"] = []byte("{") }},
		{"belongs into part-00001", false, func(m *memory) { swap(t.Context(), m, "passages") }},
		{"passages: was made from another version of documents", false, func(m *memory) {
			s := newSampleRun()
			s.documents[0].Title = "another"
			writeTable(t, m, Documents, "crawl", s.documents, func(r commonplace.Document) string { return r.ID })
		}},
		{"rows, its record says", false, func(m *memory) { recount(t.Context(), m, "passages") }},
	} {
		m := newMemory()
		m.files = maps.Clone(good.files)
		c.spoil(m)
		said, _ := problems(t, m)
		if !slices.ContainsFunc(said, func(p string) bool { return strings.Contains(p, c.want) }) {
			t.Errorf("no problem says %q, but\n%s", c.want, strings.Join(said, "\n"))
		}
		if c.only && len(said) != 1 {
			t.Errorf("%q and more:\n%s", c.want, strings.Join(said, "\n"))
		}
	}
	if _, err := Verify(t.Context(), newMemory(), "run", nil); err == nil {
		t.Error("a folder that is not there was verified")
	}
}

// swap exchanges two shards together with their records, as a rename by hand would.
func swap(ctx context.Context, m *memory, name string) {
	a, b := "run/"+name+"/"+ShardName(0, shards), "run/"+name+"/"+ShardName(1, shards)
	m.files[a], m.files[b] = m.files[b], m.files[a]
	c, _ := ReadCommit(ctx, m, "run", name)
	c.Shards[0], c.Shards[1] = c.Shards[1], c.Shards[0]
	c.Shards[0].File, c.Shards[1].File = c.Shards[1].File, c.Shards[0].File
	WriteCommit(ctx, m, "run", c)
}

func recount(ctx context.Context, m *memory, name string) {
	c, _ := ReadCommit(ctx, m, "run", name)
	c.Shards[0].Rows += 5
	c.Rows += 5
	WriteCommit(ctx, m, "run", c)
}

func TestCommit(t *testing.T) {
	m := newSampleRun().write(t)
	c, err := ReadCommit(t.Context(), m, "run", "passages")
	if err != nil {
		t.Fatal(err)
	}
	if c.Rejected != shards || len(c.ShardPaths("run")) != shards || c.ShardPaths("run")[2] != "run/passages/part-00002-of-00003.parquet" {
		t.Errorf("%+v", c)
	}
	again := newSampleRun().write(t)
	if !maps.EqualFunc(m.files, again.files, bytes.Equal) {
		t.Error("the same run twice gave other files")
	}
	r, err := ReadTask(t.Context(), m, "run", "passages", 1, shards)
	if err != nil {
		t.Fatal(err)
	}
	if Fresh(r, "") || Fresh(r, "x") {
		t.Error("a record without a fingerprint is fresh")
	}
	r.Shard.Fingerprint = "x"
	if !Fresh(r, "x") || Fresh(r, "y") {
		t.Error("Fresh")
	}
	// What the record vouches for must be there.
	path := "run/rejects/segment/part-00001-of-00003.parquet"
	whole := m.files[path]
	m.files[path] = whole[:9]
	if _, err := ReadTask(t.Context(), m, "run", "passages", 1, shards); err == nil {
		t.Error("a record whose rejects were cut is believed")
	}
	delete(m.files, path)
	if _, err := ReadTask(t.Context(), m, "run", "passages", 1, shards); err == nil {
		t.Error("a record whose rejects are gone is believed")
	}
	if err := RemoveCommit(t.Context(), m, "run", "passages"); err != nil {
		t.Fatal(err)
	}
	if err := RemoveCommit(t.Context(), m, "run", "passages"); err != nil {
		t.Errorf("a second time: %v", err)
	}
	if _, err := NewCommit("t", "s", 1, nil, nil, []TaskRecord{r, r}); err == nil {
		t.Error("a commit of one shard twice")
	}
}

// TestVerifyFindsWrongMatches: matches are the alignments between documents, by the
// document that quotes; their rows are looked at, too.
func TestVerifyFindsWrongMatches(t *testing.T) {
	matches := func(text string) *memory {
		s := newSampleRun()
		match := s.alignments[3]
		match.DerivedText = text
		m := s.write(t)
		writeTable(t, m, Matches, "match", []commonplace.Alignment{match}, func(r commonplace.Alignment) string { return r.DerivedID }, "documents")
		return m
	}
	if said, _ := problems(t, matches("Été 2")); len(said) > 0 {
		t.Errorf("a match that is right:\n%s", strings.Join(said, "\n"))
	}
	said, _ := problems(t, matches("Ete 2"))
	if len(said) != 1 || !strings.HasPrefix(said[0], "matches: ") || !strings.Contains(said[0], `derived_text is "Ete 2"`) {
		t.Errorf("%d problems of a match that is wrong:\n%s", len(said), strings.Join(said, "\n"))
	}
}
