package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/archive"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/crawl/hathitrust"
	"github.com/commonplace/commonplace/crawl/records"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
)

// hathitrustRemote fetches volumes page by page from an endpoint with signed keys.
type hathitrustRemote struct{}

func (hathitrustRemote) plan(ctx context.Context, a *archive.Archive, s config.Source) (planned, error) {
	var p planned
	var scans []scan
	at := map[string]int{}
	budget := bounded.Budget{Most: s.Limits.WithDefaults().Memory}
	for _, name := range s.Files {
		err := readPacked(ctx, name, s.Limits, func(r io.Reader) error {
			l := s.Limits
			l.Line = 1 << 16
			in := records.NewLines(ctx, r, l)
			refused := engine.NewRejectLimit(l)
			defer restOf(refused, filepath.Base(name), func(it item) { p.refused = append(p.refused, it) })
			for {
				raw, err := in.Next()
				if err == io.EOF {
					return nil
				}
				place := fmt.Sprintf("%s:%d", filepath.Base(name), in.Number)
				id := strings.Clone(strings.TrimSpace(strings.TrimPrefix(string(raw), "\ufeff"))) // else it would keep the line
				_, twice := at[id]
				switch {
				case err != nil && err != records.ErrLong:
					return err
				case err != nil || strings.ToValidUTF8(id, "") != id || strings.ContainsAny(id, " \t\x00") || id != "" && !strings.Contains(id, "."):
					if !refused.Add(files.ReasonBadID) {
						continue
					}
					p.refused = append(p.refused, refusedItem(commonplace.Reject{ID: strings.ToValidUTF8(id[:min(len(id), 100)], "\uFFFD"), Reason: files.ReasonBadID, Detail: "no volume id, such as uc2.ark:/13960/t1"}, place))
				case id == "" || twice:
				default:
					if err := budget.Hold(int64(len(id)) + ItemBytes); err != nil {
						return err
					}
					at[id] = len(scans)
					scans = append(scans, scan{Volume: hathitrust.Volume{ID: id}})
				}
			}
		})
		if err != nil {
			return p, fmt.Errorf("files: %s: %w", name, err)
		}
	}
	skipped, err := readHathifiles(ctx, s, scans, at, func(it item) { p.refused = append(p.refused, it) })
	if err != nil {
		return p, err
	}
	matches, err := readMatches(ctx, s)
	if err != nil {
		return p, err
	}
	for _, v := range scans {
		switch why := refuses(s, v, matches); {
		case why == noRecord:
			p.refused = append(p.refused, refusedItem(commonplace.Reject{ID: v.Volume.ID, Reason: "no record", Detail: "no hathifile names the volume, so its language and title are unknown"}, v.Volume.ID))
		case why != "":
			skipped[why]++
		default:
			p.volume(a, s, v, &budget)
		}
	}
	p.notes = skipped.notes()
	return p, ctx.Err()
}

// targetBytes is about what one page's target takes in memory beside its volume's id.
const targetBytes = 256

// volume adds a volume: its description first, then its pages, as many as that says.
func (p *planned) volume(a *archive.Archive, s config.Source, v scan, budget *bounded.Budget) {
	id := v.Volume.ID
	meta := archive.Target{ID: id, Addresses: addresses(hathitrust.MetaAddress(s.Fetch.Endpoint, id)), Form: archive.FormAny, MaxBytes: 16 << 20, Signed: s.Name}
	p.needs = append(p.needs, meta)
	refuse := func(reason, detail string) {
		p.refused = append(p.refused, refusedItem(commonplace.Reject{ID: id, Reason: reason, Detail: detail}, hathitrust.MetaAddress(s.Fetch.Endpoint, id)))
	}
	o := a.Best(meta)
	switch {
	case o.Reason == archive.ReasonNotFetched:
		p.waiting = true
		return
	case !o.Found:
		refuse(o.Reason, o.Detail)
		return
	}
	m, err := a.Answer(o.Entry, 16<<20)
	if err != nil {
		refuse(files.ReasonUnreadable, err.Error())
		return
	}
	n, err := hathitrust.Pages(m.Body)
	if err != nil || n < 1 {
		refuse("no pages", fmt.Sprintf("%d pages: %v", n, err))
		return
	}
	if n > s.HathiTrust.MaxPages {
		refuse(files.ReasonLimit, fmt.Sprintf("%d pages, more than max_pages %d", n, s.HathiTrust.MaxPages))
		return
	}
	pages := int64(n) * (targetBytes + 4*int64(len(id)))
	if err := budget.Hold(pages); err != nil {
		budget.Let(pages)
		refuse(files.ReasonLimit, fmt.Sprintf("%d pages: %v", n, err))
		return
	}
	volume := pendingDocument{ID: id, Meta: storage.MustJSON(v.Record)}
	for i := 1; i <= n; i++ {
		volume.Targets = append(volume.Targets, archive.Target{ID: fmt.Sprintf("%s page %d", id, i), Addresses: addresses(hathitrust.PageAddress(s.Fetch.Endpoint, id, i)),
			Form: archive.FormText, MaxBytes: min(s.MaxBytes, 16<<20), Signed: s.Name, Blank: true})
	}
	p.documents = append(p.documents, volume)
}

func (hathitrustRemote) decode(_ context.Context, s config.Source, p pendingDocument, bodies [][]byte) (commonplace.Document, error) {
	var r hathitrust.Record
	if err := json.Unmarshal(p.Meta, &r); err != nil {
		return commonplace.Document{}, err
	}
	return hathitrust.FromPages(p.ID, bodies, r, hathitrust.Options{Source: s.Name, Heads: s.HathiTrust.Heads, Hyphens: s.HathiTrust.Hyphens, Limits: s.Limits})
}

// signHathiTrust signs the request for an address.
func signHathiTrust(key, secret string, u *url.URL) {
	u.RawQuery = hathitrust.Credentials{Key: key, Secret: secret}.Sign(u)
}

// checkKeys refuses a run whose credentials are not in the environment.
func checkKeys(c *config.Config) error {
	for _, s := range c.Sources {
		for _, name := range []string{s.Fetch.Key, s.Fetch.Secret} {
			if name != "" && os.Getenv(name) == "" {
				return fmt.Errorf("%w: source %s: the environment variable %s, which fetch names for its credentials, is not set", config.ErrInvalid, s.Name, name)
			}
		}
	}
	return nil
}
