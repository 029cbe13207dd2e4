package ranking

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
)

// randomPool has candidates of few words, so that some say the same, and contexts of every
// split that ask for one or two of them.
func randomPool(draw *rand.Rand) pool {
	p := pool{docID: "d", search: &search{}, run: int64(draw.IntN(3))}
	words := func(n int) string {
		var all []string
		for range n {
			all = append(all, string(rune('a'+draw.IntN(6))))
		}
		return strings.Join(all, " ")
	}
	for i := range 2 + draw.IntN(30) {
		p.candidates = append(p.candidates, offered{id: fmt.Sprintf("p%02d", i), index: int64(i), text: words(1 + draw.IntN(3)), begin: int64(10 * i), end: int64(10*i + 10)})
	}
	for i := range draw.IntN(12) {
		at := draw.IntN(len(p.candidates))
		a := asked{id: fmt.Sprintf("c%02d", i), docID: "d", split: splitsByRank[draw.IntN(3)], words: strings.Fields(words(4)), right: []string{p.candidates[at].id}, begin: int64(10*at + 2), end: int64(10*at + 8)}
		if at+1 < len(p.candidates) && draw.IntN(3) == 0 {
			a.right = append(a.right, p.candidates[at+1].id)
			a.end += 10
		}
		p.contexts = append(p.contexts, a)
	}
	return p
}

// ask asks the questions of a pool as [Questions] does.
func (p pool) ask(wrong float64, owned homes) (all []Question) {
	for _, a := range p.contexts {
		for _, c := range p.candidates {
			if owned != nil && slices.Contains(a.right, c.id) {
				owned.claim(keyOf(c.text), a.split)
			}
		}
	}
	question := p.questions(config.DataTriples, Asking{Wrong: wrong, Nearest: .5}, owned)
	for _, split := range splitsByRank {
		for _, a := range p.contexts {
			if a.split == split {
				all = append(all, question(a))
			}
		}
	}
	return all
}

// No text is in questions of two splits, no wrong answer says what a right one says or
// stands beside it in a run, none is there twice, and there are as many as were asked for,
// or all that there are. The same pool is asked the same.
func TestQuestionsOfAPool(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(23, 5))
	elsewhere, short := 0, 0
	for round := range 400 {
		p := randomPool(draw)
		wrong := float64(draw.IntN(5))
		owned := homes{}
		if round%4 == 0 {
			owned = nil // a closed list
		}
		questions := p.ask(wrong, owned)
		if len(questions) != len(p.contexts) {
			t.Fatalf("%d questions of %d contexts", len(questions), len(p.contexts))
		}
		splits := map[string]string{}
		index := map[string]int64{}
		for _, c := range p.candidates {
			index[c.id] = c.index
		}
		for _, q := range questions {
			a := p.contexts[slices.IndexFunc(p.contexts, func(a asked) bool { return a.id == q.ID })]
			if len(q.Right)+q.Elsewhere != len(a.right) || owned == nil && q.Elsewhere > 0 || q.Split == label.Test && q.Elsewhere > 0 {
				t.Errorf("%d right ones and %d elsewhere, of %d", len(q.Right), q.Elsewhere, len(a.right))
			}
			elsewhere += q.Elsewhere
			seen := map[string]bool{}
			for _, w := range q.Wrong {
				for _, id := range a.right {
					text := p.candidates[index[id]].text
					if label.Normalise(w.Text) == label.Normalise(text) || max(index[w.ID]-index[id], index[id]-index[w.ID]) < max(1, p.run) {
						t.Errorf("%s: %v is not wrong beside %s %q", q.ID, w, id, text)
					}
				}
				if seen[w.Text] || w.Span.End > 0 {
					t.Errorf("%s: %v is there twice, or has a span", q.ID, w)
				}
				seen[w.Text] = true
			}
			if want := int(wrong) * len(q.Right); len(q.Wrong) > want {
				t.Errorf("%d wrong answers, %d were asked for", len(q.Wrong), want)
			} else if q.Missing != want-len(q.Wrong) {
				t.Errorf("%d are missing, %d wrong answers of %d are there", q.Missing, len(q.Wrong), want)
			} else if len(q.Wrong) < want {
				short++
				for i, c := range p.candidates {
					isFree := owned.open(keyOf(c.text), q.Split) && !seen[c.text] && !slices.ContainsFunc(a.right, func(id string) bool {
						return c.text == p.candidates[index[id]].text || max(int64(i)-index[id], index[id]-int64(i)) < max(1, p.run)
					})
					if isFree {
						t.Errorf("%s: %d wrong answers of %d, and %q was free", q.ID, len(q.Wrong), want, c.text)
					}
				}
			}
			for _, answer := range slices.Concat(q.Right, q.Wrong) {
				if owned == nil {
					continue
				}
				if before := splits[answer.Text]; before != "" && before != q.Split {
					t.Errorf("%q is in %s and in %s", answer.Text, before, q.Split)
				}
				splits[answer.Text] = q.Split
			}
			for _, r := range q.Right {
				if r.Span.End <= r.Span.Begin || (index[r.ID] != index[a.right[0]]) != r.CutBegin {
					t.Errorf("%s: %+v of %v", q.ID, r, a)
				}
			}
		}
		fresh := homes{}
		if owned == nil {
			fresh = nil
		}
		if again := p.ask(wrong, fresh); fmt.Sprint(again) != fmt.Sprint(questions) {
			t.Error("asked again, the questions are others")
		}
	}
	if elsewhere == 0 || short == 0 {
		t.Errorf("%d answers elsewhere, %d questions with too few candidates: the pools test neither", elsewhere, short)
	}
}

// Half of the wrong answers, rounded up, are the nearest to the context.
func TestHalfOfTheWrongAnswersAreNear(t *testing.T) {
	t.Parallel()
	p := pool{search: &search{}}
	for i := range 40 {
		p.candidates = append(p.candidates, offered{id: fmt.Sprintf("p%02d", i), index: int64(i), text: fmt.Sprint("other words ", i)})
	}
	p.candidates[7].text, p.candidates[30].text = "the whale swims", "a white whale"
	for i := range p.candidates {
		for keyOf(p.candidates[i].text).chanceOf() != label.Train {
			p.candidates[i].text += " indeed"
		}
	}
	p.contexts = []asked{{id: "c", split: label.Train, words: []string{"white", "whale"}, right: []string{"p00"}}}
	q := p.ask(4, homes{})[0]
	if len(q.Wrong) != 4 || q.Wrong[0].ID != "p30" || q.Wrong[1].ID != "p07" {
		t.Errorf("%+v", q.Wrong)
	}
	drawn := p.questions("", Asking{Wrong: 4}, homes{})(p.contexts[0])
	if len(drawn.Wrong) != 4 || slices.ContainsFunc(drawn.Wrong, func(a Answer) bool { return a.ID == "p30" || a.ID == "p07" }) {
		t.Errorf("of all drawn: %+v", drawn.Wrong)
	}
}

// The questions of runs: of every split, whatever its shards, no passage in two of them; a
// copy takes nothing from a split and has no answers.
func TestQuestionsOfARun(t *testing.T) {
	pipelinetest.Demo(t)
	c := pipelinetest.Dataset(t, "demo", func(c *config.Config) {
		c.Label.Datasets = []string{config.DataTriples}
		c.Label.Split.By, c.Label.Split.Train, c.Label.Split.Validation, c.Label.Split.Test = "example", .5, .2, .3 // leaks
	})
	pipelinetest.Build(t, c)
	for _, leave := range []func(string) bool{nil, func(string) bool { return true }} {
		splits, counts, answers := map[string]string{}, map[string]int{}, 0
		elsewhere := 0
		err := Questions(t.Context(), c.Out, Asking{Context: config.DefaultContext(), Wrong: 3, Leave: leave}, func(q Question) error {
			counts[q.Split]++
			elsewhere += q.Elsewhere
			for _, a := range slices.Concat(q.Right, q.Wrong) {
				answers++
				if before := splits[a.Text]; before != "" && before != q.Split {
					t.Errorf("%q is in %s and in %s", a.Text, before, q.Split)
				}
				splits[a.Text] = q.Split
			}
			return nil
		})
		if err != nil || len(counts) != 3 {
			t.Errorf("questions by split: %v, %v", counts, err)
		}
		if leave == nil && (elsewhere == 0 || answers == 0) || leave != nil && answers > 0 {
			t.Errorf("%d answers, %d elsewhere", answers, elsewhere)
		}
	}
}

// What only windows ask for takes nothing from triples where windows are not asked.
func TestQuestionsOfSomeDatasets(t *testing.T) {
	pipelinetest.Demo(t)
	c := pipelinetest.Dataset(t, "relic-hathitrust", func(c *config.Config) {
		c.Label.Datasets = []string{config.DataTriples, config.DataWindows}
		c.Label.Split.By, c.Label.Split.Train, c.Label.Split.Validation, c.Label.Split.Test = "example", .5, .2, .3
		c.Recommend, c.Evaluate = config.Recommend{}, config.Evaluate{}
	})
	pipelinetest.Build(t, c)
	elsewhere := func(datasets ...string) (n int) {
		err := Questions(t.Context(), c.Out, Asking{Context: config.DefaultContext(), Datasets: datasets}, func(q Question) error {
			if datasets != nil && !slices.Contains(datasets, q.Dataset) {
				t.Errorf("a question of %s", q.Dataset)
			}
			if q.Dataset == config.DataTriples {
				n += q.Elsewhere
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if all, some := elsewhere(), elsewhere(config.DataTriples); some >= all {
		t.Errorf("%d answers of triples are left out where windows are not asked, %d where they are", some, all)
	}
}
