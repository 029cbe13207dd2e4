package ranking

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/label/group"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

// A model knows its documents again in another edition, in part and in a collection, and
// no others; where its folder says nothing, nothing is known.
func TestTaught(t *testing.T) {
	book, other := randomWords(1, 4000), randomWords(2, 4000)
	words := strings.Fields(book)
	edition := slices.Clone(words)
	for i := 0; i < len(edition); i += 40 {
		edition[i] = "misprint"
	}
	one := &taught{known: true, texts: map[string]bool{wordsSHA256(book): true}, sketches: []group.Sketch{group.SketchOf(book)}}
	for name, c := range map[string]struct{ text, want string }{
		"the book":          {book, inSample},
		"in capitals":       {strings.ToUpper(book), inSample},
		"another edition":   {strings.Join(edition, " "), inSample},
		"a quarter of it":   {strings.Join(words[1000:2000], " "), inSample},
		"a collection":      {other + " " + book, inSample},
		"another book":      {other, outOfSample},
		"nothing":           {"", outOfSample},
		"a quotation of it": {other + strings.Join(words[100:140], " "), outOfSample},
	} {
		if got := one.of(c.text); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	one.known = false
	if got := one.of(other); got != unknownSample {
		t.Errorf("a model that says nothing: %s", got)
	}
	if got := one.of(book); got != inSample {
		t.Errorf("a text that is known of a model beside it: %s", got)
	}
}

// Every way to print how good a model is says what it was taught.
func TestNoFigureInSampleIsUnmarked(t *testing.T) {
	c := pipelinetest.Demo(t)
	c.Score.Model = copyOfModel(t, "../../infer/testdata/models/quotability")
	unquoted := filepath.Join(t.TempDir(), "unquoted.txt")
	if err := os.WriteFile(unquoted, []byte("Nobody has quoted this.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c.Sources[0].Files = append(c.Sources[0].Files, unquoted)
	build := func() {
		for _, stage := range []string{"crawl", "quotes", "segment", "match", "align", "count", "score", "rank"} {
			if err := engine.Build(t.Context(), engine.Request{Config: c, Stages: []string{stage}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	row := func(all bool) (label string, documents int) {
		r, err := Evaluation{Dir: c.Out, Resamples: 2, InSample: all}.Rankings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		text := r.Text(0)
		if !strings.Contains(text, r.Rows[0].Label()) || !strings.Contains(r.Markdown(), r.Rows[0].Label()) {
			t.Errorf("the table does not say %q", r.Rows[0].Label())
		}
		return r.Rows[0].Label(), r.Documents
	}
	build()
	label, all := row(false)
	if !strings.HasSuffix(label, "(not known to be held out)") {
		t.Errorf("a model that says nothing: %q", label)
	}

	var documents []infer.TrainedOn
	for d, err := range TrainedOn(t.Context(), c.Out) {
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, d)
	}
	var quoted []infer.TrainedOn
	counts := map[string]int64{}
	for _, n := range pipelinetest.Rows(t, c, table.QuoteCounts) {
		counts[n.DocID] += n.Count
	}
	for _, d := range documents {
		if counts[d.DocID] > 0 {
			quoted = append(quoted, d)
		}
	}
	if len(quoted) != all || all < 2 {
		t.Fatalf("%d documents with quotations, %d judged", len(quoted), all)
	}

	saysTraining(t, c.Score.Model, nil)
	build()
	if label, n := row(false); strings.Contains(label, "(") || n != all {
		t.Errorf("taught by nothing: %q of %d documents", label, n)
	}
	saysTraining(t, c.Score.Model, quoted[:1])
	build()
	if label, n := row(false); strings.Contains(label, "(") || n != all-1 {
		t.Errorf("taught by one: %q of %d documents, want %d", label, n, all-1)
	}
	if label, n := row(true); !strings.HasSuffix(label, "(partly in sample)") || n != all {
		t.Errorf("taught by one, and all judged: %q of %d", label, n)
	}
	for _, taught := range [][]infer.TrainedOn{quoted, documents} {
		saysTraining(t, c.Score.Model, taught)
		build()
		if label, n := row(false); !strings.HasSuffix(label, "(in sample)") || n != all {
			t.Errorf("taught by %d, with all that are quoted: %q of %d", len(taught), label, n)
		}
	}
	if j, err := Judge(t.Context(), c.Out); err != nil || !strings.HasSuffix(j.Ranks.Rows[0].Label(), "(in sample)") {
		t.Errorf("the page says %+v, %v", j.Ranks, err)
	}
}

// The folds are scored each by its own model, and the table knows which.
func TestFoldModels(t *testing.T) {
	c := pipelinetest.Demo(t)
	c.Label.Datasets, c.Label.Counts.Folds, c.Score.Model = []string{"counts"}, 2, ""
	for range 2 {
		c.Score.Folds = append(c.Score.Folds, copyOfModel(t, "../../infer/testdata/models/quotability"))
	}
	run := func(stages ...string) {
		for _, stage := range stages {
			if err := engine.Build(t.Context(), engine.Request{Config: c, Stages: []string{stage}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	run("crawl", "quotes", "segment", "match", "align", "count", "label")
	folds, in := map[string]int64{}, map[int64][]infer.TrainedOn{}
	for _, r := range pipelinetest.Rows(t, c, table.Counted) {
		folds[r.DocID] = r.Fold
	}
	for d, err := range TrainedOn(t.Context(), c.Out) {
		if err != nil {
			t.Fatal(err)
		}
		in[folds[d.DocID]] = append(in[folds[d.DocID]], d)
	}
	if len(in) != 2 {
		t.Fatalf("%d folds have documents", len(in))
	}
	// Each model was taught by the other fold; if they were exchanged, all would be in sample.
	saysTraining(t, c.Score.Folds[0], in[1])
	saysTraining(t, c.Score.Folds[1], in[0])
	run("score")
	want := map[string]bool{}
	for _, s := range pipelinetest.Rows(t, c, table.Scores) {
		want[s.InSample] = true
	}
	if !want[outOfSample] || len(want) != 1 {
		t.Errorf("in_sample has %v", want)
	}
	slices.Reverse(c.Score.Folds)
	run("score")
	for _, s := range pipelinetest.Rows(t, c, table.Scores) {
		if s.InSample != inSample {
			t.Fatalf("%s is %q by the model that it taught", s.DocID, s.InSample)
		}
	}
}

// copyOfModel is a model folder that a test may change.
func copyOfModel(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "model")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// saysTraining lets a model folder name what taught it.
func saysTraining(t *testing.T, folder string, documents []infer.TrainedOn) {
	t.Helper()
	var lines []byte
	for _, d := range documents {
		line, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(append(lines, line...), '\n')
	}
	manifest := filepath.Join(folder, infer.ManifestFile)
	yaml, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(yaml), "training:")
	if err := os.WriteFile(filepath.Join(folder, infer.TrainingFile), lines, 0o666); err != nil {
		t.Fatal(err)
	}
	entry := "training: {file: " + infer.TrainingFile + ", sha256: " + fmt.Sprintf("%x", sha256.Sum256(lines)) + "}\n"
	if err := os.WriteFile(manifest, []byte(before+entry), 0o666); err != nil {
		t.Fatal(err)
	}
}

func randomWords(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 0))
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("word%d", r.IntN(3000))
	}
	return strings.Join(words, " ")
}
