package ranking

import (
	"fmt"
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
func TestCutAgain(t *testing.T) {
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
		again := cutAgain(passages, chunks)
		covered := make([]bool, len(text))
		for i, c := range again.candidates {
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
		ids, most := again.holding(int64(begin), int64(end))
		best := 0
		for _, c := range again.candidates {
			from, to := max(begin, int(c.begin)), min(end, int(c.end))
			has := from < to && strings.TrimSpace(string(text[from:to])) != ""
			if has != slices.Contains(ids, c.id) {
				t.Fatalf("chunk %+v has a part of [%d, %d): %v", c, begin, end, has)
			}
			if has {
				best = max(best, len(strings.Join(strings.Fields(string(text[from:to])), "")))
			}
			if c.id == most.candidate {
				got := strings.Fields(string([]rune(c.text)[most.Begin:most.End]))
				if !slices.Equal(got, strings.Fields(string(text[from:to]))) {
					t.Fatalf("the part of the quotation is %q, and not %q", got, string(text[from:to]))
				}
			}
		}
		if (best > 0) != (most.candidate != "") {
			t.Fatalf("the best chunk of [%d, %d) is %+v", begin, end, most)
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
		for _, o := range cutAgain(passages, by).candidates {
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
}
