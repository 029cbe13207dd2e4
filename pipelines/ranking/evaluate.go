package ranking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Evaluation checks a run's rankings against its quote counts. It reads tables and
// writes none.
type Evaluation struct {
	Dir     string            // folder of the run
	Against string            // folder of another run over the same passages, or empty
	Counts  string            // which quotations count: label.ByReaders, label.ByEditors, or empty for all
	Spans   string            // file of spans that count in place of the run's quotations, or empty
	Columns map[string]string // of that file

	InSample   bool     // judge the documents that taught the model too, and say so in its row
	Metrics    []string // that are wanted; none: all
	Confidence float64  // of the intervals; 0 is 0.95
	Resamples  int      // of bootstrap and permutation test; 0 is 2,000
	Seed       uint64
}

// ErrNothing says that a run has nothing to compare, such as no quotations.
var ErrNothing = errors.New("nothing to compare")

// judged is what a document's rankings and quote counts say together.
type judged struct {
	id, genre      string
	sample         string                // of its score: [inSample] and so on
	passages       []commonplace.Passage // their places alone
	counts, scores []float64
	lengths        []float64 // code points
	texts          []string
	ends           []bool // first or last of its paragraph

	systems [][]float64 // what each system says
}

// samePassages says whether two runs ranked the same passages of a document.
func samePassages(a, b judged) bool {
	return slices.EqualFunc(a.passages, b.passages, func(p, q commonplace.Passage) bool { return p.ID == q.ID })
}

// readWords fills in the two baselines that read words, two before
// the last. A document without a quoted passage is left out of all figures, so nobody
// reads it.
func (d *judged) readWords() {
	of := d.systems[len(d.systems)-3:]
	if !slices.ContainsFunc(d.counts, func(n float64) bool { return n > 0 }) {
		of[0], of[1] = of[2], of[2]
		return
	}
	words := eval.ContentOf(d.texts)
	of[0], of[1] = words.TFIDF(), words.BM25()
}

// committed is the commit record of a table, or what to do about its absence.
func committed(ctx context.Context, dir, name string) (table.Commit, error) {
	c, err := table.ReadCommit(ctx, storage.Default, dir, name)
	if errors.Is(err, table.ErrNoRecord) {
		return c, config.Refusef("%s: table %s is not there yet: run `commonplace %s` first", dir, name, engine.CommandFor(name))
	}
	return c, err
}

// documentsOf yields the documents of a run in the order of the shards, one at a
// time. Both tables are sorted by document and index and in the same
// shards, so they are read side by side.
func documentsOf(ctx context.Context, dir, by string) iter.Seq2[judged, error] {
	return func(yield func(judged, error) bool) {
		rankings, err := committed(ctx, dir, table.Rankings.Name)
		if err != nil {
			yield(judged{}, err)
			return
		}
		counts, err := committed(ctx, dir, table.QuoteCounts.Name)
		if err != nil {
			yield(judged{}, err)
			return
		}
		if len(rankings.Shards) != len(counts.Shards) {
			yield(judged{}, fmt.Errorf("%s: rankings has %d shards, quote_counts %d: build them in one run", dir, len(rankings.Shards), len(counts.Shards)))
			return
		}
		passages, err := committed(ctx, dir, table.Passages.Name)
		if err == nil && len(rankings.Shards) != len(passages.Shards) {
			err = fmt.Errorf("%s: rankings has %d shards, passages %d: build them in one run", dir, len(rankings.Shards), len(passages.Shards))
		}
		if err != nil {
			yield(judged{}, err)
			return
		}
		documents, err := committed(ctx, dir, table.Documents.Name)
		if err == nil && len(rankings.Shards) != len(documents.Shards) {
			err = fmt.Errorf("%s: rankings has %d shards, documents %d: build them in one run", dir, len(rankings.Shards), len(documents.Shards))
		}
		if err != nil {
			yield(judged{}, err)
			return
		}
		samples, err := samplesOf(ctx, dir)
		if err != nil {
			yield(judged{}, err)
			return
		}
		for k, path := range rankings.ShardPaths(dir) {
			genres := map[string]string{}
			for d, err := range table.Documents.Rows(ctx, documents.ShardPaths(dir)[k], "doc_id", "genre") {
				if err != nil {
					yield(judged{}, err)
					return
				}
				genres[d.ID] = d.Genre
			}
			for d, err := range shardDocuments(ctx, path, counts.ShardPaths(dir)[k], passages.ShardPaths(dir)[k], by) {
				d.genre, d.sample = genres[d.id], samples[d.id]
				if !yield(d, err) || err != nil {
					return
				}
			}
		}
	}
}

func shardDocuments(ctx context.Context, rankings, counts, passages, by string) iter.Seq2[judged, error] {
	return func(yield func(judged, error) bool) {
		quoted := countsOf(ctx, counts)
		defer quoted.Stop()
		units := join.Open(ctx, table.Passages, passages, func(p *commonplace.Passage) string { return p.ID }, "passage_id", "places.kind", "places.first", "places.last")
		defer units.Stop()
		var d judged
		for r, err := range table.Rankings.Rows(ctx, rankings, "passage_id", "doc_id", "index", "begin", "end", "text", "score") {
			if err != nil {
				yield(d, err)
				return
			}
			n, found, err := quoted.Next(r.PassageID) // of one that was not scored there is no ranking
			if err == nil && !found {
				err = fmt.Errorf("%s: passage %s has no quote count in %s: build both in one run", rankings, r.PassageID, filepath.Base(filepath.Dir(counts)))
			}
			p, found, failed := units.Next(r.PassageID)
			if failed == nil && !found {
				failed = fmt.Errorf("%s: passage %s is not in %s: build both in one run", rankings, r.PassageID, passages)
			}
			if err == nil {
				err = failed
			}
			if err != nil {
				yield(d, err)
				return
			}
			if r.DocID != d.id {
				if d.id != "" && !yield(d, nil) {
					return
				}
				d = judged{id: r.DocID}
			}
			d.passages = append(d.passages, commonplace.Passage{ID: r.PassageID, DocID: r.DocID, Index: r.Index, Begin: r.Begin, End: r.End})
			d.counts = append(d.counts, float64(countBy(n, by)))
			d.scores = append(d.scores, r.Score)
			d.lengths = append(d.lengths, float64(r.End-r.Begin))
			d.texts = append(d.texts, r.Text)
			d.ends = append(d.ends, slices.ContainsFunc(p.Places, func(u commonplace.Place) bool {
				return u.Kind == commonplace.PlaceParagraph && (u.First || u.Last)
			}))
		}
		if d.id != "" {
			yield(d, nil)
		}
	}
}

// countsOf are the quote counts of a shard, by passage.
func countsOf(ctx context.Context, path string) *join.Reader[commonplace.QuoteCount] {
	return join.Open(ctx, table.QuoteCounts, path, func(n *commonplace.QuoteCount) string { return n.PassageID })
}

// countBy is how often a passage is quoted by readers, editors or anybody.
func countBy(n commonplace.QuoteCount, by string) int64 {
	switch by {
	case label.ByReaders:
		return n.Readers
	case label.ByEditors:
		return n.Editors
	}
	return n.Count
}

// modelOf is the name of the model that scored a run, or of all of them.
func modelOf(ctx context.Context, dir string) (string, error) {
	c, err := committed(ctx, dir, table.Scores.Name)
	if err != nil {
		return "", err
	}
	names := map[string]bool{}
	for _, path := range c.ShardPaths(dir) {
		for name, err := range table.Values[string](ctx, table.Scores, path, "model") {
			if err != nil {
				return "", err
			}
			names[name] = true
		}
	}
	if len(names) > 1 {
		return fmt.Sprintf("%d fold models", len(names)), nil
	}
	for name := range names {
		return name, nil
	}
	return "model", nil
}

// Rankings evaluates the scores beside baselines that read nothing, and beside
// the other run where there is one.
func (v Evaluation) Rankings(ctx context.Context) (eval.Result, error) {
	groups, err := v.rankings(ctx, nil)
	if err != nil {
		return eval.Result{}, err
	}
	return groups[0].Result, nil
}

// ByGenre evaluates the scores of all documents, and then of each genre's.
func (v Evaluation) ByGenre(ctx context.Context) (eval.Groups, error) {
	return v.rankings(ctx, func(d judged) string { return cmp.Or(d.genre, "of no genre") })
}

func (v Evaluation) rankings(ctx context.Context, groupOf func(judged) string) (eval.Groups, error) {
	for _, m := range v.Metrics {
		if !slices.Contains(eval.Metrics(), m) {
			return nil, config.Refusef("there is no metric %q, only %s", m, strings.Join(eval.Metrics(), ", "))
		}
	}
	dir, against := v.Dir, v.Against
	model, err := modelOf(ctx, dir)
	if err != nil {
		return nil, err
	}
	systems := []eval.System{{Name: model}}
	var others *join.Reader[judged]
	if against != "" {
		other, err := modelOf(ctx, against)
		if err != nil {
			return nil, err
		}
		systems = append(systems, eval.System{Name: other + " of " + filepath.Base(table.Home(against))})
		others = join.OpenRows(against, documentsOf(ctx, against, v.Counts), func(d *judged) string { return d.id })
		defer others.Stop()
	}
	judgedModels := len(systems)
	systems = append(systems,
		eval.System{Name: "length", Note: "longer passages first"},
		eval.System{Name: "position", Note: "passages in the order of the document"},
		eval.System{Name: "first and last", Note: "the first and the last passage of each document before the rest"},
		eval.System{Name: "paragraph ends", Note: "the first and the last passage of each paragraph before the rest: first and last sentences, where passages are sentences"},
		eval.System{Name: "TF-IDF", Note: "what is most like the mean of its document first, by TF-IDF and cosine"},
		eval.System{Name: "BM25", Note: "the document as the query"},
		eval.System{Name: "random", Note: "the mean over all orders, computed exactly"},
	)
	given, err := v.given(ctx)
	if err != nil {
		return nil, err
	}
	samples := &sampling{all: v.InSample, judged: map[string]int{}}
	newEvaluation := func() *eval.Evaluation {
		return eval.New(systems, eval.Options{Confidence: v.Confidence, Resamples: v.Resamples, Seed: v.Seed})
	}
	e, byGroup := newEvaluation(), map[string]*eval.Evaluation{}
	// Some documents are measured beside one another, while the next ones are read.
	var waiting []judged
	added := func() error { return nil } // waits for those that are measured
	flush := func() error {
		if err := added(); err != nil {
			return err
		}
		added = measure(e, waiting, func(d judged, m eval.Measured) {
			e.AddMeasured(m)
			if groupOf == nil {
				return
			}
			name := groupOf(d)
			if byGroup[name] == nil {
				byGroup[name] = newEvaluation()
			}
			byGroup[name].AddMeasured(m)
		})
		waiting = nil
		return nil
	}
	defer func() { added() }()
	for d, err := range documentsOf(ctx, dir, v.Counts) {
		if err != nil {
			return nil, err
		}
		n := len(d.counts)
		if given != nil {
			d.counts = given.counts(d)
		}
		d.systems = [][]float64{d.scores}
		if others != nil {
			other, found, err := others.One(d.id)
			if err == nil && (!found || !samePassages(d, other)) {
				err = fmt.Errorf("%s does not have the same documents and passages as %s: cannot compare them (first at %s)", against, dir, d.id)
			}
			if err != nil {
				return nil, err
			}
			d.systems = append(d.systems, other.scores)
			if other.sample == inSample || d.sample == outOfSample {
				d.sample = other.sample
			}
		}
		ends := make([]bool, n)
		ends[0], ends[n-1] = true, true
		d.systems = append(d.systems, d.lengths, eval.Position(n), eval.Only(ends), eval.Only(d.ends), nil, nil, eval.Constant(n))
		if !samples.take(d) {
			continue
		}
		if waiting = append(waiting, d); len(waiting) >= runtime.GOMAXPROCS(0) {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	if err := added(); err != nil {
		return nil, err
	}
	if samples.leftOut > 0 && len(samples.judged) == 0 { // all that is quoted taught the model: then its row says so
		v.InSample = true
		return v.rankings(ctx, groupOf)
	}
	groups := eval.Groups{{Name: "all", Result: v.only(e.Result())}}
	groups[0].Result.InSample = samples.leftOut
	groups[0].Result.Remarks = append(given.remarks(), samples.remarks()...)
	for _, name := range slices.Sorted(maps.Keys(byGroup)) {
		r := v.only(byGroup[name].Result())
		r.References = nil // they are not of the genre
		groups = append(groups, eval.Group{Name: name, Result: r})
	}
	for i := range groups {
		for k := range groups[i].Result.Rows[:judgedModels] {
			groups[i].Result.Rows[k].InSample = samples.mark()
		}
	}
	return groups, nil
}

// measure begins to judge documents. What it gives waits for them and adds them in order,
// once.
func measure(e *eval.Evaluation, documents []judged, add func(judged, eval.Measured)) (wait func() error) {
	measured := make([]eval.Measured, len(documents))
	var each errgroup.Group
	for i := range documents {
		each.Go(func() (err error) {
			d := &documents[i]
			d.readWords()
			measured[i], err = e.Measure(eval.Document{ID: d.id, Counts: d.counts, Scores: d.systems})
			return err
		})
	}
	return sync.OnceValue(func() error {
		if err := each.Wait(); err != nil {
			return err
		}
		for i, m := range measured {
			add(documents[i], m)
		}
		return nil
	})
}

// only leaves out the metrics that were not asked for.
func (v Evaluation) only(r eval.Result) eval.Result {
	if len(v.Metrics) == 0 {
		return r
	}
	return r.Only(v.Metrics)
}
