package ranking

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/verify"
)

// Every reply, quotation or not, has the probability that the model gives its turns, and
// the figures of table 3 of "When and what to quote" are those of all decisions.
func TestWhenToQuote(t *testing.T) {
	pipelinetest.Demo(t) // skips without ONNX Runtime
	model := saysWhen(t)
	c := pipelinetest.Dataset(t, "conversations", func(c *config.Config) {
		c.Recommend.When, c.Evaluate.Resamples = model, 50
	})
	pipelinetest.Build(t, c)
	replies := pipelinetest.Rows(t, c, table.Replies)
	predictions := map[string]commonplace.QuotePrediction{}
	for _, p := range pipelinetest.Rows(t, c, table.QuotePredictions) {
		predictions[p.ReplyID] = p
	}
	if len(predictions) != len(replies) || len(replies) < 20 {
		t.Fatalf("%d predictions of %d replies", len(predictions), len(replies))
	}
	m, err := infer.LoadModel(model, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	threshold := map[string][2][]bool{}
	for _, r := range replies {
		want, err := m.QuoteProbabilities(t.Context(), []string{strings.Join(r.Turns, label.Eos)})
		if err != nil {
			t.Fatal(err)
		}
		p := predictions[r.ID]
		if math.Abs(p.Probability-want[0].Score) > 1e-6 || p.Label != r.Label || p.Split != r.Split || p.InSample != unknownSample {
			t.Errorf("%+v, want %v of %+v", p, want[0], r)
		}
		of := threshold[r.Split]
		threshold[r.Split] = [2][]bool{append(of[0], want[0].Score > .5), append(of[1], r.Label == label.Quo)}
	}
	figures, _, err := Evaluations(t.Context(), c.Out)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range figures {
		if f.System != eval.Recommended+"when, "+filepath.Base(filepath.Dir(model)) {
			continue
		}
		of := threshold[f.Split]
		want, err := eval.Decisions(of[0], of[1])
		if err != nil {
			t.Fatal(err)
		}
		value := map[string]float64{"when F1": want.F1, "when recall": want.Recall, "when accuracy": want.Accuracy}[f.Metric]
		if seen++; *f.Value != value || f.N != int64(len(of[0])) || f.InSample != "not known to be held out" || f.PaperValue == nil {
			t.Errorf("%+v, want %v of %d", f, value, len(of[0]))
		}
	}
	if seen != 9 {
		t.Errorf("%d figures of three splits", seen)
	}
	always := slices.IndexFunc(figures, func(f commonplace.Evaluation) bool { return f.System == eval.AlwaysQuote && f.Metric == "when recall" })
	if always < 0 || *figures[always].Value != 1 {
		t.Errorf("who always quotes has another recall than 1: %+v", figures)
	}
	if _, err := verify.Tables(t.Context(), storage.Default, c.Out, func(p verify.Problem) { t.Error(p) }); err != nil {
		t.Error(err)
	}

	// The line of a conversation's quotation stands for its ordinary sentences, too.
	taught := replies[slices.IndexFunc(replies, func(r commonplace.Reply) bool { return r.Split == "train" && r.Label == label.Gen })].ConversationID
	saysTraining(t, model, []infer.TrainedOn{trainedOn(taught, randomWords(1, 50))})
	pipelinetest.Build(t, c)
	left := int64(0)
	for _, p := range pipelinetest.Rows(t, c, table.QuotePredictions) {
		want := outOfSample
		if p.ConversationID == taught {
			want = inSample
			left++
		}
		if p.InSample != want {
			t.Errorf("%s: in_sample %s, want %s", p.ReplyID, p.InSample, want)
		}
	}
	figures, _, err = Evaluations(t.Context(), c.Out)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range figures {
		if f.Split == "train" && strings.HasPrefix(f.Metric, "when ") && (f.LeftOut != left || f.InSample != "" || left < 2) {
			t.Errorf("%+v, want %d left out", f, left)
		}
	}
}

// saysWhen is the tiny model of random weights, with two of its tokens as instructions.
func saysWhen(t *testing.T) string {
	t.Helper()
	asked, err := infer.ReadManifest("../../infer/testdata/models/yes-no") // of the same tokenizer
	if err != nil {
		t.Fatal(err)
	}
	to := copyOfModel(t, "../../infer/testdata/models/seq2seq")
	path := filepath.Join(to, infer.ManifestFile)
	yaml, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	tokens := `"instruction": "` + asked.YesNo.Yes + `", "ordinary": "` + asked.YesNo.No + `", "end"`
	if err := os.WriteFile(path, []byte(strings.Replace(string(yaml), `"end"`, tokens, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	return to
}

// A model that does not say when is refused before any work.
func TestWhenWantsAModelThatSaysWhen(t *testing.T) {
	pipelinetest.Demo(t)
	for head, want := range map[string]string{"seq2seq": "tokens.ordinary is missing", "rank": "does not say when to quote: the heads seq2seq do"} {
		c := pipelinetest.Dataset(t, "conversations", func(c *config.Config) { c.Recommend.When = "../../infer/testdata/models/" + head })
		if err := pipelinetest.TryBuild(c); err == nil || !strings.Contains(err.Error(), "recommend.when: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", head, err)
		}
	}
}
