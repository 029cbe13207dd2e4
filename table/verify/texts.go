package verify

import (
	"errors"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// texts gives documents' texts to rows that are sorted by document. It reads each
// shard of documents once and has one document of it in memory.
type texts struct {
	v       *verifier
	commit  table.Commit
	known   bool
	readers map[int]*textReader
}

type textReader struct {
	rows    *table.Reader[commonplace.Document]
	doc     commonplace.Document
	offsets *commonplace.Offsets
	more    bool
	err     error
}

func newTexts(v *verifier) *texts {
	c, ok := v.commits[table.Documents.Name]
	return &texts{v: v, commit: c, known: ok, readers: map[int]*textReader{}}
}

var (
	errNoDocument  = errors.New("its document is not in the table documents")
	errNoDocuments = errors.New("there is no table documents to compare it with")
)

// of is the text of a document; nil without an error where its shard is damaged,
// which was reported for the shard. Ids must come in order.
func (t *texts) of(docID string) (*commonplace.Offsets, error) {
	if !t.known {
		return nil, errNoDocuments
	}
	if len(t.commit.Shards) == 0 {
		return nil, errNoDocument
	}
	k := table.ShardOf(docID, len(t.commit.Shards))
	r := t.readers[k]
	if r == nil {
		r = &textReader{more: true}
		t.readers[k] = r
		path := t.commit.ShardPaths(t.v.run)[k]
		if t.v.bad[path] {
			r.err = storage.ErrDamaged
		} else {
			r.rows, r.err = table.Documents.On(t.v.files).Open(t.v.ctx, path, "doc_id", "text")
			r.advance()
		}
	}
	for r.err == nil && r.more && r.doc.ID < docID {
		r.advance()
	}
	switch {
	case r.err != nil:
		return nil, nil
	case !r.more || r.doc.ID != docID:
		return nil, errNoDocument
	}
	if r.offsets == nil {
		r.offsets = commonplace.NewOffsets(r.doc.Text)
	}
	return r.offsets, nil
}

func (r *textReader) advance() {
	if r.err == nil {
		r.offsets = nil
		r.more, r.err = r.rows.Next(&r.doc)
	}
}

func (t *texts) close() {
	for _, r := range t.readers {
		if r.rows != nil {
			r.rows.Close()
		}
	}
}
