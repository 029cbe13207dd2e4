package ranking

import (
	"fmt"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table/verify"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/segment"
	"github.com/commonplace/commonplace/table"
)

// Each chunk stands where it says, holds what it says of every quotation, and together they have
// every word of the passages.
func TestIntoChunks(t *testing.T) {
	chunks, err := segment.Parse("chunks:60/15")
	if err != nil {
		t.Fatal(err)
	}
	draw := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		var b strings.Builder
		for range 1 + draw.IntN(8) {
			for range 1 + draw.IntN(30) {
				fmt.Fprintf(&b, "%s ", []string{"é", "word", "Wörter", "line\n", "𝄞a", "long-and-longer"}[draw.IntN(6)])
			}
			b.WriteString([]string{"\n\n", "\n\n\n", " \n \n\t"}[draw.IntN(3)])
		}
		text := []rune(b.String())
		passages, err := segment.Text("d", string(text), "paragraphs")
		if err != nil {
			t.Fatal(err)
		}
		cut := intoChunks(passages, chunks)
		covered := make([]bool, len(text))
		for i, c := range cut.candidates {
			if c.index != int64(i) || c.id != fmt.Sprintf("d:chunks:60/15:%06d", i) {
				t.Fatalf("candidate %d is %+v", i, c)
			}
			if got, want := strings.Fields(c.text), strings.Fields(string(text[c.begin:c.end])); !slices.Equal(got, want) {
				t.Fatalf("chunk %d has the words %q, and its place %q", i, got, want)
			}
			for k := c.begin; k < c.end; k++ {
				covered[k] = true
			}
		}
		for k, c := range text {
			if !covered[k] && strings.TrimSpace(string(c)) != "" {
				t.Fatalf("code point %d, %q, is in no chunk", k, c)
			}
		}
		begin := draw.IntN(len(text))
		end := begin + 1 + draw.IntN(len(text)-begin)
		ids, most, part := cut.holding(int64(begin), int64(end))
		best, first := 0, ""
		for _, c := range cut.candidates {
			from, to := max(begin, int(c.begin)), min(end, int(c.end))
			has := from < to && strings.TrimSpace(string(text[from:to])) != ""
			if has != slices.Contains(ids, c.id) {
				t.Fatalf("chunk %+v has a part of [%d, %d): %v", c, begin, end, has)
			}
			if n := placesBetween(cut.places, c.begin, c.end, int64(begin), int64(end)); has && n > best {
				best, first = n, c.id
			}
			if c.id == most.candidate {
				got := strings.Fields(string([]rune(c.text)[most.Begin:most.End]))
				if !slices.Equal(got, strings.Fields(part)) {
					t.Fatalf("%q is said to be %q", got, part)
				}
				if !slices.Equal(got, strings.Fields(string(text[from:to]))) {
					t.Fatalf("the part of the quotation is %q, and not %q", got, string(text[from:to]))
				}
			}
		}
		if most.candidate != first || most.End-most.Begin != best {
			t.Fatalf("the best chunk of [%d, %d) is %+v, want %s with %d", begin, end, most, first, best)
		}
	}
}

// placesBetween counts the places of a chunk that a quotation has.
func placesBetween(places []int64, chunkBegin, chunkEnd, begin, end int64) (n int) {
	for _, p := range places {
		if max(chunkBegin, begin) <= p && p < min(chunkEnd, end) {
			n++
		}
	}
	return n
}

// A quotation that stands whole in two chunks is read right once.
func TestReadersOfChunksThatOverlap(t *testing.T) {
	passages, err := segment.Text("d", "Nothing here at all, and no more of it. To be or not to be. That is said once, and then some.", "paragraphs")
	if err != nil {
		t.Fatal(err)
	}
	by, err := segment.Parse("chunks:60/25")
	if err != nil {
		t.Fatal(err)
	}
	cut := intoChunks(passages, by)
	a := asked{id: "c", docID: "d", answer: "To be or not to be.", paragraph: passages[0].Text}
	a.right, a.span, a.part = cut.holding(40, 59)
	var rows []commonplace.Recommendation
	for i, c := range cut.candidates {
		at := strings.Index(c.text, a.answer)
		if slices.Contains(a.right, c.id) && at >= 0 {
			rows = append(rows, commonplace.Recommendation{PassageID: c.id, Index: int64(i), Place: int64(len(rows) + 1), Label: "yes", SpanBegin: int64(at), SpanEnd: int64(at + len(a.answer)), SpanText: a.answer})
		}
	}
	if len(rows) != 2 {
		t.Fatalf("the quotation stands whole in %d chunks", len(rows))
	}
	f := tally{dataset: config.DataTriples, values: map[[2]string][]float64{}}
	f.spans("reader", pool{candidates: cut.candidates, search: &search{}}, a, rows)
	for _, metric := range spanMetrics {
		if got := f.values[[2]string{"reader", metric}]; !slices.Equal(got, []float64{1}) {
			t.Errorf("%s is %v of a reader that is right", metric, got)
		}
	}
}

// Chunks are retrieved, and judged by the passage that is quoted.
func TestChunksAreJudgedByTheQuotedPassage(t *testing.T) {
	pipelinetest.Demo(t) // skips without ONNX Runtime
	c := pipelinetest.Dataset(t, "demo", func(c *config.Config) {
		c.Label.Datasets = []string{config.DataTriples}
		c.Recommend.Retrieve, c.Recommend.Segment, c.Recommend.Top, c.Recommend.Keep = config.RetrieveBM25, "chunks:300/60", 0, 0
		c.Evaluate = config.Evaluate{Splits: []string{"train", "validation", "test"}, Baselines: []string{"bm25"}, Confidence: .95, Resamples: 50, Seed: 1}
	})
	pipelinetest.Build(t, c)
	by, err := segment.Parse(c.Recommend.Segment)
	if err != nil {
		t.Fatal(err)
	}
	of := map[string][]commonplace.Passage{}
	for _, p := range pipelinetest.Rows(t, c, table.Passages) {
		of[p.DocID] = append(of[p.DocID], p)
	}
	texts := map[string]string{}
	for _, passages := range of {
		for _, o := range intoChunks(passages, by).candidates {
			texts[o.id] = o.text
		}
	}
	examples := map[string]commonplace.Example{}
	for _, e := range pipelinetest.Rows(t, c, table.Examples) {
		examples[e.ID] = e
	}
	values, right := map[string][]float64{}, map[string]bool{}
	for _, r := range pipelinetest.Rows(t, c, table.Recommendations) {
		text, there := texts[r.PassageID]
		if !there {
			t.Fatalf("%s is no chunk", r.PassageID)
		}
		e := examples[r.ContextID]
		if r.Place == 1 {
			values[r.Split] = append(values[r.Split], label.Overlap(text, e.PassageText))
		}
		if r.Label == "yes" && strings.Contains(text, e.SpanText) {
			right[r.ContextID] = true
		}
	}
	if 2*len(right) < len(examples) {
		t.Errorf("the quotation stands whole in a right chunk of %d of %d contexts", len(right), len(examples))
	}
	figures, _, err := Evaluations(t.Context(), c.Out)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range figures {
		if f.Metric == chunkJaccard {
			seen++
			if want := eval.Mean(values[f.Split]); math.Abs(*f.Value-want) > 1e-9 {
				t.Errorf("%s, %s: Jaccard is %v, want %v", f.System, f.Split, *f.Value, want)
			}
		}
	}
	if seen != 2*len(values) {
		t.Errorf("%d figures of chunks", seen)
	}
	if _, err := verify.Tables(t.Context(), storage.Default, c.Out, func(p verify.Problem) { t.Error(p) }); err != nil {
		t.Error(err)
	}
}
