package label

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/commonplace/commonplace"
)

// The expected scores are written by bench/retrieval_reference.py.
func TestRetrievalIsWhatThePythonLibrariesCompute(t *testing.T) {
	raw, err := os.ReadFile("testdata/retrieval.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Paragraphs int
		Queries    []struct {
			Query string
			BM25  []float64
			TFIDF []float64
		}
	}
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	names, _ := filepath.Glob("../testdata/demo/essays/*.txt")
	sort.Strings(names)
	var passages [][]string
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for p := range strings.SplitSeq(string(text), "\n\n") {
			passages = append(passages, strings.Fields(strings.ToLower(p)))
		}
	}
	if len(passages) != want.Paragraphs || len(want.Queries) < 5 {
		t.Fatalf("%d paragraphs and %d queries, the reference has %d: run bench/retrieval_reference.py", len(passages), len(want.Queries), want.Paragraphs)
	}
	bm25, tfidf := NewBM25(passages), NewTFIDF(passages)
	for _, q := range want.Queries {
		words := strings.Fields(q.Query)
		for i, got := range bm25.Scores(words) {
			if math.Abs(got-q.BM25[i]) > 1e-9 {
				t.Errorf("bm25 of %q for paragraph %d: %v, want %v", q.Query, i, got, q.BM25[i])
			}
		}
		for i, got := range tfidf.Scores(words) {
			if math.Abs(got-q.TFIDF[i]) > 1e-9 {
				t.Errorf("cosine of %q for paragraph %d: %v, want %v", q.Query, i, got, q.TFIDF[i])
			}
		}
	}
}

func TestBestAgainstSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		scores := make([]float64, r.IntN(30))
		var all []int
		odd := r.IntN(2) == 1
		for i := range scores {
			scores[i] = float64(r.IntN(5))
			if !odd || i%2 == 1 {
				all = append(all, i)
			}
		}
		slices.SortStableFunc(all, func(a, b int) int { return int(scores[b] - scores[a]) })
		n := r.IntN(10)
		got := best(scores, n, func(i int) bool { return odd && i%2 == 0 })
		if want := all[:min(n, len(all))]; !slices.Equal(got, want) {
			t.Fatalf("best %d of %v: %v, want %v", n, scores, got, want)
		}
	}
}

// town is a book of ten passages of which the fourth and fifth hold a quote.
func town(t *testing.T) ([]commonplace.Passage, commonplace.Example, *Sampler) {
	t.Helper()
	doc := commonplace.Document{ID: "b", Text: strings.Join([]string{
		"river boat", "market bread", "bell church", "lamp window", "quote begins", "and ends",
		"clock tower", "river again", "bread again", "lamp again"}, " ")}
	passages := cut(doc, 2)
	a := found(doc, "q", "quote begins and ends")
	again := found(doc, "q", "river again")
	o := Defaults()
	o.ContextWords = 4 // bell church lamp window ... clock tower river again
	examples, rejects := Triples(doc, passages, []commonplace.Alignment{a, again}, o)
	if len(rejects) > 0 || len(examples) != 2 {
		t.Fatal(rejects)
	}
	return passages, examples[0], NewSampler(passages, examples, 7)
}

func chosen(t *testing.T, s *Sampler, e commonplace.Example, picks ...Pick) string {
	t.Helper()
	rows, err := s.Choices(e, picks)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i, row := range rows {
		if row.Place != int64(i) || row.PassageID != commonplace.PassageID("b", row.Index) || row.Context != e.Context || row.Split != e.Split || row.PassageText == "" {
			t.Errorf("row %d: %+v", i, row)
		}
		if (row.Label == "yes") != (row.SampledBy == "positive") {
			t.Errorf("row %d is labelled %s and is %s", i, row.Label, row.SampledBy)
		}
		span := commonplace.Slice(row.PassageText, commonplace.Span{Begin: int(row.SpanBegin), End: int(row.SpanEnd)})
		if (row.Label == "no") != (span == "") || !strings.Contains(e.Quote, span) || row.Label == "yes" && span != row.PassageText {
			t.Errorf("row %d: the span is %q", i, span)
		}
		out = append(out, fmt.Sprint(row.SampledBy[:1], row.Index))
	}
	return strings.Join(out, " ")
}

func TestChoices(t *testing.T) {
	_, e, s := town(t)
	for _, c := range []struct {
		want  string
		picks []Pick
	}{
		{"p4 p5", nil},
		{"p4 p5 n3 n6 n2", []Pick{{Near, 3}}},
		{"p4 p5 b2 b6 b3 b9 b0", []Pick{{BestBM25, 5}}},         // passage 7, "river again", is the quote's other place
		{"p4 p5 n3 n6 b2 b9", []Pick{{Near, 2}, {BestBM25, 2}}}, // what was taken is passed over
		{"p4 p5 a0 a1 a2 a3 a6 a8 a9", []Pick{{By: All}}},
	} {
		if got := chosen(t, s, e, c.picks...); got != c.want {
			t.Errorf("%v: got %s, want %s", c.picks, got, c.want)
		}
	}
	for _, by := range []string{Uniform, TFIDF, Position} {
		got := chosen(t, s, e, Pick{by, 99})
		if len(strings.Fields(got)) != 9 || strings.Contains(got, "7") {
			t.Errorf("by %s: %s", by, got)
		}
		if again := chosen(t, s, e, Pick{by, 99}); again != got {
			t.Errorf("by %s: %s, and then %s", by, got, again)
		}
	}
}

func TestDrawsFollowTheirWeights(t *testing.T) {
	passages, e, _ := town(t)
	share := func(by string, index int64) float64 {
		n := 0
		for seed := range int64(4000) {
			rows, err := NewSampler(passages, nil, seed).Choices(e, []Pick{{by, 1}})
			if err != nil {
				t.Fatal(err)
			}
			if rows[2].Index == index {
				n++
			}
		}
		return float64(n) / 4000
	}
	// Distances of the eight others: 4 3 2 1 . . 1 2 3 4.
	total := 2 * (1 + 1./2 + 1./3 + 1./4)
	for _, c := range []struct {
		by    string
		index int64
		want  float64
	}{{Uniform, 0, 1. / 8}, {Uniform, 9, 1. / 8}, {Position, 3, 1 / total}, {Position, 9, 0.25 / total}} {
		if got := share(c.by, c.index); math.Abs(got-c.want) > 0.02 {
			t.Errorf("%s chose %d with %v, want %v", c.by, c.index, got, c.want)
		}
	}
	if near, far := share(TFIDF, 2), share(TFIDF, 1); near < 10*far {
		t.Errorf("tfidf chose a passage of the context's words with %v and one without with %v", near, far)
	}
}

// Two ways with the same weights must not draw the same passages.
func TestWaysDrawApart(t *testing.T) {
	passages, e, _ := town(t)
	e.Context = "nothing in common"
	for seed := range int64(20) {
		s := NewSampler(passages, nil, seed)
		uniform, _ := s.Choices(e, []Pick{{Uniform, 3}})
		tfidf, _ := s.Choices(e, []Pick{{TFIDF, 3}})
		for i := range uniform {
			if uniform[i].PassageID != tfidf[i].PassageID {
				return
			}
		}
	}
	t.Error("the draws by tfidf are those of uniform")
}

func TestDrawsOfOneExampleOweNothingToTheOthers(t *testing.T) {
	passages, e, _ := town(t)
	with, err := NewSampler(passages, []commonplace.Example{e}, 7).Choices(e, []Pick{{Uniform, 2}})
	if err != nil {
		t.Fatal(err)
	}
	other := e
	other.ID, other.QuoteID = "x", "x"
	more, err := NewSampler(passages, []commonplace.Example{other, e}, 7).Choices(e, []Pick{{Uniform, 2}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(with, more); diff != "" {
		t.Error(diff)
	}
}

func TestChoicesAreRefused(t *testing.T) {
	_, e, s := town(t)
	if _, err := s.Choices(e, []Pick{{"hard", 1}}); err == nil || !strings.Contains(err.Error(), `"hard"`) {
		t.Errorf("unknown way: %v", err)
	}
	if _, err := s.Choices(e, []Pick{{Near, -1}}); err == nil {
		t.Error("a negative number was taken")
	}
	e.PassageIDs = []string{"c:000000"}
	if _, err := s.Choices(e, nil); err == nil || !strings.Contains(err.Error(), "c:000000") {
		t.Errorf("a passage of another book: %v", err)
	}
	e.PassageIDs = nil
	if _, err := s.Choices(e, nil); err == nil {
		t.Error("an example without passages was taken")
	}
}
