package quotes

import (
	"context"
	"fmt"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/pairs"
	"github.com/commonplace/commonplace/align/paraphrase"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/table"
)

// Paraphrases compares the sentences of derived documents with those of the sources, by
// their vectors. What the matches have already is left out.
type Paraphrases struct{}

func (Paraphrases) Identity() engine.Identity {
	return engine.Identity{
		Name: "paraphrase_matches", Table: "paraphrase_matches", Revision: 3, Group: "paraphrases",
		Keys:  map[string]string{"": "paraphrases", "pairs": "align.pairs"},
		Short: "find sentences that say the same in other words",
		Unit:  "sentences",
	}
}

func (Paraphrases) Enabled(c *config.Config) bool { return anyQuoting(c) && c.Paraphrases.Asked() }

// paraphraseSettings are the settings that decide this stage's rows.
type paraphraseSettings struct {
	MinScore    float64     `json:"min_score"`
	PerSentence int         `json:"per_sentence"`
	Pairs       pairs.Rules `json:"pairs,omitzero"`
}

func (Paraphrases) Settings(c *config.Config) any {
	return paraphraseSettings{c.Paraphrases.MinScore, c.Paraphrases.PerSentence, c.Align.Pairs}
}

// Plan makes a task read all vectors; its own are those of its derived documents.
func (Paraphrases) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.And(engine.SameShard("matches"), engine.Whole("sentence_vectors", "documents"))}, nil
}

// sentencesInMemory are the derived sentences that are compared in one pass over all
// sources: 8 MB of vectors of 384 numbers.
const sentencesInMemory = 20_000

func (Paraphrases) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s paraphraseSettings
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.ParaphraseMatches, func(o *engine.Output[commonplace.ParaphraseMatch]) error {
		documents, err := describedWhole(ctx, t, s.Pairs)
		if err != nil {
			return err
		}
		exact, err := exactOf(ctx, t)
		if err != nil {
			return err
		}
		f := paraphraser{ctx: ctx, task: t, settings: s, documents: documents, exact: exact}
		for r, err := range table.SentenceVectors.Rows(ctx, t.Paths("sentence_vectors")[t.Shard]) {
			if err != nil {
				return err
			}
			if r.Role != "derived" && r.Role != "both" {
				continue
			}
			o.In++
			o.Taken++
			v, err := paraphrase.Parse(r.Vector)
			if err != nil {
				return fmt.Errorf("sentence_vectors: %s [%d:%d]: %w", r.DocID, r.Begin, r.End, err)
			}
			f.sentences, f.vectors = append(f.sentences, r), append(f.vectors, v)
			if len(f.sentences) == sentencesInMemory {
				if err := f.flush(o); err != nil {
					return err
				}
			}
		}
		return f.flush(o)
	})
}

// paraphraser compares a block of derived sentences with all sources, document by document.
type paraphraser struct {
	ctx       context.Context
	task      engine.Task
	settings  paraphraseSettings
	documents map[string]*commonplace.Document
	exact     map[string][]commonplace.Alignment // by derived document

	sentences []commonplace.SentenceVector
	vectors   []paraphrase.Vector
}

// flush writes the matches of the block, in the order of its sentences.
func (f *paraphraser) flush(o *engine.Output[commonplace.ParaphraseMatch]) error {
	if len(f.sentences) == 0 {
		return nil
	}
	found := make([]paraphrase.Best, len(f.sentences))
	for i := range found {
		found[i].Most = f.settings.PerSentence
	}
	err := f.eachSource(func(source []commonplace.SentenceVector, vectors []paraphrase.Vector) error {
		of := f.documents[source[0].DocID]
		for i, v := range f.vectors {
			derived := f.sentences[i]
			if i%1000 == 0 && f.ctx.Err() != nil {
				return f.ctx.Err()
			}
			if derived.DocID == of.ID || !f.settings.Pairs.Allow(of, f.documents[derived.DocID]) {
				continue
			}
			m, ok := paraphrase.Closest(v, vectors)
			if !ok || m.Score() < f.settings.MinScore {
				continue
			}
			at := source[m.At]
			row := commonplace.ParaphraseMatch{
				DerivedID: derived.DocID, DerivedBegin: derived.Begin, DerivedEnd: derived.End, DerivedText: derived.Text,
				SourceID: at.DocID, SourceBegin: at.Begin, SourceEnd: at.End, SourceText: at.Text,
				Similarity: m.Similarity, Margin: m.Margin, Score: m.Score(),
				SourceIs: pairs.SourceIs(of, f.documents[derived.DocID]),
			}
			if !f.known(row) {
				found[i].Add(row)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range found {
		for _, row := range found[i].Rows() {
			if err := o.Put(row); err != nil {
				return err
			}
		}
	}
	f.sentences, f.vectors = f.sentences[:0], f.vectors[:0]
	return nil
}

// eachSource walks the sources with all sentences of one at a time.
func (f *paraphraser) eachSource(do func([]commonplace.SentenceVector, []paraphrase.Vector) error) error {
	for _, path := range f.task.Paths("sentence_vectors") {
		var sentences []commonplace.SentenceVector
		var vectors []paraphrase.Vector
		flush := func() error {
			if len(sentences) == 0 {
				return nil
			}
			err := do(sentences, vectors)
			sentences, vectors = sentences[:0], vectors[:0]
			return err
		}
		for r, err := range table.SentenceVectors.Rows(f.ctx, path) {
			if err != nil {
				return err
			}
			if r.Role == "derived" {
				continue
			}
			if len(sentences) > 0 && sentences[0].DocID != r.DocID {
				if err := flush(); err != nil {
					return err
				}
			}
			v, err := paraphrase.Parse(r.Vector)
			if err != nil {
				return fmt.Errorf("sentence_vectors: %s [%d:%d]: %w", r.DocID, r.Begin, r.End, err)
			}
			sentences, vectors = append(sentences, r), append(vectors, v)
		}
		if err := flush(); err != nil {
			return err
		}
	}
	return nil
}

// known says that the matches have words of both sentences already.
func (f *paraphraser) known(row commonplace.ParaphraseMatch) bool {
	return slices.ContainsFunc(f.exact[row.DerivedID], func(a commonplace.Alignment) bool {
		return a.SourceID == row.SourceID && a.DerivedBegin < row.DerivedEnd && row.DerivedBegin < a.DerivedEnd &&
			a.SourceBegin < row.SourceEnd && row.SourceBegin < a.SourceEnd
	})
}

// exactOf are the spans of the task's matches, by derived document.
func exactOf(ctx context.Context, t engine.Task) (map[string][]commonplace.Alignment, error) {
	exact := map[string][]commonplace.Alignment{}
	for a, err := range table.Matches.Rows(ctx, t.Path("matches"), "derived_id", "derived_begin", "derived_end", "source_id", "source_begin", "source_end") {
		if err != nil {
			return nil, err
		}
		exact[a.DerivedID] = append(exact[a.DerivedID], a)
	}
	return exact, nil
}

// describedWhole are all documents without their texts: what the rules on pairs look at.
func describedWhole(ctx context.Context, t engine.Task, rules pairs.Rules) (map[string]*commonplace.Document, error) {
	documents := map[string]*commonplace.Document{}
	for _, path := range t.Paths("documents") {
		for doc, err := range table.Documents.Rows(ctx, path, describing...) {
			if err != nil {
				return nil, err
			}
			documents[doc.ID] = &commonplace.Document{ID: doc.ID, Date: doc.Date, Metadata: doc.FieldsNamed(rules.Differ)}
		}
	}
	return documents, nil
}
