package ranking

import (
	"math"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

// windowContexts are RELiC's four sizes of a context and what is read of one window, which has
// four sentences on both sides.
var windowContexts = []struct {
	left, right int
	want        string
}{
	{4, 4, "The reader is asked to believe\nit. He does. It is worth asking what the narrator denies. He denies that it was meant. [MASK] The denial is of course the memorial. What the parish sees is a clock, and what we see is\na widower. Neither is wrong. The economy of the passage has often been praised."},
	{0, 4, "[MASK] The denial is of course the memorial. What the parish sees is a clock, and what we see is\na widower. Neither is wrong. The economy of the passage has often been praised."},
	{4, 0, "The reader is asked to believe\nit. He does. It is worth asking what the narrator denies. He denies that it was meant. [MASK]"},
	{1, 1, "He denies that it was meant. [MASK] The denial is of course the memorial."},
}

// recommend.context.left and right say which sentences of a window models read around [MASK],
// and BM25 reads the same ones with the constants of the config.
func TestContextsOfWindows(t *testing.T) {
	c := pipelinetest.Dataset(t, "relic-hathitrust", func(c *config.Config) { c.Recommend.Keep = 0 })
	if c.Recommend.BM25 != (config.BM25{K1: .5, B: .9}) || c.Recommend.Retrieve != config.RetrieveBM25 {
		t.Fatalf("the config has not RELiC's constants: %+v", c.Recommend)
	}
	for _, size := range windowContexts {
		c := pipelinetest.Into(c, t.TempDir()+"/tables")
		c.Recommend.Context.Left, c.Recommend.Context.Right = size.left, size.right
		pipelinetest.Build(t, c)
		contexts := map[string]string{}
		err := Questions(t.Context(), c.Out, Asking{Context: c.Recommend.Context, Datasets: []string{config.DataWindows}}, func(q Question) error {
			contexts[q.ID] = q.Context
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		const window = "the-lamp-at-hollin-gap:186-342@mdp.39015000000001:565-732"
		if contexts[window] != size.want {
			t.Errorf("%d/%d: %q, want %q", size.left, size.right, contexts[window], size.want)
		}
		compared, usual := holdBM25(t, c, contexts)
		if compared == 0 || usual == compared {
			t.Errorf("%d/%d: %d of %d scores are the same with the usual constants: the test says nothing", size.left, size.right, usual, compared)
		}
	}
}

// holdBM25 compares what was retrieved with the plain formula; usual counts the scores that do
// not depend on the constants.
func holdBM25(t *testing.T, c *config.Config, contexts map[string]string) (compared, usual int) {
	t.Helper()
	sentences := map[string][]string{}
	for _, p := range pipelinetest.Rows(t, c, table.Passages) {
		sentences[p.DocID] = append(sentences[p.DocID], p.Text)
	}
	windows := map[string]commonplace.Window{}
	for _, w := range pipelinetest.Rows(t, c, table.Windows) {
		windows[w.ID] = w
	}
	for _, r := range pipelinetest.Rows(t, c, table.Recommendations) {
		w := windows[r.ContextID]
		var runs [][]string
		for i := range len(sentences[w.SourceID]) - int(w.Sentences) + 1 {
			runs = append(runs, strings.Fields(label.Normalise(strings.Join(sentences[w.SourceID][i:i+int(w.Sentences)], " "))))
		}
		query := strings.Fields(label.Normalise(strings.Replace(contexts[r.ContextID], infer.Mask, " ", 1)))
		if want := slowBM25(runs, query, int(r.Index), .5, .9); math.Abs(r.Retrieved-want) > 1e-9 {
			t.Errorf("%s, run %d: BM25 is %v, want %v", r.ContextID, r.Index, r.Retrieved, want)
		}
		compared++
		if math.Abs(r.Retrieved-slowBM25(runs, query, int(r.Index), label.BM25K1, label.BM25B)) <= 1e-9 {
			usual++
		}
	}
	return compared, usual
}

// slowBM25 scores one text for a query as rank_bm25 does, word by word.
func slowBM25(texts [][]string, query []string, at int, k1, b float64) float64 {
	count := func(words []string, word string) (n float64) {
		for _, w := range words {
			if w == word {
				n++
			}
		}
		return n
	}
	idf := func(word string) float64 {
		n := 0.0
		for _, words := range texts {
			n += min(1, count(words, word))
		}
		return math.Log((float64(len(texts)) - n + .5) / (n + .5))
	}
	all, length, sum := map[string]bool{}, 0.0, 0.0
	for _, words := range texts {
		length += float64(len(words))
		for _, w := range words {
			if !all[w] {
				all[w] = true
				sum += idf(w)
			}
		}
	}
	score := 0.0
	for _, w := range query {
		f, weight := count(texts[at], w), idf(w)
		if f == 0 {
			continue
		}
		if weight < 0 {
			weight = .25 * sum / float64(len(all))
		}
		score += weight * f * (k1 + 1) / (f + k1*(1-b+b*float64(len(texts[at]))*float64(len(texts))/length))
	}
	return score
}
