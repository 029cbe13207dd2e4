package ranking

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"path"
	"strconv"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// A shard holds several documents, and when one of them is new the others' scores
// are those of yesterday: a model gives the same for the same passages, and a
// model's work is the dearest of all. So beside each shard of scores, in the run's
// cache, is what it was made of, document by document.

// scoredDocument is such a line: hashes of a document's passages, of the model as
// the worker ran it, and of the scores that it gave them.
type scoredDocument struct {
	DocID    string `json:"doc_id"`
	Passages string `json:"passages"`
	Model    string `json:"model"`
	Scores   string `json:"scores"`
	sampled
}

// sampled says whether a text taught a model.
type sampled struct {
	Text   string `json:"text"`   // its hash
	Taught string `json:"taught"` // the hash of what taught the model
	Sample string `json:"sample"` // the answer, as in scores.in_sample
}

// rowHash hashes rows one after the other.
type rowHash struct {
	sum hash.Hash
	to  *json.Encoder
}

func newRowHash() rowHash {
	sum := sha256.New()
	return rowHash{sum, json.NewEncoder(sum)}
}

func (h rowHash) add(row any) error { return h.to.Encode(row) }
func (h rowHash) hex() string       { return hex.EncodeToString(h.sum.Sum(nil)) }

func hashOfScores(rows []commonplace.Score) (string, error) {
	h := newRowHash()
	for i := range rows {
		if err := h.add(&rows[i]); err != nil {
			return "", err
		}
	}
	return h.hex(), nil
}

// hashOfPassages takes texts as they are: to write them as JSON would cost more
// than all the rest. text is that of the document where scores depend on it, too.
func hashOfPassages(rows []commonplace.Passage, text string) (string, error) {
	h := newRowHash()
	io.WriteString(h.sum, text)
	for _, p := range rows {
		io.WriteString(h.sum, p.Text)
		p.Text = strconv.Itoa(len(p.Text))
		if err := h.add(&p); err != nil {
			return "", err
		}
	}
	return h.hex(), nil
}

// scoredPath is where it stands for a task. Its name does not have the model: that
// is the worker's affair, and another model's scores replace these.
func scoredPath(t engine.Task) string {
	return cache.Path(t.Out, "scored", scoreRevision, t.Shard, t.Of)
}

// scoredBefore hands out yesterday's scores, document by document in the order of
// ids. What is not there, is of another model or is damaged has none.
type scoredBefore struct {
	lines []scoredDocument
	rows  *join.Reader[commonplace.Score] // nil: there are none
}

func openScored(ctx context.Context, t engine.Task) (*scoredBefore, error) {
	b := &scoredBefore{}
	var err error
	b.lines, err = cache.ReadLines[scoredDocument](ctx, scoredPath(t))
	if errors.Is(err, storage.ErrRefused) {
		return nil, err // for a moment: scoring all again costs more than to run again
	}
	if err != nil || len(b.lines) == 0 {
		return &scoredBefore{}, nil
	}
	path := storage.Join(t.Folder("scores"), table.ShardName(t.Shard, t.Of))
	b.rows = join.Open(ctx, table.Scores, path, func(s *commonplace.Score) string { return s.DocID })
	return b, nil
}

func (b *scoredBefore) stop() {
	if b.rows != nil {
		b.rows.Stop()
	}
}

// line is that of a document, if there is one.
func (b *scoredBefore) line(docID string) (scoredDocument, bool) {
	for len(b.lines) > 0 && b.lines[0].DocID < docID {
		b.lines = b.lines[1:]
	}
	if len(b.lines) == 0 || b.lines[0].DocID != docID {
		return scoredDocument{}, false
	}
	return b.lines[0], true
}

// sample says whether a document's text taught a model: as yesterday, if text and model are the same.
func (b *scoredBefore) sample(docID, text string, by *scorer) sampled {
	sum := sha256.Sum256([]byte(text))
	s := sampled{Text: hex.EncodeToString(sum[:]), Taught: by.taughtBy}
	if line, ok := b.line(docID); ok && line.Sample != "" && line.Text == s.Text && line.Taught == s.Taught {
		return line.sampled
	}
	s.Sample = by.taught.of(text)
	return s
}

// of gives the scores of a document whose passages have a hash, by a model, or nothing.
func (b *scoredBefore) of(docID, passages, model string) []commonplace.Score {
	line, ok := b.line(docID)
	if !ok || line.Passages != passages || line.Model != model {
		return nil
	}
	b.rows.SkipTo(docID)
	rows, err := b.rows.Of(docID)
	if err != nil { // of a damaged shard nothing is taken over
		return nil
	}
	if sum, err := hashOfScores(rows); err != nil || sum != line.Scores {
		return nil
	}
	return rows
}

// sweepScored keeps what is of this number of shards.
func sweepScored(ctx context.Context, _ *config.Config, t engine.Task) error {
	keep := map[string]bool{}
	for k := range t.Of {
		keep[path.Base(scoredPath(engine.Task{Out: t.Out, Shard: k, Of: t.Of}))] = true
	}
	return cache.Prune(ctx, cache.Dir(t.Out), keep, "scored")
}
