package ingest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/archive"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/crawl/news"
	"github.com/commonplace/commonplace/crawl/warc"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
)

// warcSource reads what another crawler, or an earlier crawl of ours, kept: the
// texts and pages that servers gave whole (status 200). A document's id is its
// address. Nothing is fetched.
type warcSource struct{}

func (w warcSource) list(ctx context.Context, s config.Source, take func(item)) ([]string, error) {
	l, err := files.ListWARC(ctx, s.Files)
	if err != nil {
		return nil, fmt.Errorf("files: %w", err)
	}
	over := map[string]int{}
	for _, f := range l.Files {
		if err := w.listFile(ctx, f, s, take, over); err != nil {
			return nil, fmt.Errorf("files: %s: %w", f.Path, err)
		}
	}
	var notes []string
	for _, what := range slices.Sorted(maps.Keys(over)) {
		notes = append(notes, fmt.Sprintf("passed over %d %s", over[what], what))
	}
	return append(notes, l.Notes()...), nil
}

func (warcSource) listFile(ctx context.Context, f files.File, s config.Source, take func(item), over map[string]int) error {
	in, _, err := bounded.OpenFile(f.Path)
	if err != nil {
		return err
	}
	defer in.Close()
	dir, name := filepath.Split(f.Path)
	refused := engine.NewRejectLimit(s.Limits)
	defer restOf(refused, f.Rel, take)
	refuse := func(r commonplace.Reject, rel string) {
		if refused.Add(r.Reason) {
			take(refusedItem(r, rel))
		}
	}
	for record, broken := range warc.Scan(ctx, in, 0, s.MaxBytes+bounded.Free, s.Limits) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if broken != nil {
			refuse(commonplace.Reject{Reason: broken.Reason, Detail: broken.Detail}, fmt.Sprintf("%s, byte %d", f.Rel, broken.Offset))
			continue
		}
		e, of := archive.Describe(record, name, s.MaxBytes)
		id := e.URL.String()
		if !e.URL.Valid() {
			id = crawl.WithoutUser(record.URL)
		}
		rel := fmt.Sprintf("%s, byte %d", f.Rel, e.Offset)
		switch {
		case record.Type == warc.Response && of && e.Kind == archive.Failed:
			refuse(commonplace.Reject{ID: id, Reason: e.Reason, Detail: e.Detail}, rel)
		case record.Type != warc.Response || !of:
		case !e.OK():
			over["answers without status 200"]++
		case e.Class == archive.BodyOther:
			over["answers that are no text"]++
		case e.Class == archive.BodyEmpty || e.Class == archive.BodyInterstitial:
			refuse(commonplace.Reject{ID: id, Reason: map[string]string{archive.BodyEmpty: archive.ReasonEmpty, archive.BodyInterstitial: archive.ReasonInterstitial}[e.Class], Detail: "the answer that the file keeps"}, rel)
		case record.At.End == record.At.Offset:
			refuse(commonplace.Reject{ID: id, Reason: warc.ReasonBroken, Detail: "several records stand in one gzip member, so that none can be found again; unpack the file"}, rel)
		default:
			p := pendingDocument{ID: id, Entries: []archive.Entry{e}, Folder: crawl.Path(dir)}
			take(newItem(id, item{Rel: rel, SHA256: e.SHA256 + " " + e.Fetched + " " + e.Type, At: storage.MustJSON(p)}))
		}
	}
	return nil
}

func (warcSource) open(s config.Source, _ []item) reader { return answerReader(warcAnswers{}, s) }

// warcAnswers makes documents of answers: of a text as of a file, of a page the
// article on it, or what is to be seen where there is none.
type warcAnswers struct{ remoteSource }

func (warcAnswers) decode(_ context.Context, s config.Source, p pendingDocument, bodies [][]byte) (commonplace.Document, error) {
	e := p.Entries[0]
	if e.Class == archive.BodyPage {
		doc, err := articleOf(p.ID, e, bodies[0])
		if err == nil {
			return doc, nil
		}
		if !errors.Is(err, news.ErrNoArticle) && !errors.Is(err, news.ErrTooLong) {
			return commonplace.Document{}, refusal(p.ID, "broken page", err.Error())
		}
	}
	return files.Decode(files.File{ID: p.ID, Rel: e.URL.String()}, bodies[0], optionsOf(s))
}
