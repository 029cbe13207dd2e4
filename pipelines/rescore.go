package pipelines

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"iter"
	"path"
	"strconv"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// A shard holds several documents, and when one of them is new the others' scores
// are those of yesterday: a model gives the same for the same passages, and a
// model's work is the dearest of all. So beside each shard of scores, in the run's
// folder index, stands what it was made of, document by document.

// scoredDocument is such a line: hashes of a document's passages and of the
// scores that the model gave them.
type scoredDocument struct {
	DocID    string `json:"doc_id"`
	Passages string `json:"passages"`
	Scores   string `json:"scores"`
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
// than all the rest.
func hashOfPassages(rows []commonplace.Passage) (string, error) {
	h := newRowHash()
	for _, p := range rows {
		io.WriteString(h.sum, p.Text)
		p.Text = strconv.Itoa(len(p.Text))
		if err := h.add(&p); err != nil {
			return "", err
		}
	}
	return h.hex(), nil
}

// scoredPath is where it stands for a task; model says all that decides scores.
func scoredPath(t Task, model string) string {
	return indexPath(t.Out, "scored", scoreRevision, t.Shard, t.Of, model)
}

// scoredBefore hands out yesterday's scores, document by document in the order of
// ids. What is not there, is of another model or is damaged has none.
type scoredBefore struct {
	lines []scoredDocument
	next  func() (commonplace.Score, error, bool)
	stop  func()
	row   commonplace.Score
	more  bool
}

func openScored(t Task, path string) *scoredBefore {
	b := &scoredBefore{stop: func() {}}
	var err error
	if b.lines, err = readLines[scoredDocument](path); err != nil || len(b.lines) == 0 {
		return &scoredBefore{stop: func() {}}
	}
	b.next, b.stop = iter.Pull2(table.Scores.Rows(table.Join(t.folder("scores"), table.ShardName(t.Shard, t.Of))))
	b.advance()
	return b
}

func (b *scoredBefore) advance() {
	var err error
	b.row, err, b.more = b.next()
	b.more = b.more && err == nil
}

// of gives the scores of a document whose passages have a hash, or nothing.
func (b *scoredBefore) of(docID, passages string) []commonplace.Score {
	for len(b.lines) > 0 && b.lines[0].DocID < docID {
		b.lines = b.lines[1:]
	}
	if len(b.lines) == 0 || b.lines[0].DocID != docID || b.lines[0].Passages != passages {
		return nil
	}
	for b.more && b.row.DocID < docID {
		b.advance()
	}
	var rows []commonplace.Score
	for b.more && b.row.DocID == docID {
		rows = append(rows, b.row)
		b.advance()
	}
	if sum, err := hashOfScores(rows); err != nil || sum != b.lines[0].Scores {
		return nil
	}
	return rows
}

// sweepScored keeps what is of the last model.
func sweepScored(c *Config, t Task) error {
	model, err := scoreContents(c)
	if err != nil {
		return err
	}
	keep := map[string]bool{}
	for k := range t.Of {
		keep[path.Base(scoredPath(Task{Out: t.Out, Shard: k, Of: t.Of}, model))] = true
	}
	return keepIndex(table.Join(t.Out, indexFolder), keep, "scored")
}
