package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/archive"
	"github.com/commonplace/commonplace/crawl/fetch"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/crawl/news"
	"github.com/commonplace/commonplace/crawl/quotus"
	"github.com/commonplace/commonplace/crawl/records"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
)

// articlesRemote fetches news articles whose addresses stand in lists, and takes
// the articles out of their pages.
type articlesRemote struct{}

// statusArticle is the frame status of texts that were taken out of pages.
const statusArticle = "article"

// newsItem is what a list says of an article.
type newsItem struct {
	ID    string `json:"id"`
	URL   string `json:"url"`
	Title string `json:"title"`
	Date  string `json:"date"` // in any form that begins with the year
}

func (articlesRemote) plan(ctx context.Context, _ *archive.Archive, s config.Source) (planned, error) {
	var p planned
	seen := map[string]bool{}
	l, err := files.ListAll(ctx, s.Files)
	if err != nil {
		return p, fmt.Errorf("files: %w", err)
	}
	for _, f := range l.Files {
		refused, budget := engine.NewRejectLimit(s.Limits), bounded.Budget{Most: s.Limits.WithDefaults().Memory}
		var over error
		err := readPacked(ctx, f.Path, s.Limits, func(r io.Reader) error {
			return readNewsList(ctx, r, f, s.Limits, refused, &p, func(n newsItem, at string) {
				if !seen[n.ID] && over == nil {
					over = budget.Hold(int64(8*len(n.ID)+8*len(n.URL)+2*len(n.Title)) + 2*ItemBytes)
				}
				address, err := crawl.ParseAddress(n.URL)
				switch {
				case over != nil:
				case err != nil && !refused.Add(fetch.ReasonAddress):
				case err != nil:
					if n.ID == n.URL {
						n.ID = crawl.WithoutUser(n.ID)
					}
					p.refused = append(p.refused, refusedItem(commonplace.Reject{ID: n.ID, Reason: fetch.ReasonAddress, Detail: err.Error()}, at))
				case !seen[n.ID]: // Quotus names an article with each of its quotes
					seen[n.ID] = true
					w := archive.Target{ID: n.ID, Addresses: []crawl.Address{address}, Form: archive.FormPage, MaxBytes: min(s.MaxBytes, news.MaxBytes)}
					if s.Fetch.Archive != "" {
						copied := strings.NewReplacer("{url}", address.String(), "{time}", digits(n.Date)).Replace(s.Fetch.Archive)
						if address, err = crawl.ParseAddress(copied); err == nil { // else it is too long with the archive's own before it
							w.Addresses = append(w.Addresses, address)
						}
					}
					p.documents = append(p.documents, pendingDocument{ID: n.ID, Targets: []archive.Target{w}, Meta: storage.MustJSON(n)})
				}
			})
		})
		restOf(refused, f.Rel, func(it item) { p.refused = append(p.refused, it) })
		if err = errors.Join(err, over); err != nil {
			return p, fmt.Errorf("files: %s: %w", f.Path, err)
		}
	}
	return p, nil
}

// digits are a date's as archives write it, at most to the second; 2, the year
// two thousand and something, stands for the nearest copy.
func digits(date string) string {
	var b strings.Builder
	for _, r := range date {
		if r >= '0' && r <= '9' && b.Len() < 14 {
			b.WriteRune(r)
		}
	}
	if d := b.String(); len(d) >= 8 && (strings.HasPrefix(d, "19") || strings.HasPrefix(d, "20")) {
		return d
	}
	return "2"
}

// readNewsList reads a list of articles in one of three forms.
func readNewsList(ctx context.Context, r io.Reader, f files.File, l bounded.Limits, refused *engine.RejectLimit, p *planned, take func(newsItem, string)) error {
	name := strings.TrimSuffix(strings.ToLower(f.Path), ".gz")
	if strings.HasSuffix(name, ".json") {
		for c, err := range quotus.ReadQuotes(ctx, r, f.Rel, l) {
			reject, err := commonplace.Refused(err)
			if err != nil {
				return err
			}
			if reject != nil && !refused.Add(reject.Reason) {
				continue
			}
			if reject != nil {
				p.refused = append(p.refused, refusedItem(*reject, reject.Location))
				continue
			}
			for _, q := range c.Quotes {
				for _, a := range q.Articles {
					take(newsItem{cmp.Or(a.AId, a.ID), a.URL, a.Title, a.Time}, f.Rel+", cluster "+c.ID)
				}
			}
		}
		return ctx.Err()
	}
	l.Line = 1 << 20
	in := records.NewLines(ctx, r, l)
	for {
		raw, err := in.Next()
		at := fmt.Sprintf("%s:%d", f.Rel, in.Number)
		refuse := func(reason, detail string) {
			if !refused.Add(reason) {
				return
			}
			p.refused = append(p.refused, refusedItem(commonplace.Reject{Reason: reason, Detail: detail}, at))
		}
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, records.ErrLong):
			refuse(files.ReasonLimit, "the line is too long")
			continue
		case err != nil:
			return err
		}
		line := strings.Clone(strings.TrimSpace(strings.TrimPrefix(string(raw), "\ufeff"))) // else it would keep the white space
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !utf8.ValidString(line):
			refuse(files.ReasonBrokenLine, "the line is not UTF-8")
		case strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".ndjson"):
			var n newsItem
			if err := json.Unmarshal([]byte(line), &n); err != nil {
				refuse(files.ReasonBrokenLine, fmt.Sprintf("no JSON object with id, url, title and date as texts: %v", err))
				continue
			}
			n.ID = cmp.Or(n.ID, n.URL)
			take(n, at)
		default:
			take(newsItem{ID: line, URL: line}, at)
		}
	}
}

func (articlesRemote) decode(_ context.Context, s config.Source, p pendingDocument, bodies [][]byte) (commonplace.Document, error) {
	var n newsItem
	if err := json.Unmarshal(p.Meta, &n); err != nil {
		return commonplace.Document{}, err
	}
	e := p.Entries[0]
	if e.Class == archive.BodyText {
		doc, err := files.Decode(files.File{ID: p.ID, Rel: e.URL.String()}, bodies[0], optionsOf(s))
		doc.Title, doc.Date = cmp.Or(doc.Title, n.Title), dayOf(n.Date)
		return doc, err
	}
	doc, err := articleOf(p.ID, e, bodies[0])
	if err != nil {
		reason := "no article"
		switch {
		case errors.Is(err, news.ErrTooLong):
			reason = files.ReasonLimit
		case errors.Is(err, news.ErrPage):
			reason = "broken page"
		}
		return doc, refusal(p.ID, reason, err.Error())
	}
	doc.Title, doc.Date = cmp.Or(n.Title, doc.Title), cmp.Or(doc.Date, dayOf(n.Date))
	return doc, nil
}

// articleOf makes a document of the article on a page.
func articleOf(id string, e archive.Entry, body []byte) (commonplace.Document, error) {
	a, err := news.Extract(body, e.Type, e.URL.String())
	if err != nil {
		return commonplace.Document{}, err
	}
	doc := commonplace.Document{
		ID: id, Title: a.Title, Author: a.Author, Date: a.Date, Language: a.Language, URL: e.URL.String(), Text: a.Text,
		FrameStatus: statusArticle, Encoding: a.Encoding, EncodingReason: a.EncodingReason, SHA256: e.SHA256,
	}
	doc.Characters = int64(utf8.RuneCountInString(doc.Text))
	doc.FrameEnd = doc.Characters
	doc.RemovedFraction = float64(a.Around) / float64(int64(a.Around)+doc.Characters)
	return doc, nil
}

// dayOf is the day of a list's date, empty when it is not certain.
func dayOf(date string) string {
	if d := digits(date); len(d) >= 8 {
		return d[:4] + "-" + d[4:6] + "-" + d[6:8]
	}
	return ""
}
