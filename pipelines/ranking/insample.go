package ranking

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"

	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/label/group"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/table"
)

// What scores.in_sample says of a document.
const (
	inSample      = "yes"     // it, or another edition of it, taught the model
	outOfSample   = "no"      // it did not
	unknownSample = "unknown" // the model does not say what taught it
)

// taught knows the documents that taught a model.
type taught struct {
	known    bool
	ids      map[string]bool
	texts    map[string]bool // hashes of their words
	sketches []group.Sketch
}

func taughtBy(m *infer.Model) *taught {
	list, known := m.Training()
	t := &taught{known: known, ids: map[string]bool{}, texts: map[string]bool{}}
	for _, d := range list {
		t.ids[d.DocID] = true
		t.texts[d.SHA256] = true
		t.sketches = append(t.sketches, group.ParseSketch(d.Sketch))
	}
	return t
}

// of says whether a text taught the model: the same words, or most of the runs of words
// of the shorter of two texts. A text that taught is known even where others are not.
func (t *taught) of(text string) string {
	if len(t.sketches) > 0 {
		if t.texts[wordsSHA256(text)] {
			return inSample
		}
		sketch := group.SketchOf(text)
		for _, other := range t.sketches {
			if sketch.SameText(other) {
				return inSample
			}
		}
	}
	if !t.known {
		return unknownSample
	}
	return outOfSample
}

// wordsSHA256 is the hash of a text's words, whatever their case and punctuation.
func wordsSHA256(text string) string {
	sum := sha256.Sum256([]byte(label.Normalise(text)))
	return hex.EncodeToString(sum[:])
}

// TrainedOn are the documents of a run as a model folder lists those that taught it.
func TrainedOn(ctx context.Context, dir string) iter.Seq2[infer.TrainedOn, error] {
	return func(yield func(infer.TrainedOn, error) bool) {
		documents, err := committed(ctx, dir, table.Documents.Name)
		if err != nil {
			yield(infer.TrainedOn{}, err)
			return
		}
		for _, path := range documents.ShardPaths(dir) {
			for d, err := range table.Documents.Rows(ctx, path, "doc_id", "text") {
				if err != nil {
					yield(infer.TrainedOn{}, err)
					return
				}
				if !yield(trainedOn(d.ID, d.Text), nil) {
					return
				}
			}
		}
	}
}

// samplesOf are what the scores of a run say of each document.
func samplesOf(ctx context.Context, dir string) (map[string]string, error) {
	scores, err := committed(ctx, dir, table.Scores.Name)
	if err != nil {
		return nil, err
	}
	samples := map[string]string{}
	for _, path := range scores.ShardPaths(dir) {
		for s, err := range table.Scores.Rows(ctx, path, "doc_id", "in_sample") {
			if err != nil {
				return nil, err
			}
			samples[s.DocID] = cmp.Or(s.InSample, unknownSample) // tables of version 0.1.0 lack the column
		}
	}
	return samples, nil
}

// sampling decides which documents are judged, so that no figure of documents that taught
// the model stands unmarked.
type sampling struct {
	all     bool // in sample or not
	judged  map[string]int
	leftOut int
}

// take says whether a document is judged.
func (s *sampling) take(d judged) bool {
	if !slices.ContainsFunc(d.counts, func(n float64) bool { return n > 0 }) {
		return true // and left out of all figures for that
	}
	if d.sample == inSample && !s.all {
		s.leftOut++
		return false
	}
	s.judged[d.sample]++
	return true
}

// mark says of a model's row what its documents were to the model; empty: new to it.
func (s *sampling) mark() string {
	known, unknown := s.judged[inSample], s.judged[unknownSample]
	switch {
	case known == 0 && unknown == 0:
		return ""
	case known > 0 && s.judged[outOfSample]+unknown > 0:
		return "partly in sample"
	case known > 0:
		return "in sample"
	}
	return "not known to be held out"
}

func (s *sampling) remarks() []string {
	var said []string
	if s.leftOut > 0 {
		said = append(said, fmt.Sprintf("%d documents with a quoted passage taught the model and are left out; --in-sample judges them too.", s.leftOut))
	}
	if n := s.judged[inSample]; n > 0 {
		said = append(said, fmt.Sprintf("In sample: %d of the documents taught the model. Its figures say how well it remembers, not how good it is.", n))
	}
	if n := s.judged[unknownSample]; n > 0 {
		said = append(said, fmt.Sprintf("Not known to be held out: the model's folder does not say what taught it (%d documents; docs/model-format.md, training).", n))
	}
	return said
}

// ContextsTrainedOn are the contexts of a run's datasets of one split, as the folder of a
// model that was trained on them lists them. It reads the tables that the config names.
func ContextsTrainedOn(ctx context.Context, c *config.Config, split string) ([]infer.TrainedOn, error) {
	var all []infer.TrainedOn
	for _, of := range retrievalsOf(c) {
		some, err := contextsTrainedOn(ctx, c, of.dataset, split)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func contextsTrainedOn(ctx context.Context, c *config.Config, dataset, split string) ([]infer.TrainedOn, error) {
	of := retrievals[slices.IndexFunc(retrievals, func(r retrieval) bool { return r.dataset == dataset })]
	commits := map[string]table.Commit{}
	for _, name := range of.shardTables(c.Recommend.Context) {
		var err error
		if commits[name], err = committed(ctx, c.Out, name); err != nil {
			return nil, err
		}
	}
	paths := func(name string) []string { return commits[name].ShardPaths(c.Out) }
	var list []infer.TrainedOn
	for k := range paths(of.shard[0]) {
		in := poolInput{func(name string) string { return paths(name)[k] }, paths, c.Recommend.Context, ""}
		err := of.pools(ctx, in, func(p pool) error {
			for _, a := range p.contexts {
				if a.split == split {
					list = append(list, trainedOn(a.id, a.text()))
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

func trainedOn(id, text string) infer.TrainedOn {
	return infer.TrainedOn{DocID: id, SHA256: wordsSHA256(text), Sketch: group.SketchOf(text).Bytes()}
}
