package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/crawl/hathitrust"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
)

// hathitrustSource reads the volumes of a research data set.
type hathitrustSource struct{ workers workers }

func (hathitrustSource) on(w workers) sourceReader { return hathitrustSource{w} }

// scan is where a volume is, and what the hathifile says of it.
type scan struct {
	Volume hathitrust.Volume `json:"volume"`
	Record hathitrust.Record `json:"record"`
}

func (h hathitrustSource) list(ctx context.Context, s config.Source, take func(item)) ([]string, error) {
	var scans []scan
	at := map[string]int{}
	var rels []string
	var links files.Listing // those that lead out
	for _, root := range s.Files {
		t, err := storage.OpenTree(ctx, root)
		if err != nil {
			return nil, fmt.Errorf("files: %w", err)
		}
		for v, err := range hathitrust.Volumes(ctx, t.FS) {
			reject, err := commonplace.Refused(err)
			if err != nil {
				return nil, fmt.Errorf("files: %s: %w", root, err)
			}
			rel := crawl.Printable(v.Zip)
			if reject != nil {
				take(refusedItem(*reject, rel))
				continue
			}
			if _, duplicate := at[v.ID]; !duplicate {
				at[v.ID] = len(scans)
			}
			for _, name := range []*string{&v.Zip, &v.METS} {
				if *name == "" {
					continue
				}
				out := t.LeadsOut(*name)
				if *name = t.Path(*name); out {
					links.LeadOut = append(links.LeadOut, *name)
				}
			}
			scans, rels = append(scans, scan{Volume: v}), append(rels, rel)
		}
	}
	skipped, err := readHathifiles(ctx, s, scans, at, take)
	if err != nil {
		return nil, err
	}
	matches, err := readMatches(ctx, s)
	if err != nil {
		return nil, err
	}
	var taken []int // of scans
	for i, v := range scans {
		switch why := refuses(s, v, matches); {
		case why == noRecord:
			take(refusedItem(commonplace.Reject{ID: v.Volume.ID, Reason: "no record", Detail: "no hathifile names the volume, so its language and title are unknown"}, rels[i]))
		case why != "":
			skipped[why]++
		default:
			taken = append(taken, i)
		}
	}
	volumes := make([]hathitrust.Volume, len(taken))
	for k, i := range taken {
		volumes[k] = scans[i].Volume
	}
	k := 0
	err = h.hashAll(ctx, s, volumes, func(hash string) error {
		v, rel := scans[taken[k]], rels[taken[k]]
		k++
		if storage.Remote(v.Volume.Zip) && (hash == "" || strings.HasSuffix(hash, " ")) {
			return fmt.Errorf("files: %s cannot be read; run again", v.Volume.Zip)
		}
		take(newItem(v.Volume.ID, item{Rel: rel, SHA256: hash + string(storage.MustJSON(v.Record)), At: storage.MustJSON(v)}))
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	return append(skipped.notes(), links.Notes()...), ctx.Err()
}

// hashAll gives the hash of each volume, here or on workers.
func (h hathitrustSource) hashAll(ctx context.Context, s config.Source, volumes []hathitrust.Volume, take func(hash string) error) error {
	cuts := cutsByNumber(len(volumes))
	if h.workers.run == nil || len(cuts) < 2 {
		for _, v := range volumes {
			if err := take(hashVolume(ctx, v)); err != nil {
				return err
			}
		}
		return nil
	}
	return spread(ctx, h.workers, s, volumes, cuts, func(_ int, hash string) error { return take(hash) })
}

func (hathitrustSource) listPart(ctx context.Context, p listedPart, put func(row any) error) error {
	volumes, err := namesOf[hathitrust.Volume](ctx, p)
	for _, v := range volumes {
		if err == nil {
			err = put(hashVolume(ctx, v))
		}
	}
	return errors.Join(err, ctx.Err())
}

// hashVolume is the hash of a volume's files, which may be downloaded for it.
func hashVolume(ctx context.Context, v hathitrust.Volume) string {
	hash := HashFile(ctx, v.Zip)
	if v.METS != "" {
		hash += " " + HashFile(ctx, v.METS)
	}
	return hash
}

// readHathifiles gives the volumes their records, and says how many broken lines are of
// none of them.
func readHathifiles(ctx context.Context, s config.Source, scans []scan, at map[string]int, take func(item)) (skipCounts, error) {
	broken := 0
	budget := bounded.Budget{Most: s.Limits.WithDefaults().Memory}
	for _, name := range s.HathiTrust.Hathifiles {
		err := readPacked(ctx, name, s.Limits, func(r io.Reader) error {
			refused := engine.NewRejectLimit(s.Limits)
			defer restOf(refused, filepath.Base(name), take)
			for record, err := range hathitrust.ReadHathifile(ctx, r, filepath.Base(name), s.Limits) {
				reject, err := commonplace.Refused(err)
				switch {
				case err != nil:
					return err
				case reject != nil:
					if _, ours := at[reject.ID]; !ours {
						broken++
						continue
					}
					if refused.Add(reject.Reason) {
						take(refusedItem(*reject, reject.Location))
					}
				default:
					i, ours := at[record.HTID]
					if !ours {
						continue
					}
					if before := scans[i].Record; before.HTID != "" { // an update, which may close what was open
						budget.Let(before.Size())
					}
					if err := budget.Hold(record.Size()); err != nil {
						return err
					}
					scans[i].Record = record
				}
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, fmt.Errorf("hathitrust.hathifiles: %s: %w", name, err)
		}
	}
	skipped := skipCounts{}
	if broken > 0 {
		skipped[fmt.Sprintf("passed over %d broken lines of hathifiles that are of no volume here", broken)] = 0
	}
	return skipped, nil
}

func readMatches(ctx context.Context, s config.Source) (m hathitrust.Matches, err error) {
	if s.HathiTrust.Matches == "" {
		return nil, nil
	}
	err = readPacked(ctx, s.HathiTrust.Matches, s.Limits, func(r io.Reader) error {
		m, err = hathitrust.ReadMatches(ctx, r, s.HathiTrust.LeastMatches, s.HathiTrust.MostMatches, s.Limits)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("hathitrust.matches: %s: %w", s.HathiTrust.Matches, err)
	}
	return m, nil
}

// noRecord is why nothing can be said of a volume.
const noRecord = "no record"

// refuses says why a volume is not taken; empty when it is.
func refuses(s config.Source, v scan, matches hathitrust.Matches) string {
	if len(s.HathiTrust.Languages)+len(s.HathiTrust.WithoutWords) > 0 {
		if v.Record.HTID == "" {
			return noRecord
		}
		if why := s.HathiTrust.Filter().Refuses(v.Record); why != "" {
			return why
		}
	}
	if matches != nil && !matches[v.Volume.ID] {
		return "its matches are too few or too many"
	}
	return ""
}

// skipCounts counts volumes that are skipped, by the reason.
type skipCounts map[string]int

func (p skipCounts) notes() []string {
	var notes []string
	for _, why := range slices.Sorted(maps.Keys(p)) {
		if n := p[why]; n > 0 {
			why = fmt.Sprintf("passed over %d volumes: %s", n, why)
		}
		notes = append(notes, why)
	}
	return notes
}

func (hathitrustSource) open(s config.Source, _ []item) reader {
	opts := hathitrust.Options{Source: s.Name, Heads: s.HathiTrust.Heads, Hyphens: s.HathiTrust.Hyphens, MaxBytes: s.MaxBytes, MaxPages: s.HathiTrust.MaxPages, Limits: s.Limits}
	return &volumeReader{opts: opts}
}

// volumeReader reads volumes, which may lie in a bucket.
type volumeReader struct {
	opts hathitrust.Options
}

func (r *volumeReader) read(ctx context.Context, it item) (commonplace.Document, error) {
	var v scan
	if err := json.Unmarshal(it.At, &v); err != nil {
		return commonplace.Document{}, err
	}
	done, err := downloadVolume(ctx, &v.Volume)
	if err != nil {
		return commonplace.Document{}, missing(it.ID.String(), err)
	}
	defer done()
	listed := strings.TrimSuffix(it.SHA256, string(storage.MustJSON(v.Record)))
	if hashVolume(ctx, v.Volume) != listed {
		return commonplace.Document{}, changed(it.ID.String())
	}
	doc, err := hathitrust.Read(ctx, v.Volume, v.Record, r.opts)
	if hashVolume(ctx, v.Volume) != listed {
		return commonplace.Document{}, changed(it.ID.String())
	}
	doc.URL = it.Rel
	return doc, err
}

func (r *volumeReader) close() error { return nil }

// downloadVolume makes a volume's files lie on this machine until done.
func downloadVolume(ctx context.Context, v *hathitrust.Volume) (done func(), err error) {
	zip, zipDone, err := storage.OnDisk(ctx, v.Zip)
	if err != nil {
		return nil, err
	}
	mets, metsDone, err := storage.OnDisk(ctx, v.METS)
	if err != nil {
		zipDone()
		return nil, err
	}
	v.Zip, v.METS = zip, mets
	return func() { zipDone(); metsDone() }, nil
}
