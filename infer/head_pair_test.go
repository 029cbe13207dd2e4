package infer

import (
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestScorePairsEqualsPyTorch(t *testing.T) {
	for _, head := range []string{"rank", "yes-no", "seq2seq"} {
		t.Run(head, func(t *testing.T) {
			m := load(t, filepath.Join(tinyModels, head))
			rows := readGolden(t, head)
			scores, err := m.ScorePairs(t.Context(), pairsOf(rows))
			if err != nil {
				t.Fatal(err)
			}
			compared := 0
			for i, r := range rows {
				if scores[i].Truncated != r.Truncated {
					t.Errorf("pair %d: truncated %v", i, scores[i].Truncated)
				}
				if head == "yes-no" && r.Truncated {
					continue // the reference cuts the end off, which is the question
				}
				compared++
				if !near(scores[i].Score, r.Score) {
					t.Errorf("pair %d: score %v, PyTorch says %v", i, scores[i].Score, r.Score)
				}
			}
			if compared < len(rows)-1 {
				t.Errorf("%d of %d pairs were compared", compared, len(rows))
			}
		})
	}
}

// A model with an encoder answers behind all that its decoder is given; one token
// may stand alone.
func TestYesNoOfAnEncoderAndDecoderEqualsPyTorch(t *testing.T) {
	needLibrary(t)
	head := "head: \"yes-no\"\nyes_no: {prompt: \"{context} -- {passage} ?\", \"yes\": \"YES\", \"no\": \"NO\"}"
	dir := editManifest(t, "seq2seq", "head: \"seq2seq\"", head)
	answers := readYesNo(t)
	editFile(t, filepath.Join(dir, ManifestFile), "YES", answers[0])
	editFile(t, filepath.Join(dir, ManifestFile), "NO", answers[1])
	rows := readGolden(t, "seq2seq")
	asked := func() []PairScore {
		scores, err := load(t, dir).ScorePairs(t.Context(), pairsOf(rows))
		if err != nil {
			t.Fatal(err)
		}
		return scores
	}
	compared, scores := 0, asked()
	for i, r := range rows {
		if scores[i].Truncated != r.QuestionTruncated {
			t.Errorf("pair %d: truncated %v", i, scores[i].Truncated)
		}
		if r.QuestionTruncated {
			continue // the reference cuts the end off, which is the question
		}
		compared++
		if !near(scores[i].Score, r.Yes) {
			t.Errorf("pair %d: score %v, PyTorch says %v", i, scores[i].Score, r.Yes)
		}
	}
	if compared < len(rows)-1 {
		t.Errorf("%d of %d pairs were compared", compared, len(rows))
	}
	editFile(t, filepath.Join(dir, ManifestFile), `\["</s>", "<s>"\]`, `"<s>"`)
	alone := asked()
	editFile(t, filepath.Join(dir, ManifestFile), `"begin": "<s>"`, `"begin": ["<s>"]`)
	if listed := asked(); !reflect.DeepEqual(alone, listed) || reflect.DeepEqual(alone, scores) {
		t.Errorf("a token alone gives %v, in a list %v, behind another %v", alone, listed, scores)
	}
}

// readYesNo is the tokens for yes and no of the tiny yes-no model, of the same tokenizer.
func readYesNo(t *testing.T) [2]string {
	t.Helper()
	m, err := ReadManifest(filepath.Join(tinyModels, "yes-no"))
	if err != nil {
		t.Fatal(err)
	}
	return [2]string{m.YesNo.Yes, m.YesNo.No}
}

// Without special tokens an empty prompt is nothing that a model could go on from.
func TestNothingToReadIsAnError(t *testing.T) {
	needLibrary(t)
	dir := editManifest(t, "yes-no", "{context} -- {passage} ?", "{context}{passage}")
	editFile(t, filepath.Join(dir, TokenizerFile), `"post_processor": ?\{[^}]*\}`, `"post_processor":null`)
	_, err := load(t, dir).ScorePairs(t.Context(), []Pair{{Context: "a", Passage: "b"}, {}})
	if at := (*InputError)(nil); !errors.As(err, &at) || at.Place != 1 || !strings.Contains(err.Error(), "make no token") {
		t.Errorf("error %v", err)
	}
}

// However long the context, the passage and the question are read.
func TestALongContextLeavesTheQuestionWhole(t *testing.T) {
	m := load(t, filepath.Join(tinyModels, "yes-no"))
	long := strings.Repeat("one two ", 60)
	result, err := m.ScorePairs(t.Context(), []Pair{{Context: long, Passage: "The lamp burned."}, {Context: long, Passage: "A letter came."}, {Context: "one two", Passage: strings.Repeat("lamp ", 90)}})
	if err != nil {
		t.Fatal(err)
	}
	if result[0].Score == result[1].Score {
		t.Errorf("two passages have the score %v", result[0].Score)
	}
	for i, r := range result {
		if !r.Truncated {
			t.Errorf("pair %d is not said to be cut", i)
		}
	}
	for _, c := range [][5]int{{10, 10, 20, 10, 10}, {30, 5, 20, 15, 5}, {5, 30, 20, 5, 15}, {30, 30, 21, 11, 10}, {3, 3, 20, 3, 3}} {
		if a, b := shares(c[0], c[1], c[2]); a != c[3] || b != c[4] {
			t.Errorf("%d and %d in %d: %d and %d", c[0], c[1], c[2], a, b)
		}
	}
}

// A tokenizer may know tokens that were added after the graph was made.
func TestATokenThatTheGraphDoesNotKnow(t *testing.T) {
	r := row{[][]float32{{1, 2, 3, 4, 5, 6}}, [][]int64{{2, 3}}}
	if logits, err := r.logits(1, 2); err != nil || !reflect.DeepEqual(logits, []float32{4, 5, 6}) {
		t.Errorf("%v, %v", logits, err)
	}
	if _, err := decodeTarget(nil, &item{target: []int64{0, 1, 3}, given: 1}, r); err == nil || !strings.Contains(err.Error(), "3 tokens and none for token 3 of tokenizer.json") {
		t.Errorf("error %v", err)
	}
}
