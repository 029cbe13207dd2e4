package ranking

import (
	"cmp"
	"context"
	"crypto/sha256"
	"math"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/rank"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Question is a context as [Recommend] gives it to models, the candidates that are right,
// and some that are wrong: what models that rank, retrieve or read are trained on.
type Question struct {
	Dataset, ID, DocID, Split, Context string
	Right, Wrong                       []Answer
	Trained                            infer.TrainedOn // its line of training.jsonl
}

// Answer is a candidate of a question.
type Answer struct {
	ID, Text string
	Span     commonplace.Span // code points of Text that the context quotes; empty where the dataset has none
	CutBegin bool             // the quotation begins in an earlier candidate
	CutEnd   bool             // it ends in a later one
}

// Questions gives those of a run's finished datasets, with so many wrong answers for each
// right one: half of them the nearest to the context by BM25, the others by chance. Memory
// holds one document.
func Questions(ctx context.Context, dir string, read config.Context, wrong float64, do func(Question) error) error {
	commits, err := table.Commits(ctx, storage.Default, dir)
	if err != nil {
		return err
	}
	for _, of := range retrievals {
		if slices.ContainsFunc(of.shard, func(name string) bool { return commits[name].Rows == 0 }) {
			continue
		}
		paths := func(name string) []string { return commits[name].ShardPaths(dir) }
		for k := range paths(of.shard[0]) {
			in := poolInput{func(name string) string { return paths(name)[k] }, paths, read}
			err := of.pools(ctx, in, func(p pool) error {
				ask := p.questions(of.dataset, wrong)
				for _, a := range p.contexts {
					if err := do(ask(a)); err != nil {
						return err
					}
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

// questions makes a question of each context of a pool.
func (p pool) questions(dataset string, wrong float64) func(asked) Question {
	var nearest func(words []string) []float64
	return func(a asked) Question {
		q := Question{Dataset: dataset, ID: a.id, DocID: a.docID, Split: a.split, Context: a.context, Trained: trainedOn(a.id, a.text())}
		var right []int64
		for _, c := range p.candidates {
			if slices.Contains(a.right, c.id) {
				q.Right, right = append(q.Right, c.answer(a)), append(right, c.index)
			}
		}
		var others []int
		for i, c := range p.candidates {
			// A run of sentences that shares one with the right run is not wrong.
			same := func(r int64) bool { return max(r-c.index, c.index-r) < max(1, p.run) }
			alike := func(r Answer) bool { return r.Text == c.text }
			if !slices.ContainsFunc(right, same) && !slices.ContainsFunc(q.Right, alike) {
				others = append(others, i)
			}
		}
		n := int(min(float64(len(others)), math.Round(wrong*float64(len(q.Right)))))
		if n == 0 {
			return q
		}
		if nearest == nil {
			nearest = scoresByWords(config.RetrieveBM25, p.candidates, config.DefaultBM25())
		}
		scores := nearest(a.words)
		near := rank.BestFirst(scores, 0)
		near = slices.DeleteFunc(near, func(i int) bool { _, other := slices.BinarySearch(others, i); return !other })
		for _, i := range near[:(n+1)/2] {
			q.Wrong = append(q.Wrong, p.candidates[i].answer(a))
		}
		rest := near[(n+1)/2:]
		hash := func(i int) string {
			sum := sha256.Sum256([]byte(a.id + "\n" + p.candidates[i].id))
			return string(sum[:])
		}
		slices.SortFunc(rest, func(i, j int) int { return cmp.Compare(hash(i), hash(j)) })
		for _, i := range rest[:n-len(q.Wrong)] {
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
