package verify

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage/storagetest"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/tabletest"
)

func problems(t *testing.T, m *storagetest.Memory) ([]string, Summary) {
	t.Helper()
	var said []string
	sum, err := Tables(t.Context(), m, "run", func(p Problem) { said = append(said, p.String()) })
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(said)) != sum.Problems {
		t.Errorf("%d problems reported, %d counted", len(said), sum.Problems)
	}
	return said, sum
}

func TestVerifyFindsNothing(t *testing.T) {
	s := tabletest.NewRun()
	said, sum := problems(t, s.Write(t))
	if len(said) > 0 {
		t.Fatalf("a run in which all is right:\n%s", strings.Join(said, "\n"))
	}
	rows := len(s.Documents) + len(s.Quotes) + len(s.Passages) + len(s.Alignments) + len(s.Examples) + len(s.Queries) + len(s.Windows) + len(s.Counts) + len(s.Scores) + len(s.Rankings) + 10*tabletest.Shards
	spans := len(s.Passages) + len(s.Rankings) + 2*len(s.Alignments) + 4*len(s.Examples) + 3*len(s.Queries) + 3*len(s.Windows)
	for _, r := range s.Rankings {
		if r.BestBegin != nil {
			spans++
		}
	}
	if sum.Tables != 10 || sum.Shards != 2*10*tabletest.Shards || sum.Rows != int64(rows) || sum.Spans != int64(spans) {
		t.Errorf("%+v; want %d rows and %d spans", sum, rows, spans)
	}
}

// TestVerifyFindsWrongRows spoils one row before it is written, so that hashes
// and records agree and only the row's own sense is wrong.
func TestVerifyFindsWrongRows(t *testing.T) {
	for want, spoil := range map[string]func(*tabletest.Run){
		`characters is`:                      func(s *tabletest.Run) { s.Documents[4].Characters++ },
		`the body is [6:`:                    func(s *tabletest.Run) { s.Documents[4].FrameStart++ },
		`text is "`:                          func(s *tabletest.Run) { s.Passages[7].Begin--; s.Passages[7].End-- },
		`begins at`:                          func(s *tabletest.Run) { s.Passages[1].Begin -= 3; s.Passages[1].Text = "wrong" },
		`passage_id is "x"`:                  func(s *tabletest.Run) { s.Passages[1].ID = "x" },
		`index is`:                           func(s *tabletest.Run) { s.Passages = slices.Delete(s.Passages, 4, 5) },
		`source_text is "`:                   func(s *tabletest.Run) { s.Alignments[2].SourceEnd++ },
		`of a text of`:                       func(s *tabletest.Run) { s.Alignments[3].SourceEnd = 1 << 40 },
		`derived_text is "`:                  func(s *tabletest.Run) { s.Alignments[2].DerivedText = "no" },
		`documents.text[0:5]`:                func(s *tabletest.Run) { s.Alignments[3].DerivedText = "Ete 2" },
		`"qdoc99" was aligned and is not in`: func(s *tabletest.Run) { s.Alignments[2].QuoteID = "qdoc99" },
		`"doc99" was aligned and is not in`:  func(s *tabletest.Run) { s.Alignments[3].DerivedID = "doc99" },
		`one must be empty`:                  func(s *tabletest.Run) { s.Alignments[3].QuoteID = "qdoc1" },
		`part 0 lies outside`:                func(s *tabletest.Run) { s.Alignments[2].Parts[0].SourceBegin = 29 },
		`quote is "`:                         func(s *tabletest.Run) { s.Examples[3].Quote = "no" },
		`left_context is "`:                  func(s *tabletest.Run) { s.Examples[3].LeftContext = "no" },
		`right_context is "`:                 func(s *tabletest.Run) { s.Examples[3].RightContext = "no" },
		`span_text is "`:                     func(s *tabletest.Run) { s.Examples[3].SpanText = "no" },
		`2 tokens and 1 tags`:                func(s *tabletest.Run) { s.Examples[3].Tags = []string{"B"} },
		`tag 1 is "X"`:                       func(s *tabletest.Run) { s.Examples[3].Tags = []string{"B", "X"} },
		`is not among passage_ids`:           func(s *tabletest.Run) { s.Examples[3].PassageID = "doc3:000009" },
		`crosses_boundary is false`:          func(s *tabletest.Run) { s.Examples[3].CrossesBoundary = false },
		`queries: queries/part-00001-of-00003.parquet: row (doc_id "doc2", span_begin 60, span_end 70, query_id "q"): quote is "`: func(s *tabletest.Run) { s.Queries[2].Quote = "no" },
		`the article's text[0:22] is "`:      func(s *tabletest.Run) { s.Queries[3].LeftEnd++ },
		`before is "no"`:                     func(s *tabletest.Run) { s.Queries[3].Before = "no" },
		`after is "no"`:                      func(s *tabletest.Run) { s.Queries[3].After = "no" },
		`"doc77" was aligned and is not in`:  func(s *tabletest.Run) { s.Queries[3].ArticleID = "doc77" },
		`left is not what the secondary`:     func(s *tabletest.Run) { s.Windows[3].Left[0] = "no" },
		`right is not what the secondary`:    func(s *tabletest.Run) { s.Windows[3].Right = append(s.Windows[3].Right, "e") },
		`right is [66:999] of a text of 440`: func(s *tabletest.Run) { s.Windows[3].RightEnd = 999 },
		`count is -1`:                        func(s *tabletest.Run) { s.Counts[3].Count = -1 },
		`score is NaN`:                       func(s *tabletest.Run) { s.Scores[3].Score = nan() },
		`rank 0 in the document`:             func(s *tabletest.Run) { s.Rankings[3].RankInDocument = 0 },
		`rankings: rankings/part-`:           func(s *tabletest.Run) { s.Rankings[3].Text = "no" },
		`1 in the document, 0 balanced`:      func(s *tabletest.Run) { s.Rankings[3].RankBalanced = 0 },
		`best_text is "no"`:                  func(s *tabletest.Run) { s.Rankings[3].BestText = "no" },
		`best_text is "no" without`:          func(s *tabletest.Run) { s.Rankings[4].BestText = "no" },
		`some of best_begin`:                 func(s *tabletest.Run) { s.Rankings[3].BestScore = nil },
		`percentile is 50`:                   func(s *tabletest.Run) { s.Rankings[3].Percentile = 50 },
		`its document is not in the table`:   func(s *tabletest.Run) { s.Documents = s.Documents[:8]; s.Alignments = s.Alignments[:14] },
	} {
		s := tabletest.NewRun()
		spoil(s)
		said, _ := problems(t, s.Write(t))
		if !slices.ContainsFunc(said, func(p string) bool { return strings.Contains(p, want) }) {
			t.Errorf("no problem says %q, but\n%s", want, strings.Join(said, "\n"))
		}
	}
}

func nan() float64 { var zero float64; return zero / zero }

// TestVerifyFindsWrongFiles spoils the files of a run in which all is right.
func TestVerifyFindsWrongFiles(t *testing.T) {
	good := tabletest.NewRun().Write(t)
	const shard = "run/passages/part-00001-of-00003.parquet"
	for _, c := range []struct {
		want  string
		only  bool // the one problem
		spoil func(m *storagetest.Memory)
	}{
		{"passages/part-00001-of-00003.parquet: is not what was written", true, func(m *storagetest.Memory) {
			b := bytes.Clone(m.Files[shard])
			b[len(b)/2] ^= 1
			m.Files[shard] = b
		}},
		{"part-00001-of-00003.parquet: is missing", true, func(m *storagetest.Memory) { delete(m.Files, shard) }},
		{"part-00001-of-00003.parquet: has 100 bytes", true, func(m *storagetest.Memory) { m.Files[shard] = m.Files[shard][:100] }},
		{"passages/other.parquet: is not in the commit record", true, func(m *storagetest.Memory) { m.Files["run/passages/other.parquet"] = nil }},
		{"part-00000-of-00009.parquet: is not in the commit record", true, func(m *storagetest.Memory) { m.Files["run/passages/part-00000-of-00009.parquet"] = nil }},
		{".tmp: is not in the commit record", true, func(m *storagetest.Memory) { m.Files["run/scores/.part-00000-of-00003.parquet.1.tmp"] = nil }},
		{"passages: run/records/passages/_commit.json: no commit record: the table is not whole", true, func(m *storagetest.Memory) { delete(m.Files, "run/records/passages/_commit.json") }},
		{"rejects/score/part-00002-of-00003.parquet: is missing", true, func(m *storagetest.Memory) { delete(m.Files, "run/rejects/score/part-00002-of-00003.parquet") }},
		{"rejects/score/x: is not in the commit record", true, func(m *storagetest.Memory) { m.Files["run/rejects/score/x"] = nil }},
		{"_commit.json: damaged", false, func(m *storagetest.Memory) { m.Files["run/records/passages/_commit.json"] = []byte("{") }},
		{"belongs into part-00001", false, func(m *storagetest.Memory) { swap(t.Context(), m, "passages") }},
		{"passages: was made from another version of documents", false, func(m *storagetest.Memory) {
			s := tabletest.NewRun()
			s.Documents[0].Title = "another"
			tabletest.Write(t, m, table.Documents, "crawl", s.Documents, func(r commonplace.Document) string { return r.ID })
		}},
		{"rows, its record says", false, func(m *storagetest.Memory) { recount(t.Context(), m, "passages") }},
	} {
		m := storagetest.NewMemory()
		m.Files = maps.Clone(good.Files)
		c.spoil(m)
		said, _ := problems(t, m)
		if !slices.ContainsFunc(said, func(p string) bool { return strings.Contains(p, c.want) }) {
			t.Errorf("no problem says %q, but\n%s", c.want, strings.Join(said, "\n"))
		}
		if c.only && len(said) != 1 {
			t.Errorf("%q and more:\n%s", c.want, strings.Join(said, "\n"))
		}
	}
	if _, err := Tables(t.Context(), storagetest.NewMemory(), "run", nil); err == nil {
		t.Error("a folder that is not there was verified")
	}
}

// swap exchanges two tabletest.Shards together with their records, as a rename by hand would.
func swap(ctx context.Context, m *storagetest.Memory, name string) {
	a, b := "run/"+name+"/"+table.ShardName(0, tabletest.Shards), "run/"+name+"/"+table.ShardName(1, tabletest.Shards)
	m.Files[a], m.Files[b] = m.Files[b], m.Files[a]
	c, _ := table.ReadCommit(ctx, m, "run", name)
	c.Shards[0], c.Shards[1] = c.Shards[1], c.Shards[0]
	c.Shards[0].File, c.Shards[1].File = c.Shards[1].File, c.Shards[0].File
	table.WriteCommit(ctx, m, "run", c)
}

func recount(ctx context.Context, m *storagetest.Memory, name string) {
	c, _ := table.ReadCommit(ctx, m, "run", name)
	c.Shards[0].Rows += 5
	c.Rows += 5
	table.WriteCommit(ctx, m, "run", c)
}

// TestVerifyFindsWrongMatches: matches are the alignments between documents, by the
// document that quotes; their rows are looked at, too.
func TestVerifyFindsWrongMatches(t *testing.T) {
	matches := func(text string) *storagetest.Memory {
		s := tabletest.NewRun()
		match := s.Alignments[3]
		match.DerivedText = text
		m := s.Write(t)
		tabletest.Write(t, m, table.Matches, "match", []commonplace.Alignment{match}, func(r commonplace.Alignment) string { return r.DerivedID }, "documents")
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
