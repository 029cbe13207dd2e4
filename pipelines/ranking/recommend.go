package ranking

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/infer/tokenizer"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/rank"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Recommend ranks candidates for every context of a dataset: it retrieves some, has
// models rank them, and fuses what they say.
type Recommend struct{}

func (Recommend) Identity() engine.Identity {
	return engine.Identity{
		Name: "recommend", Table: "recommendations", Revision: 7,
		Short: "rank candidates for every context, by retrieval and models",
		Unit:  "contexts",
	}
}

func (Recommend) Enabled(c *config.Config) bool {
	return c.Recommend.Asked() && len(retrievalsOf(c)) > 0
}

func (Recommend) Settings(c *config.Config) any { return c.Recommend }

func (Recommend) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	return checkRankers(ctx, p.Config)
}

func (Recommend) Plan(_ context.Context, p *engine.Planner) (engine.Deps, error) {
	var shard, whole []string
	for _, r := range retrievalsOf(p.Config) {
		shard, whole = append(shard, r.shardTables(p.Config.Recommend.Context)...), append(whole, r.whole...)
	}
	slices.Sort(shard)
	return engine.Deps{Inputs: engine.And(engine.SameShard(slices.Compact(shard)...), engine.Whole(whole...))}, nil
}

// recommendTask is where a task finds its models.
type recommendTask struct {
	Datasets   []string    `json:"datasets"`
	Retriever  string      `json:"retriever"`            // all, bm25, tfidf, or model
	Embed      modelTask   `json:"embed"`                // of retriever model
	Candidates *modelTask  `json:"candidates,omitempty"` // where they have an encoder of their own
	Rankers    []modelTask `json:"rankers"`
}

// checkRankers loads all models before any work.
func checkRankers(ctx context.Context, c *config.Config) (engine.External, error) {
	r := c.Recommend
	task := recommendTask{Retriever: cmp.Or(r.Retrieve, config.RetrieveAll)}
	for _, of := range retrievalsOf(c) {
		task.Datasets = append(task.Datasets, of.dataset)
	}
	contents := strings.Join(task.Datasets, " ") + " " + task.Retriever
	var notes []string
	load := func(key, folder string, heads ...string) (modelTask, error) {
		t := modelTaskOf(c, folder, c.Score.Device)
		m, err := loadModel(ctx, t)
		if err == nil && !slices.Contains(heads, m.Manifest().Head) {
			err = fmt.Errorf("model %s has the head %s, must be one of %s", m.Manifest().Name, m.Manifest().Head, strings.Join(heads, ", "))
		}
		if err != nil {
			return t, fmt.Errorf("%w: %s: recommend.%s: %w", config.ErrInvalid, c.File(), key, err)
		}
		contents += contentsOf(m) + m.TrainingSHA256()
		notes = append(notes, deviceNote(m, t.Device)...)
		return t, nil
	}
	if r.RetrievesByModel() {
		task.Retriever = config.RetrieveModel
		var err error
		if r.Candidates != "" {
			t, err := load("candidates", r.Candidates, infer.HeadsFor(infer.EmbedTexts)...)
			if err != nil {
				return engine.External{}, err
			}
			task.Candidates = &t
		}
		if task.Embed, err = load("retrieve", r.Retrieve, infer.HeadsFor(infer.EmbedTexts)...); err != nil {
			return engine.External{}, err
		}
	}
	for i, m := range r.Models {
		t, err := load(fmt.Sprintf("models[%d].model", i), m.Model, infer.HeadsFor(infer.RankPairs)...)
		if err != nil {
			return engine.External{}, err
		}
		task.Rankers = append(task.Rankers, t)
	}
	return engine.External{
		Notes:    notes,
		Contents: func(int, int) string { return contents },
		Parts:    engine.OnePart("models of recommend (or their runtime or device)", contents),
		Extra:    func(int, int) json.RawMessage { return storage.MustJSON(task) },
		Models:   true,
	}, nil
}

func (Recommend) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	r, err := newRecommender(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Recommendations, func(o *engine.Output[commonplace.Recommendation]) error {
		r.o = o
		for _, of := range retrievals {
			if !slices.Contains(r.datasets, of.dataset) {
				continue
			}
			err := of.pools(ctx, poolInput{t.Path, t.Paths, r.Context, r.Segment}, func(p pool) error { return r.pool(ctx, of.dataset, p) })
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// recommender is what one task ranks with.
type recommender struct {
	config.Recommend
	o               *engine.Output[commonplace.Recommendation]
	datasets        []string
	retriever       string
	embed           *infer.Model
	embedCandidates *infer.Model // nil: embed reads candidates too
	rankers         []*infer.Model
	taught          []*taught // by each of the models
}

func newRecommender(ctx context.Context, t engine.Task) (*recommender, error) {
	var r recommender
	if err := t.Decode(&r.Recommend); err != nil {
		return nil, err
	}
	var task recommendTask
	if err := json.Unmarshal(t.Extra, &task); err != nil {
		return nil, err
	}
	r.datasets, r.retriever = task.Datasets, task.Retriever
	load := func(of modelTask) (*infer.Model, error) {
		m, err := loadModel(ctx, of)
		if err == nil {
			r.taught = append(r.taught, taughtBy(m))
		}
		return m, err
	}
	var err error
	if task.Retriever == config.RetrieveModel {
		if r.embed, err = load(task.Embed); err != nil {
			return nil, err
		}
	}
	if task.Candidates != nil {
		if r.embedCandidates, err = load(*task.Candidates); err != nil {
			return nil, err
		}
	}
	for _, ranker := range task.Rankers {
		m, err := load(ranker)
		if err != nil {
			return nil, err
		}
		r.rankers = append(r.rankers, m)
	}
	return &r, nil
}

// inSample says whether a model was trained on a context, or on the document that has the
// candidates: a context is too short to be known in the sketch of a book. A context of
// triples is known by its id too, since it may have been read in other words. Without models
// none was.
func (r *recommender) inSample(dataset string, a asked) string {
	said := outOfSample
	for _, t := range r.taught {
		of := t.of(a.text())
		switch {
		case of == inSample || t.ids[a.docID] || dataset == config.DataTriples && t.ids[a.id]:
			return inSample
		case of == unknownSample:
			said = unknownSample
		}
	}
	return said
}

// pairsAtOnce is how many pairs of context and candidate are ranked in one call.
const pairsAtOnce = 4096

// pool ranks the candidates of one pool for its contexts, as many contexts at a time as
// make a good call of a model.
func (r *recommender) pool(ctx context.Context, dataset string, p pool) error {
	if len(p.contexts) == 0 || len(p.candidates) == 0 {
		return nil
	}
	if err := p.prepare(ctx, r); err != nil {
		return err
	}
	each := len(p.candidates)
	if r.retriever != config.RetrieveAll && r.Top > 0 {
		each = min(each, r.Top)
	}
	for part := range slices.Chunk(p.contexts, max(1, pairsAtOnce/each)) {
		contexts, found, err := p.search.find(part)
		if err != nil {
			return err
		}
		if err := r.rank(ctx, dataset, p, contexts, found); err != nil {
			return err
		}
	}
	return nil
}

// rank puts the candidates of some contexts in order and writes them.
func (r *recommender) rank(ctx context.Context, dataset string, p pool, contexts []asked, found [][]candidate) error {
	var err error
	// Contexts of such a pool are likely to meet its candidate too. With rerank a model meets it or not
	// by what the first model says, so it is left out before.
	if len(p.search.rejected) > 0 || r.Rerank > 0 {
		if contexts, found, err = r.readable(ctx, p, contexts, found); err != nil {
			return err
		}
	}
	opinions, err := r.opinions(ctx, p, contexts, found)
	if errors.Is(err, tokenizer.ErrText) {
		if contexts, found, err = r.readable(ctx, p, contexts, found); err == nil {
			opinions, err = r.opinions(ctx, p, contexts, found)
		}
	}
	if err != nil {
		return err
	}
	begin := 0
	for i, a := range contexts {
		end := begin + len(found[i])
		parts := make([][]float64, len(opinions))
		for k := range opinions {
			scores := make([]float64, end-begin)
			for i, s := range opinions[k][begin:end] {
				scores[i] = s.Score
			}
			parts[k] = rank.LogSoftmax(scores)
		}
		scores := r.fuse(parts, found[i])
		ties := tiesOf(scores)
		sample := r.inSample(dataset, a)
		r.o.In++
		for place, k := range rank.BestFirst(scores, 0) {
			c := p.candidates[found[i][k].at]
			right := slices.Contains(a.right, c.id)
			if r.Keep > 0 && place >= r.Keep && !right {
				continue
			}
			row := commonplace.Recommendation{
				Dataset: dataset, ContextID: a.id, DocID: a.docID, PassageID: c.id, Index: c.index, Place: int64(place + 1),
				Better: ties[k].better, Tied: ties[k].tied, Ranked: int64(len(scores)), Candidates: int64(len(p.candidates)), Right: int64(len(a.right)),
				Score: scores[k], Retrieved: found[i][k].score, Truncated: found[i][k].truncated, Label: "no", InSample: sample, Split: a.split,
			}
			if right {
				row.Label = "yes"
			}
			for m := range opinions {
				if math.IsInf(parts[m][k], -1) {
					continue // not read: a mixture adds nothing, so it stands behind those that are
				}
				row.Parts = append(row.Parts, parts[m][k])
				s := opinions[m][begin+k]
				row.Truncated = row.Truncated || s.Truncated
				if row.SpanEnd == 0 && s.Span.End > 0 {
					row.SpanBegin, row.SpanEnd = int64(s.Span.Begin), int64(s.Span.End)
					row.SpansMore = int64(s.More)
					row.SpanText = commonplace.NewOffsets(c.text).Slice(s.Span)
				}
			}
			if row.Truncated {
				r.o.Count("truncated", 1)
			}
			if err := r.o.Put(row); err != nil {
				return err
			}
		}
		r.o.Taken++
		begin = end
	}
	return nil
}

// opinions are what each model says of each pair of a context and what was found for it.
func (r *recommender) opinions(ctx context.Context, p pool, contexts []asked, found [][]candidate) (opinions [][]infer.Opinion, err error) {
	if len(r.rankers) == 0 {
		return nil, nil
	}
	pairs := r.pairs(p, contexts, found)
	read := make([]int, len(pairs)) // the places of those that a model reads
	for i := range read {
		read[i] = i
	}
	for k, m := range r.rankers {
		some := make([]infer.Pair, len(read))
		for i, at := range read {
			some[i] = pairs[at]
		}
		said, err := m.Rank(ctx, some)
		if err != nil {
			return nil, naming(err, func(place int) string {
				i, place := 0, read[place]
				for ; place >= len(found[i]); i++ {
					place -= len(found[i])
				}
				return "context " + contexts[i].id + ", candidate " + p.candidates[found[i][place].at].id
			})
		}
		of := slices.Repeat([]infer.Opinion{{Score: math.Inf(-1)}}, len(pairs)) // of a softmax, nothing
		for i, at := range read {
			of[at] = said[i]
		}
		opinions = append(opinions, of)
		if k == 0 && r.Rerank > 0 {
			read = r.bestOf(of, found)
		}
	}
	return opinions, nil
}

// bestOf are the places of the pairs that the first model ranks among the first of their
// context (when and what to quote, section 3.3: the top m_g).
func (r *recommender) bestOf(of []infer.Opinion, found [][]candidate) (places []int) {
	begin := 0
	for _, candidates := range found {
		scores := make([]float64, len(candidates))
		for i := range scores {
			scores[i] = of[begin+i].Score
		}
		for _, k := range rank.BestFirst(scores, r.Rerank) {
			places = append(places, begin+k)
		}
		begin += len(candidates)
	}
	slices.Sort(places)
	return places
}

// pairs are contexts, or an empty one in their place, with each candidate that was found for
// them.
func (r *recommender) pairs(p pool, contexts []asked, found [][]candidate) (pairs []infer.Pair) {
	for i, a := range contexts {
		if r.Context.None {
			a = asked{}
		}
		for _, c := range found[i] {
			pairs = append(pairs, infer.Pair{Context: a.context, Passage: p.candidates[c.at].text, Title: a.title, Body: a.body})
		}
	}
	return pairs
}

// tie is where a score stands: so many are better, and so many equal to it.
type tie struct{ better, tied int64 }

func tiesOf(scores []float64) []tie {
	sorted := slices.Clone(scores)
	slices.Sort(sorted)
	out := make([]tie, len(scores))
	for i, s := range scores {
		first, _ := slices.BinarySearch(sorted, s)
		after := first + sort.Search(len(sorted)-first, func(k int) bool { return sorted[first+k] > s })
		out[i] = tie{int64(len(sorted) - after), int64(after - first)}
	}
	return out
}

// fuse makes one score a candidate of what the models say, and the retriever where it has
// a weight; of the retriever alone where there are no models.
func (r *recommender) fuse(parts [][]float64, found []candidate) []float64 {
	if len(parts) > 0 && r.Weight == 0 {
		return fusers[r.Fuse](parts, r.Weights())
	}
	scores := make([]float64, len(found))
	for i, c := range found {
		scores[i] = c.score
	}
	if len(parts) == 0 {
		return scores
	}
	parts = append(slices.Clone(parts), rank.LogSoftmax(scores))
	return fusers[r.Fuse](parts, r.Weights())
}

// fusers by their names in a config.
var fusers = map[string]func(parts [][]float64, weights []float64) []float64{"product": rank.Product, "mixture": rank.Mixture}
