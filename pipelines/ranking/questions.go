package ranking

import (
	"cmp"
	"context"
	"crypto/sha256"
	"math"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/rank"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Question is a context as [Recommend] gives it to models, the candidates that are right,
// and some that are wrong: what models that rank, retrieve or read are trained on.
type Question struct {
	Dataset, ID, DocID, Split, Context string
	Title, Body                        string // of queries: the context in its two parts, for models that pack them
	Right, Wrong                       []Answer
	Elsewhere                          int             // right candidates that are left out: their text belongs to another split
	Missing                            int             // wrong candidates that were asked for and are not there
	Trained                            infer.TrainedOn // its line of training.jsonl
}

// Answer is a candidate of a question.
type Answer struct {
	ID, Text string
	Span     commonplace.Span // code points of Text that the context quotes; empty where the dataset has none
	CutBegin bool             // the quotation begins in an earlier candidate
	CutEnd   bool             // it ends in a later one
}

// Asking says which questions are asked, and how.
type Asking struct {
	Context  config.Context          // how much of a context is read
	Datasets []string                // whose questions; nil: all
	Wrong    float64                 // wrong answers for each right one
	Nearest  float64                 // the share of these that are the nearest to the context by BM25; the others are drawn
	Leave    func(docID string) bool // documents whose questions come without answers; nil: none
}

// Questions gives those of a run's finished datasets. The text of a candidate is in questions
// of one split alone: that of the last split in which it is right (test, then validation, then
// training), else one that a hash of it decides, half of the texts to training. So nothing is
// trained on that a later split asks for, and no split takes another's wrong answers. The
// quotations of replies are a closed list, and stand in all splits. Memory holds one document,
// and a hash for each text of an answer.
func Questions(ctx context.Context, dir string, ask Asking, do func(Question) error) error {
	commits, err := table.Commits(ctx, storage.Default, dir)
	if err != nil {
		return err
	}
	paths := func(name string) []string { return commits[name].ShardPaths(dir) }
	eachPool := func(do func(dataset string, p pool) error) error {
		for _, of := range retrievals {
			if ask.Datasets != nil && !slices.Contains(ask.Datasets, of.dataset) || slices.ContainsFunc(of.shardTables(ask.Context), func(name string) bool { return commits[name].Rows == 0 }) {
				continue
			}
			for k := range paths(of.shard[0]) {
				in := poolInput{func(name string) string { return paths(name)[k] }, paths, ask.Context, ""}
				err := of.pools(ctx, in, func(p pool) error {
					if err := do(of.dataset, p); err != nil {
						return err
					}
					return ctx.Err()
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	}
	left := func(a asked) bool { return ask.Leave != nil && ask.Leave(a.docID) }
	owned := homes{}
	err = eachPool(func(dataset string, p pool) error {
		if dataset == config.DataReplies {
			return nil
		}
		for _, a := range p.contexts {
			for _, c := range p.candidates {
				if slices.Contains(a.right, c.id) && !left(a) {
					owned.claim(keyOf(c.text), a.split)
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return eachPool(func(dataset string, p pool) error {
		home := owned
		if dataset == config.DataReplies {
			home = nil
		}
		question := p.questions(dataset, ask, home)
		for _, a := range p.contexts {
			q := p.question(dataset, a)
			if !left(a) {
				q = question(a)
			}
			if err := do(q); err != nil {
				return err
			}
		}
		return nil
	})
}

// splitsByRank are the splits, those first whose texts the others may not have.
var splitsByRank = []string{label.Test, label.Validation, label.Train}

// homes are the ranks of the splits that texts belong to, by a hash of their words.
type homes map[textKey]int8

type textKey [8]byte

func keyOf(text string) (key textKey) {
	sum := sha256.Sum256([]byte(label.Normalise(text)))
	copy(key[:], sum[:])
	return key
}

// claim gives a text to a split, unless one of higher rank has it.
func (h homes) claim(key textKey, split string) {
	rank := int8(slices.Index(splitsByRank, split))
	if has, there := h[key]; !there || rank < has {
		h[key] = rank
	}
}

// chanceOf says by a hash which split has a text that is no right answer: half of them are
// training's, so that the small splits find some in a small pool.
func (key textKey) chanceOf() string {
	return []string{label.Test, label.Validation, label.Train, label.Train}[key[0]%4]
}

// open says that a text may be in questions of a split. Nothing is closed where there are
// no homes.
func (h homes) open(key textKey, split string) bool {
	if h == nil {
		return true
	}
	if has, there := h[key]; there {
		return splitsByRank[has] == split
	}
	return key.chanceOf() == split
}

// question is a context without answers.
func (p pool) question(dataset string, a asked) Question {
	return Question{Dataset: dataset, ID: a.id, DocID: a.docID, Split: a.split, Context: a.context, Title: a.title, Body: a.body, Trained: trainedOn(a.id, a.text())}
}

// questions makes a question of each context of a pool.
func (p pool) questions(dataset string, ask Asking, owned homes) func(asked) Question {
	keys := make([]textKey, len(p.candidates))
	for i, c := range p.candidates {
		keys[i] = keyOf(c.text)
	}
	var nearest func(words []string) []float64
	return func(a asked) Question {
		q := p.question(dataset, a)
		var right []int
		for i, c := range p.candidates {
			if !slices.Contains(a.right, c.id) {
				continue
			}
			right = append(right, i)
			if owned.open(keys[i], a.split) {
				q.Right = append(q.Right, c.answer(a))
			}
		}
		q.Elsewhere = len(right) - len(q.Right)
		isWrong := func(i int) bool {
			// A run of sentences that shares one with the right run is not wrong, nor is one that says the same.
			same := func(r int) bool {
				apart := p.candidates[r].index - p.candidates[i].index
				return max(apart, -apart) < max(1, p.run) || keys[r] == keys[i]
			}
			return owned.open(keys[i], a.split) && !slices.ContainsFunc(right, same)
		}
		n := int(math.Round(ask.Wrong * float64(len(q.Right))))
		if n == 0 {
			return q
		}
		if nearest == nil {
			nearest = scoresByWords(config.RetrieveBM25, p.candidates, config.DefaultBM25())
		}
		seen := map[textKey]bool{}
		near := slices.DeleteFunc(rank.BestFirst(nearest(a.words), 0), func(i int) bool {
			if seen[keys[i]] || !isWrong(i) {
				return true
			}
			seen[keys[i]] = true
			return false
		})
		q.Missing = max(0, n-len(near))
		n -= q.Missing
		nearest := int(math.Ceil(ask.Nearest * float64(n)))
		hash := func(i int) string {
			sum := sha256.Sum256([]byte(a.id + "\n" + p.candidates[i].id))
			return string(sum[:])
		}
		slices.SortFunc(near[nearest:], func(i, j int) int { return cmp.Compare(hash(i), hash(j)) })
		for _, i := range near[:n] {
			q.Wrong = append(q.Wrong, p.candidates[i].answer(a))
		}
		return q
	}
}

// answer is the candidate with what the context quotes of it.
func (c offered) answer(a asked) Answer {
	out := Answer{ID: c.id, Text: c.text}
	if begin, end := max(a.begin, c.begin), min(a.end, c.end); begin < end && slices.Contains(a.right, c.id) {
		out.Span = commonplace.Span{Begin: int(begin - c.begin), End: int(end - c.begin)}
		out.CutBegin, out.CutEnd = a.begin < c.begin, a.end > c.end
	}
	return out
}
