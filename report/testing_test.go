package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// hostile is what a book may hold that would do harm as HTML, script or style.
const hostile = `</script><script>window.harm=1</script><img src=x onerror="window.harm=2"> --> {{.Title}} ' " & ]]> ` + "\u2028 javascript:window.harm=3 </style>"

// hostileID is an id that would break links and attributes.
const hostileID = `b"ad/<i>&'#?%41 id`

// commit writes a table of one shard, and its rejects.
func commit[T any](t *testing.T, dir string, tbl *table.Table[T], stage string, inputs []string, rows []T, rejects ...commonplace.Reject) {
	t.Helper()
	commitShards(t, dir, tbl, stage, inputs, [][]T{rows}, rejects...)
}

// commitShards writes a table of several shards; the rejects are the first one's.
func commitShards[T any](t *testing.T, dir string, tbl *table.Table[T], stage string, inputs []string, shards [][]T, rejects ...commonplace.Reject) {
	t.Helper()
	var tasks []table.TaskRecord
	for k, rows := range shards {
		w, err := tbl.Create(t.Context(), table.Dir(dir, tbl.Name), k, len(shards))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		task := table.TaskRecord{Table: tbl.Name, Stage: stage}
		if task.Shard, err = w.Close(); err != nil {
			t.Fatal(err)
		}
		tasks = append(tasks, task)
	}
	if len(rejects) > 0 {
		w, err := table.Rejects.Create(t.Context(), table.RejectsDir(dir, stage), 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rejects {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		shard, err := w.Close()
		if err != nil {
			t.Fatal(err)
		}
		tasks[0].Rejects = &shard
	}
	from := map[string]string{}
	for _, in := range inputs {
		c, err := table.ReadCommit(t.Context(), storage.Default, dir, in)
		if err != nil {
			t.Fatal(err)
		}
		from[in] = c.Fingerprint()
	}
	c, err := table.NewCommit(tbl.Name, stage, 1, []byte("{}"), from, tasks)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.WriteCommit(t.Context(), storage.Default, dir, c); err != nil {
		t.Fatal(err)
	}
}

// testRun writes a run of two ordinary books and a hostile one, of which some
// passages have a best line. In the first book, passage 3 is quoted with damage; in the hostile one, passage 0. Passage 5 of
// the other one has lines and paragraphs.
func testRun(t *testing.T) string { return testRunOf(t, 1) }

// testRunOf is testRun with the rankings in so many shards.
func testRunOf(t *testing.T, shards int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run & <b>")
	books := []string{"first", hostileID, "second"}
	slices.Sort(books)
	var documents []commonplace.Document
	var rankings []commonplace.Ranking
	var alignments []commonplace.Alignment
	place := int64(0)
	for _, id := range books {
		var text strings.Builder
		add := func(s string) commonplace.Span {
			begin := len([]rune(text.String()))
			text.WriteString(s)
			return commonplace.Span{Begin: begin, End: begin + len([]rune(s))}
		}
		for i := range int64(40) {
			if i > 0 {
				add("\n")
			}
			words := fmt.Sprintf("Paſsage %d of a book, naïve 𝔘nicode; the sea is calm to-night, and then you learn.", i)
			if id == hostileID {
				words = hostile + words
			}
			if id == "second" && i == 5 {
				words += "\r\nOn it flows.\r\n\r\n" + words + "\r\n\r\nA new paragraph."
			}
			s := add(words)
			place++
			r := commonplace.Ranking{PassageID: commonplace.PassageID(id, i), DocID: id, Index: i, Begin: int64(s.Begin), End: int64(s.End), Text: words,
				Score: float64(place%17) / 4, RankOverall: place, RankInDocument: i + 1, Percentile: 1 - float64(place)/120,
				Reasons: []commonplace.Reason{{Feature: "theme", Effect: 0.5}, {Feature: "“" + hostile + "”", Effect: -0.25}}}
			if id != "second" && i > 0 && i%3 == 0 { // the line begins in the passage before
				begin, end, score := int64(s.Begin)-3, int64(s.End)-2, 0.75
				r.BestBegin, r.BestEnd, r.BestScore, r.BestText = &begin, &end, &score, string([]rune(text.String())[begin:end])
			}
			if id == "first" && i == 3 || id == hostileID && i == 0 {
				r.QuoteCount = 1
				begin := s.End - len([]rune("the sea is calm to-night, and then you learn."))
				derived := "the fea is calm tonight, and you learn."
				if id == hostileID {
					begin, derived = s.Begin, hostile
				}
				alignments = append(alignments, commonplace.Alignment{ID: fmt.Sprint("a", place), Kind: commonplace.KindInexact, QuoteID: "q", DerivedEnd: int64(len([]rune(derived))), DerivedText: derived,
					SourceID: id, SourceBegin: int64(begin), SourceEnd: int64(s.End), SourceText: string([]rune(text.String())[begin:s.End]), Similarity: 0.9, Confidence: 1})
			}
			rankings = append(rankings, r)
		}
		documents = append(documents, commonplace.Document{ID: id, Title: cmp.Or(map[string]string{hostileID: hostile}[id], strings.ToUpper(id)), Author: hostile, Text: text.String(), Characters: int64(len([]rune(text.String())))})
	}
	commit(t, dir, table.Documents, "crawl", nil, documents, commonplace.Reject{Stage: "crawl", ID: hostile, Reason: "not text", Detail: hostile, Location: hostile})
	commit(t, dir, table.Quotes, "quotes", nil, []commonplace.Quote{{ID: "q", Text: "the fea", Author: hostile, Work: hostile}})
	commit(t, dir, table.Alignments, "align", []string{"documents", "quotes"}, alignments)
	dealt := make([][]commonplace.Ranking, shards)
	for _, r := range rankings {
		k := slices.Index(books, r.DocID) % shards
		dealt[k] = append(dealt[k], r)
	}
	commitShards(t, dir, table.Rankings, "rank", []string{"documents", "alignments"}, dealt)
	return dir
}
