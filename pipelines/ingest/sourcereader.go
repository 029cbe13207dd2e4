package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
)

// sourceReader is what is peculiar to one kind of source: how its documents are named
// before the stage runs, and how a task reads one. Everything else, shards,
// duplicates, rejects and fingerprints, is the same for all kinds.
type sourceReader interface {
	// list names every document of a source, in any order that is always the same,
	// and what is refused without being read. The notes are for the user. An error
	// is one of the configuration.
	list(ctx context.Context, s config.Source, take func(item)) (notes []string, err error)
	// open begins to read a task's items of one source.
	open(s config.Source, items []item) reader
}

// reader reads the items of a task. What it refuses is a [commonplace.RejectError];
// any other error ends the task.
type reader interface {
	read(ctx context.Context, it item) (commonplace.Document, error)
	close() error
}

// item is one document to be, as a task carries it: names and places, never text.
type item struct {
	Source    string           `json:"source"`            // name in the settings
	ID        crawl.DocumentID `json:"id"`                // documents.doc_id, whose hash gives the shard; zero for a line without one
	Rel       string           `json:"rel"`               // place in the source, for rejects and duplicates
	SHA256    string           `json:"sha256"`            // of all that decides the row
	At        json.RawMessage  `json:"at,omitempty"`      // where the source reader finds it
	Duplicate string           `json:"twin,omitempty"`    // where the document is that has this id already
	Said      files.Metadata   `json:"said,omitempty"`    // of the document, by a file beside it
	Fetched   bool             `json:"fetched,omitempty"` // it is in the archive

	Reject *commonplace.Reject `json:"reject,omitempty"` // it was refused when it was listed
	Untold int64               `json:"untold,omitempty"` // and so many more, which the reject counts

	File    int                            `json:"-"` // number of the source's file that it is of, where one file gives many
	Changed bool                           `json:"-"` // no item: the file changed while it was listed
	Whole   string                         `json:"-"` // the source's file that was refused as a whole
	SaidOf  func(id string) files.Metadata `json:"-"` // of its documents
	Breaks  bool                           `json:"-"` // the file breaks off here: what it gave before does not count
}

// decides is what decides an item's row. Where this machine has it does not.
func (it item) decides() string {
	return fmt.Sprintf("%q %q %q %q %q %q\n", it.Source, it.ID.String(), it.Rel, it.SHA256, it.Duplicate, it.Said)
}

// sum is the SHA-256 of the item's file when it was listed, empty where it could
// not be read or the item is made from something else.
func (it item) sum() string {
	if len(it.SHA256) < sha256.Size*2 {
		return ""
	}
	sum := it.SHA256[:sha256.Size*2]
	if _, err := hex.DecodeString(sum); err != nil {
		return ""
	}
	return sum
}

// changed refuses what is not what it was listed as. The task's record then bears
// another fingerprint than the task, and the next run reads again.
func changed(id string) error {
	return refusal(id, files.ReasonChanged, "it has changed since it was listed; run again")
}

// refusal is the error of a document that is refused.
func refusal(id, reason, detail string) error {
	return &commonplace.RejectError{Reject: commonplace.Reject{ID: id, Reason: reason, Detail: detail}}
}

// newItem gives an item the id that its source has for it. An item whose id is unfit is
// refused. One without an id stays without: reading refuses it.
func newItem(id string, it item) item {
	if id == "" {
		return it
	}
	var err error
	if it.ID, err = crawl.ParseDocumentID(id); err != nil {
		return refusedItem(commonplace.Reject{ID: crawl.Printable(id), Reason: files.ReasonBadID, Detail: err.Error()}, it.Rel)
	}
	return it
}

// refusedItem is an item that was refused when it was listed. What the reject calls it
// need not be an id.
func refusedItem(r commonplace.Reject, rel string) item {
	id, _ := crawl.ParseDocumentID(r.ID)
	return item{ID: id, Rel: rel, Reject: &r, SHA256: r.Reason + ": " + r.Detail}
}

// readFunc is a reader that keeps nothing open.
type readFunc func(ctx context.Context, it item) (commonplace.Document, error)

func (f readFunc) read(ctx context.Context, it item) (commonplace.Document, error) {
	return f(ctx, it)
}

func (f readFunc) close() error { return nil }

// restOf are the rows for the rejects beyond the limit, as what was refused in listing.
func restOf(r *engine.RejectLimit, rel string, take func(item)) {
	r.Rest(func(reject commonplace.Reject, count int64) {
		it := refusedItem(reject, rel)
		it.Untold = count - 1
		take(it)
	})
}

// ItemBytes is about what a document that is listed costs beside its names.
const ItemBytes = 512
