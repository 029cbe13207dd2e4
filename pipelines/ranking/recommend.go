package ranking

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/rank"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Recommend ranks the passages of its document for every context: it
// retrieves candidates, has models rank them, and fuses what they say.
type Recommend struct{}

func (Recommend) Identity() engine.Identity {
	return engine.Identity{
		Name: "recommend", Table: "recommendations", Revision: 3,
		Short: "rank passages for every context, by retrieval and models",
		Unit:  "contexts",
	}
}

func (Recommend) Enabled(c *config.Config) bool { return c.Recommend.Asked() }

func (Recommend) Settings(c *config.Config) any { return c.Recommend }

func (Recommend) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	return checkRankers(ctx, p.Config)
}

func (Recommend) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.SameShard("examples", "passages")}, nil
}

// recommendTask is where a task finds its models.
type recommendTask struct {
	Retriever string      `json:"retriever"` // all, bm25, or model
	Embed     modelTask   `json:"embed"`     // of retriever model
	Rankers   []modelTask `json:"rankers"`
}

// checkRankers loads all models before any work.
func checkRankers(ctx context.Context, c *config.Config) (engine.External, error) {
	r := c.Recommend
	task := recommendTask{Retriever: cmp.Or(r.Retrieve, config.RetrieveAll)}
	contents := task.Retriever
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
		contents += contentsOf(m)
		notes = append(notes, deviceNote(m, t.Device)...)
		return t, nil
	}
	if task.Retriever != config.RetrieveAll && task.Retriever != config.RetrieveBM25 {
		task.Retriever, contents = config.RetrieveModel, config.RetrieveModel
		var err error
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
	}, nil
}

func (Recommend) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	r, err := newRecommender(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Recommendations, func(o *engine.Output[commonplace.Recommendation]) error {
		passages := join.Open(ctx, table.Passages, t.Path("passages"), func(p *commonplace.Passage) string { return p.DocID }, "passage_id", "doc_id", "index", "text")
		defer passages.Stop()
		examples := join.Open(ctx, table.Examples, t.Path("examples"), func(e *commonplace.Example) string { return e.DocID }, "context_id", "doc_id", "context", "passage_ids", "split")
		defer examples.Stop()
		err := passages.Each(func(docID string, of []commonplace.Passage) error {
			contexts, err := examples.Of(docID)
			if err != nil {
				return err
			}
			slices.SortFunc(contexts, func(a, b commonplace.Example) int { return strings.Compare(a.ID, b.ID) })
			return r.document(ctx, of, contexts, o)
		})
		if err != nil {
			return err
		}
		return examples.End()
	})
}

// recommender is what one task ranks with.
type recommender struct {
	config.Recommend
	retriever string
	embed     *infer.Model
	rankers   []*infer.Model
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
	r.retriever = task.Retriever
	var err error
	if task.Retriever == config.RetrieveModel {
		if r.embed, err = loadModel(ctx, task.Embed); err != nil {
			return nil, err
		}
	}
	for _, ranker := range task.Rankers {
		m, err := loadModel(ctx, ranker)
		if err != nil {
			return nil, err
		}
		r.rankers = append(r.rankers, m)
	}
	return &r, nil
}

// pairsAtOnce is how many pairs of context and passage are ranked in one call.
const pairsAtOnce = 4096

// document ranks the passages of one document for its contexts, as many contexts
// at a time as make a good call of a model.
func (r *recommender) document(ctx context.Context, passages []commonplace.Passage, contexts []commonplace.Example, o *engine.Output[commonplace.Recommendation]) error {
	if len(contexts) == 0 {
		return nil
	}
	search, err := r.search(ctx, passages)
	if err != nil {
		return err
	}
	each := len(passages)
	if r.retriever != config.RetrieveAll {
		each = min(each, r.Top)
	}
	for part := range slices.Chunk(contexts, max(1, pairsAtOnce/each)) {
		found, err := search(part)
		if err != nil {
			return err
		}
		if err := r.rank(ctx, passages, part, found, o); err != nil {
			return err
		}
	}
	return nil
}

// rank puts the candidates of some contexts in order and writes them.
func (r *recommender) rank(ctx context.Context, passages []commonplace.Passage, contexts []commonplace.Example, found [][]candidate, o *engine.Output[commonplace.Recommendation]) error {
	var pairs []infer.Pair
	var names []string // of the pairs
	for i, e := range contexts {
		for _, c := range found[i] {
			pairs = append(pairs, infer.Pair{Context: e.Context, Passage: passages[c.passage].Text})
			names = append(names, "context "+e.ID+", passage "+passages[c.passage].ID)
		}
	}
	var opinions [][]infer.Opinion
	for _, m := range r.rankers {
		s, err := m.Rank(ctx, pairs)
		if err != nil {
			return naming(err, names)
		}
		opinions = append(opinions, s)
	}
	begin := 0
	for i, e := range contexts {
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
		o.In++
		for place, k := range rank.BestFirst(scores, r.Keep) {
			p := passages[found[i][k].passage]
			row := commonplace.Recommendation{
				ContextID: e.ID, DocID: e.DocID, PassageID: p.ID, Index: p.Index, Place: int64(place + 1),
				Score: scores[k], Retrieved: found[i][k].score, Truncated: found[i][k].truncated, Label: "no", Split: e.Split,
			}
			if slices.Contains(e.PassageIDs, p.ID) {
				row.Label = "yes"
			}
			for m := range opinions {
				row.Parts = append(row.Parts, parts[m][k])
				s := opinions[m][begin+k]
				row.Truncated = row.Truncated || s.Truncated
				if row.SpanEnd == 0 {
					row.SpanBegin, row.SpanEnd = int64(s.Span.Begin), int64(s.Span.End)
				}
			}
			if row.Truncated {
				o.Count("truncated", 1)
			}
			if err := o.Put(row); err != nil {
				return err
			}
		}
		o.Taken++
		begin = end
	}
	return nil
}

// fuse makes one score a candidate of what the models say, or of the retrieval
// where there are none.
func (r *recommender) fuse(parts [][]float64, found []candidate) []float64 {
	if len(parts) == 0 {
		scores := make([]float64, len(found))
		for i, c := range found {
			scores[i] = c.score
		}
		return scores
	}
	return fusers[r.Fuse](parts, r.Weights())
}

// fusers by their names in a config.
var fusers = map[string]func(parts [][]float64, weights []float64) []float64{"product": rank.Product, "mixture": rank.Mixture}
