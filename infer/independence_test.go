package infer

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/commonplace/commonplace"
)

// ask asks a model what its head can do: an answer a pair. A pair is a document of
// three passages for heads that score passages.
func ask(m *Model, t *testing.T, pairs []Pair) []any {
	t.Helper()
	switch {
	case m.head.can(ScorePassages):
		return scored(m, t, pairs)
	case m.head.can(ScorePairs):
		return paired(m, t, pairs)
	case m.head.can(EmbedTexts):
		return embedded(m, t, pairs)
	case m.head.can(ProposeSpans):
		answers, err := m.Spans(t.Context(), pairs, 3)
		return each(t, answers, err)
	case m.head.can(TagPassages):
		answers, err := m.Tag(t.Context(), pairs)
		return each(t, answers, err)
	}
	t.Fatalf("nothing here asks a model of head %s", m.head.name)
	return nil
}

// tinyFolders are the names of the tiny models: one or more a head.
func tinyFolders(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(tinyModels)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func each[T any](t *testing.T, answers []T, err error) []any {
	if err != nil {
		t.Error(err)
	}
	all := make([]any, len(answers))
	for i, a := range answers {
		all[i] = a
	}
	return all
}

func paired(m *Model, t *testing.T, pairs []Pair) []any {
	if list, closed := m.text.own.(choices); closed { // it knows the quotations of its list alone
		listed := slices.Sorted(maps.Keys(list))
		pairs = slices.Clone(pairs)
		for i, p := range pairs {
			pairs[i].Passage = listed[len(p.Passage)%len(listed)]
		}
	}
	answers, err := m.ScorePairs(t.Context(), pairs)
	return each(t, answers, err)
}

func embedded(m *Model, t *testing.T, pairs []Pair) []any {
	var texts []string
	for _, p := range pairs {
		texts = append(texts, p.Passage)
	}
	answers, _, err := m.Embed(t.Context(), texts)
	return each(t, answers, err)
}

func scored(m *Model, t *testing.T, pairs []Pair) []any {
	var passages []commonplace.Passage
	for i, p := range pairs {
		doc := fmt.Sprint("d", i)
		for k, text := range []string{p.Passage, p.Context, p.Passage} {
			passages = append(passages, commonplace.Passage{ID: commonplace.PassageID(doc, int64(k)), DocID: doc, Text: text})
		}
	}
	scores, err := m.Score(t.Context(), passages)
	var answers [][3]float64
	for s := range slices.Chunk(scores, 3) {
		answers = append(answers, [3]float64{s[0].Score, s[1].Score, s[2].Score})
	}
	return each(t, answers, err)
}

// somePairs are of all lengths, several of each and of each too long.
func somePairs() []Pair {
	var pairs []Pair
	for i, p := range somePassages(40) {
		pairs = append(pairs, Pair{Context: strings.Repeat("of lamps ", i%7), Passage: p.Text}, Pair{Context: "On promises", Passage: strings.Repeat("lamp ", i%9+1)})
	}
	return pairs
}

// An answer is the same bits alone, among others, in any order, with any number of
// runs at once and of calls at once.
func TestAnswersDependOnTheTextAlone(t *testing.T) {
	needLibrary(t)
	for _, name := range tinyFolders(t) {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(tinyModels, name)
			m := load(t, dir)
			pairs := somePairs()
			want := ask(m, t, pairs)
			if len(want) != len(pairs) || reflect.DeepEqual(want[0], want[1]) {
				t.Fatalf("%d answers to %d pairs, the first %v and %v", len(want), len(pairs), want[0], want[1])
			}
			hold := func(how string, got, want []any) {
				t.Helper()
				for i := range want {
					if !reflect.DeepEqual(got[i], want[i]) {
						t.Errorf("%s: pair %d: %v, want %v", how, i, got[i], want[i])
						return
					}
				}
			}
			for _, size := range []int{1, 7} {
				var got []any
				for part := range slices.Chunk(pairs, size) {
					got = append(got, ask(m, t, part)...)
				}
				hold(fmt.Sprintf("%d at a time", size), got, want)
			}
			slices.Reverse(pairs)
			slices.Reverse(want)
			hold("last first", ask(m, t, pairs), want)
			many, err := LoadModel(dir, Options{Workers: 3})
			if err != nil {
				t.Fatal(err)
			}
			defer many.Close()
			var calls sync.WaitGroup
			for range 4 {
				calls.Go(func() { hold("three workers, four calls", ask(many, t, pairs), want) })
			}
			calls.Wait()
		})
	}
}

func TestEveryHeadHasATinyModel(t *testing.T) {
	have := map[string]bool{}
	for _, name := range tinyFolders(t) {
		m, err := ReadManifest(filepath.Join(tinyModels, name))
		if err != nil {
			t.Fatal(err)
		}
		have[m.Head] = true
	}
	for _, h := range heads {
		if !have[h.name] {
			t.Errorf("no folder of %s has the head %s: the test of independence asks none", tinyModels, h.name)
		}
	}
}

// Needs a GPU: with TF32 a product is off by a thousandth.
func TestFP32OnAGPUIsNearPyTorch(t *testing.T) {
	needLibrary(t)
	for _, head := range []string{"rank", "seq2seq"} {
		m, err := LoadModel(filepath.Join(tinyModels, head), Options{Device: "cuda"})
		if err != nil {
			t.Skip(err)
		}
		defer m.Close()
		rows := readGolden(t, head)
		scores, err := m.ScorePairs(t.Context(), pairsOf(rows))
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range rows {
			if !near(scores[i].Score, r.Score) {
				t.Errorf("%s: pair %d: score %v, PyTorch says %v", head, i, scores[i].Score, r.Score)
			}
		}
	}
}

func TestInt8IsNearPyTorch(t *testing.T) {
	m := load(t, filepath.Join(tinyModels, "embed-int8"))
	rows := readGolden(t, "embed-int8")
	var pairs []Pair
	for _, r := range rows {
		pairs = append(pairs, Pair{Passage: r.Passage})
	}
	equal := true
	for i, answer := range embedded(m, t, pairs) {
		cosine := 0.0
		for k, x := range answer.([]float32) {
			cosine += float64(x) * rows[i].Vector[k]
			equal = equal && math.Abs(float64(x)-rows[i].Vector[k]) < 1e-4
		}
		if cosine < 0.95 || len(answer.([]float32)) != len(rows[i].Vector) {
			t.Errorf("text %d: cosine %v with the vector in fp32", i, cosine)
		}
	}
	if equal {
		t.Error("the vectors are those of fp32")
	}
}

// An int8 graph takes one scale over all rows of a run, so that texts which share
// one would move each other's answers.
func TestAnInt8TextRunsAlone(t *testing.T) {
	for name, alone := range map[string]bool{"embed-int8": true, "embed": false} {
		if rows := load(t, filepath.Join(tinyModels, name)).text.run.shapes.rows(8); (rows == 1) != alone {
			t.Errorf("%s: %d texts of 8 tokens share a run", name, rows)
		}
	}
}
