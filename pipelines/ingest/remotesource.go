package ingest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/archive"
	"github.com/commonplace/commonplace/crawl/fetch"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
)

// remoteSource is what is peculiar to one kind of source that is fetched: what is to
// be had, and how a document is made of it.
type remoteSource interface {
	// plan says what is to be fetched, as far as the archive shows it. Needs, such as a
	// catalogue, have to be had first.
	plan(ctx context.Context, a *archive.Archive, s config.Source) (planned, error)
	// decode makes a document of answers, one for each target.
	decode(ctx context.Context, s config.Source, p pendingDocument, bodies [][]byte) (commonplace.Document, error)
}

// planned is what is to be had of a source.
type planned struct {
	needs     []archive.Target
	waiting   bool // for a need, so that documents are missing
	documents []pendingDocument
	refused   []item // broken lines of a catalogue or a list
	notes     []string
}

// pendingDocument is one document to be, over the network.
type pendingDocument struct {
	ID      string           `json:"id"`
	Targets []archive.Target `json:"wants"`
	Meta    json.RawMessage  `json:"meta,omitempty"` // what else decides the row
	Entries []archive.Entry  `json:"entries,omitempty"`
	Folder  crawl.Path       `json:"folder,omitempty"` // of the archive
}

// archiveSource makes a remote source a source reader: what is listed are answers in the archive.
type archiveSource struct {
	remoteSource
	folder string
	run    string // which was told to forget documents
}

func (n archiveSource) list(ctx context.Context, s config.Source, take func(item)) ([]string, error) {
	a, err := archive.Load(n.folder, "")
	if err != nil {
		return nil, err
	}
	p, err := n.plan(ctx, a, s)
	if err != nil {
		return nil, err
	}
	forgotten, err := engine.ReadForgotten(ctx, n.run)
	if err != nil {
		return nil, err
	}
	for _, it := range p.refused {
		take(it)
	}
	if p.waiting {
		return append(p.notes, "what says which documents there are is not fetched yet"), nil
	}
	unasked := 0
	for _, d := range p.documents {
		it, asked := found(a, d)
		if !asked && !forgotten.Has(d.ID) {
			unasked++
		}
		take(it)
	}
	if unasked > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%d documents are not fetched yet", unasked))
	}
	return p.notes, nil
}

// found makes an item of the answers for a document, or a refusal of the first that is
// not to be had.
func found(a *archive.Archive, p pendingDocument) (it item, asked bool) {
	contents := string(p.Meta)
	for _, w := range p.Targets {
		o := a.Best(w)
		if !o.Found {
			return refusedItem(commonplace.Reject{ID: p.ID, Reason: o.Reason, Detail: o.Detail}, firstAddress(w)), o.Reason != archive.ReasonNotFetched
		}
		p.Entries = append(p.Entries, o.Entry)
		contents += fmt.Sprintf("\n%s %s %s %s", o.Entry.URL, o.Entry.SHA256, o.Entry.Fetched, o.Entry.Type)
	}
	p.Folder = crawl.Path(a.Folder())
	rel := p.Entries[0].URL.String()
	p.Targets = nil
	return newItem(p.ID, item{Rel: rel, SHA256: contents, At: storage.MustJSON(p), Fetched: true}), true
}

// firstAddress is where a target is looked for first.
func firstAddress(w archive.Target) string {
	if len(w.Addresses) == 0 {
		return w.ID
	}
	return w.Addresses[0].String()
}

func (n archiveSource) open(s config.Source, _ []item) reader { return answerReader(n.remoteSource, s) }

// answerReader reads answers from the archive.
func answerReader(n remoteSource, s config.Source) reader {
	return readFunc(func(ctx context.Context, it item) (commonplace.Document, error) {
		var p pendingDocument
		if err := json.Unmarshal(it.At, &p); err != nil {
			return commonplace.Document{}, err
		}
		bodies := make([][]byte, len(p.Entries))
		left := s.MaxBytes // for the answers that are still to be read
		for i, e := range p.Entries {
			m, err := archive.Answer(string(p.Folder), e, left)
			var over *fetch.Failure
			if i > 0 && errors.As(err, &over) && over.Reason == fetch.ReasonLimit {
				return commonplace.Document{}, refusal(p.ID, files.ReasonLimit, fmt.Sprintf("answer %d of %d: %s; max_bytes %d is for all together", i+1, len(p.Entries), over.Detail, s.MaxBytes))
			}
			left -= int64(len(m.Body))
			if err != nil {
				return commonplace.Document{}, refusal(p.ID, files.ReasonUnreadable, err.Error())
			}
			if sum := sha256.Sum256(m.Body); e.SHA256 != hex.EncodeToString(sum[:]) {
				return commonplace.Document{}, changed(p.ID)
			}
			bodies[i] = m.Body
		}
		doc, err := n.decode(ctx, s, p, bodies)
		doc.URL, doc.FetchedAt = cmp.Or(doc.URL, p.Entries[0].URL.String()), p.Entries[0].Fetched
		return doc, err
	})
}
