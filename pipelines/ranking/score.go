package ranking

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/infer/tokenizer"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// A change of what is one text, such as group.SketchOf, is a new number too: the cache keeps which texts taught a model.
const scoreRevision = 7

// Score scores every passage with a model.
type Score struct{}

func (Score) Identity() engine.Identity {
	return engine.Identity{
		Name: "score", Table: "scores", Revision: scoreRevision,
		Short: "score every passage with a model",
		Unit:  "passages",
		Cache: []string{"scored"}, // --force runs the model again
	}
}

// Enabled: without a model a run finds and counts quotations, and ranks nothing.
func (Score) Enabled(c *config.Config) bool {
	return c.HasSources() && (c.Score.Model != "" || len(c.Score.Folds) > 0 || c.NoModel() != nil)
}

// Settings are those of the scores. Which GPU makes them changes nothing.
func (Score) Settings(c *config.Config) any {
	s := c.Score
	s.Device = infer.DeviceKind(s.Device)
	return s
}

func (Score) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	return checkModel(ctx, p.Config)
}

func (Score) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: scoreInputs}, nil
}

func (Score) Meter(ctx context.Context) engine.Meter { return scoredOrKept(ctx) }

func (Score) Cost(ctx context.Context, c *config.Config, rows int64) string {
	return costOfScores(ctx, c, rows)
}

func (Score) Prune(ctx context.Context, c *config.Config, t engine.Task) error {
	return sweepScored(ctx, c, t)
}

// scoreTask is where a task finds its models: one for all documents, or one for each fold.
type scoreTask struct {
	Models []scoreModel `json:"models"`
	Folds  bool         `json:"folds,omitempty"`
	Batch  int          `json:"batch"`
}

type scoreModel struct {
	modelTask
	infer.BySentences `json:"by_sentences"`
}

// scoreFolders are the model folders of a config, by the keys that name them.
func scoreFolders(c *config.Config) (keys, folders []string) {
	if len(c.Score.Folds) == 0 {
		return []string{"score.model"}, []string{c.Score.Model}
	}
	for i := range c.Score.Folds {
		keys = append(keys, fmt.Sprintf("score.folds[%d]", i))
	}
	return keys, c.Score.Folds
}

// checkModel loads the models once before any work, so that a wrong one is refused
// at once, and names them by their hashes.
func checkModel(ctx context.Context, c *config.Config) (engine.External, error) {
	if c.NoModel() != nil {
		return engine.External{}, fmt.Errorf("%w: %s: score.model: %w", config.ErrInvalid, c.File(), c.NoModel())
	}
	task := scoreTask{Folds: len(c.Score.Folds) > 0, Batch: c.Score.Batch}
	decides, training := "", ""
	var notes []string
	keys, folders := scoreFolders(c)
	for i, folder := range folders {
		one := scoreModel{modelTask: modelTaskOf(c, folder, c.Score.Device)}
		m, err := loadModel(ctx, one.modelTask)
		if err == nil {
			err = m.Can(infer.ScorePassages)
		}
		if err != nil {
			return engine.External{}, fmt.Errorf("%w: %s: %s: %w", config.ErrInvalid, c.File(), keys[i], err)
		}
		one.BySentences = poolingOf(c, m)
		if err := checkPositional(m, one.BySentences); err != nil {
			return engine.External{}, fmt.Errorf("%w: %s: %s: %w", config.ErrInvalid, c.File(), keys[i], err)
		}
		decides, training = decides+scoredBy(m, one.BySentences), training+m.TrainingSHA256()
		notes = append(notes, deviceNote(m, c.Score.Device)...)
		task.Models = append(task.Models, one)
	}
	parts := engine.OnePart("model of "+keys[0]+" (or its runtime or device)", decides)
	parts["list of what taught the model"] = storage.Key(training)
	return engine.External{
		Contents: func(int, int) string { return decides + "; taught by " + training },
		Parts:    parts,
		Extra:    func(int, int) json.RawMessage { return storage.MustJSON(task) },
		Models:   true,
		Notes:    notes,
	}, nil
}

// poolingOf is how sentences make a passage's score: what the config says, or else the model.
func poolingOf(c *config.Config, m *infer.Model) infer.BySentences {
	by := m.Manifest().BySentences()
	switch n := c.Score.Sentences; {
	case n == nil:
		return by
	case *n == 0:
		return infer.BySentences{}
	default:
		return infer.BySentences{Sentences: *n, Rest: by.Rest}
	}
}

// PassageMS is what 200 words take on a CPU by the model's own word, in milliseconds; 0
// where there is no model, or it does not say.
func PassageMS(ctx context.Context, c *config.Config) float64 {
	if c.Score.Model == "" {
		return 0
	}
	m, err := loadModel(ctx, modelTaskOf(c, c.Score.Model, c.Score.Device))
	if err != nil || m.Device() != "cpu" {
		return 0
	}
	return m.Manifest().CPUms
}

// costOfScores says what scoring passages takes on a CPU by the model's own word: of
// so many, or where these are none of one. It is empty where the model does not say.
func costOfScores(ctx context.Context, c *config.Config, passages int64) string {
	_, folders := scoreFolders(c)
	m, err := loadModel(ctx, modelTaskOf(c, folders[0], c.Score.Device))
	if err != nil || m.Manifest().CPUms == 0 || m.Device() != "cpu" {
		return ""
	}
	each, by := m.Manifest().CPUms, "a passage of 200 words"
	var words float64
	if n, err := fmt.Sscanf(c.Segment.By[strings.IndexByte(c.Segment.By, ':')+1:], "%f", &words); n == 1 && err == nil && !strings.HasPrefix(c.Segment.By, "chunks") {
		each, by = each*words/200, "a passage"
	}
	rate := fmt.Sprintf("%s takes %.3g ms of a CPU for %s", m.Manifest().Name, each, by)
	if passages <= 0 {
		return rate
	}
	total := time.Duration(each * float64(passages) * float64(time.Millisecond))
	if total >= 10*time.Second {
		total = total.Round(time.Second)
	} else {
		total = total.Round(time.Millisecond)
	}
	return fmt.Sprintf("at most %v of a CPU: %d passages, %s", total, passages, rate)
}

// scoreInputs are the passages, the documents, which say what is in sample and hold the
// sentences that go beyond a passage's ends, and where fold models score the folds.
func scoreInputs(ctx context.Context, p *engine.Planner, shard, of int) ([]engine.Input, error) {
	tables := []string{"passages", "documents"}
	if len(p.Config.Score.Folds) > 0 {
		tables = append(tables, table.Counted.Name)
	}
	return engine.SameShard(tables...)(ctx, p, shard, of)
}

func (Score) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s scoreTask
	if err := json.Unmarshal(t.Extra, &s); err != nil {
		return table.TaskRecord{}, err
	}
	var scorers []scorer
	for _, one := range s.Models {
		m, err := loadModel(ctx, one.modelTask)
		if err != nil {
			return table.TaskRecord{}, err
		}
		scorers = append(scorers, scorer{m: m, key: storage.Key(scoredBy(m, one.BySentences)), pool: one.BySentences, taught: taughtBy(m), taughtBy: storage.Key(m.TrainingSHA256())})
	}
	return engine.WriteShard(ctx, t, table.Scores, func(o *engine.Output[commonplace.Score]) error {
		folds, err := foldsOf(ctx, t, s)
		if err != nil {
			return err
		}
		before, err := openScored(ctx, t)
		if err != nil {
			return err
		}
		defer before.stop()
		w := &scoring{o: o, batchSize: s.Batch, sums: map[string]rowHash{}, samples: map[string]sampled{}}
		passages := join.Open(ctx, table.Passages, t.Path("passages"), func(p *commonplace.Passage) string { return p.DocID })
		defer passages.Stop()
		err = withTexts(ctx, t, passages, func(docID, text string, of []commonplace.Passage) error {
			by := &scorers[folds[docID]]
			if err := w.use(by); err != nil {
				return err
			}
			w.samples[docID] = before.sample(docID, text, by)
			if w.samples[docID].Sample == inSample {
				o.Count("documents_in_sample", 1)
			}
			if by.pool.Whole() {
				text = "" // it decides no score
			}
			of, err := withPositionalTokens(by.m, of)
			if err != nil {
				return err
			}
			sum, err := hashOfPassages(of, text)
			if err != nil {
				return err
			}
			if rows := before.of(docID, sum, by.key); len(rows) == len(of) {
				return w.keep(docID, sum, rows)
			}
			return w.add(docID, sum, text, of)
		})
		if err == nil {
			err = w.flush()
		}
		if err != nil {
			return err
		}
		return cache.WriteLines(ctx, scoredPath(t), w.scored())
	})
}

// foldsOf are the folds of a task's documents, where fold models score them; else all
// have the one model.
func foldsOf(ctx context.Context, t engine.Task, s scoreTask) (map[string]int64, error) {
	folds := map[string]int64{}
	if !s.Folds {
		return folds, nil
	}
	for r, err := range table.Counted.Rows(ctx, t.Path(table.Counted.Name), "doc_id", "fold") {
		if err != nil {
			return nil, err
		}
		if r.Fold >= int64(len(s.Models)) {
			return nil, fmt.Errorf("document %q is in fold %d, and score.folds has %d models; run again with --force", r.DocID, r.Fold, len(s.Models))
		}
		folds[r.DocID] = r.Fold
	}
	return folds, nil
}

// withTexts walks the documents that have passages, with their texts.
func withTexts(ctx context.Context, t engine.Task, passages *join.Reader[commonplace.Passage], do func(docID, text string, of []commonplace.Passage) error) error {
	for doc, err := range table.Documents.Rows(ctx, t.Path("documents"), "doc_id", "text") {
		if err != nil {
			return err
		}
		of, err := passages.Of(doc.ID)
		if err == nil && len(of) > 0 {
			err = do(doc.ID, doc.Text, of)
		}
		if err != nil {
			return err
		}
	}
	return passages.End()
}

// scorer is a model, and what belongs to it.
type scorer struct {
	m        *infer.Model
	key      string // all that decides scores
	pool     infer.BySentences
	taught   *taught
	taughtBy string // names the lists that taught knows
}

// scoring is the work on a shard of passages.
type scoring struct {
	*scorer   // of the documents in the batch
	o         *engine.Output[commonplace.Score]
	batchSize int // of the config
	batch     []commonplace.Passage
	read      []reading // of each passage of the batch, where sentences are scored
	lines     []scoredDocument
	sums      map[string]rowHash // by document: of its scores
	samples   map[string]sampled // by document: whether it taught its model
}

// use lets the documents that follow be scored by a model.
func (w *scoring) use(by *scorer) error {
	if w.scorer == by {
		return nil
	}
	if err := w.flush(); err != nil {
		return err
	}
	w.scorer = by
	return nil
}

// add scores a document's passages, with those of others where they are few.
func (w *scoring) add(docID, sum, text string, of []commonplace.Passage) error {
	w.lines = append(w.lines, scoredDocument{DocID: docID, Passages: sum, Model: w.key})
	var read []reading
	if !w.pool.Whole() {
		read = readings(text, of)
	}
	most := cmp.Or(w.batchSize, w.m.Window()) // passages in memory at once, more only where a model reads whole documents
	for i := range of {
		// A model that reads consecutive passages gets whole documents, so that
		// scores do not depend on where a batch ends.
		if len(w.batch) >= most && (i == 0 || !w.m.NeedsWholeDocuments()) {
			if err := w.flush(); err != nil {
				return err
			}
		}
		w.o.In++
		w.batch = append(w.batch, of[i])
		if !w.pool.Whole() {
			w.read = append(w.read, read[i])
		}
	}
	return nil
}

// keep takes the scores that a document had.
func (w *scoring) keep(docID, sum string, rows []commonplace.Score) error {
	if err := w.flush(); err != nil {
		return err
	}
	w.lines = append(w.lines, scoredDocument{DocID: docID, Passages: sum, Model: w.key})
	w.o.In += int64(len(rows))
	models.Of(w.o.Ctx).keptScores.Add(int64(len(rows)))
	return w.put(rows)
}

func (w *scoring) flush() error {
	if len(w.batch) == 0 {
		return nil
	}
	scores, err := w.ask()
	if errors.Is(err, tokenizer.ErrText) {
		if err = w.refuse(); err == nil {
			scores, err = w.ask()
		}
	}
	w.batch, w.read = w.batch[:0], w.read[:0]
	if err != nil {
		return err
	}
	models.Of(w.o.Ctx).scored.Add(int64(len(scores)))
	return w.put(scores)
}

// ask has the model score the batch.
func (w *scoring) ask() ([]commonplace.Score, error) {
	if !w.pool.Whole() {
		return scoreSentences(w.o.Ctx, w.m, w.batch, w.read, w.pool)
	}
	return w.m.Score(w.o.Ctx, w.batch)
}

func (w *scoring) put(scores []commonplace.Score) error {
	for _, score := range scores {
		score.InSample = w.samples[score.DocID].Sample
		if score.Truncated {
			w.o.Count("truncated", 1)
		}
		if err := w.o.Put(score); err != nil {
			return err
		}
		w.o.Taken++
		sum, ok := w.sums[score.DocID]
		if !ok {
			sum = newRowHash()
			w.sums[score.DocID] = sum
		}
		if err := sum.add(score); err != nil {
			return err
		}
	}
	return nil
}

// scored are the lines when all is scored. A document without scores has none.
func (w *scoring) scored() []scoredDocument {
	var lines []scoredDocument
	for _, line := range w.lines {
		if sum, ok := w.sums[line.DocID]; ok {
			line.Scores, line.sampled = sum.hex(), w.samples[line.DocID]
			lines = append(lines, line)
		}
	}
	return lines
}
