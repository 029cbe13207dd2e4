package pipelines

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/table"
)

// crawlStage reads the sources into documents.
var crawlStage = &stage{
	name: "crawl", table: "documents", revision: 2,
	short:    "read the sources into documents",
	unit:     "files",
	settings: sourceSettings,
	outside:  listSources,
	make:     makeDocuments,
}

// sourceSettings are the sources by name, so that one more or one less is no
// change of the others.
func sourceSettings(c *Config) any {
	byName := map[string]Source{}
	for _, s := range c.Sources {
		byName[s.Name] = s
	}
	return byName
}

// sourceFile is one input file as a task carries it.
type sourceFile struct {
	Source string     `json:"source"` // name in the settings
	File   files.File `json:"file"`
	SHA256 string     `json:"sha256"`
	Twin   string     `json:"twin,omitempty"` // another file has this id already
}

// listSources lists every file and hashes it, so that a changed, added or removed
// file rebuilds the shards that it touches and nothing else.
func listSources(c *Config) (outside, error) {
	var all []sourceFile
	var notes []string
	for i, s := range c.Sources {
		l, err := files.List(s.Files)
		if err != nil {
			return outside{}, fmt.Errorf("%w: %s: sources[%d].files: %w", ErrConfig, c.path, i, err)
		}
		for _, f := range l.Files {
			all = append(all, sourceFile{Source: s.Name, File: f})
		}
		if n := len(l.Skipped); n > 0 {
			notes = append(notes, fmt.Sprintf("passed over %d in source %s that are no texts by their names, such as %s", n, s.Name, filepath.Base(l.Skipped[0])))
		}
		for _, r := range l.Rejects { // twins; a path of this machine has no place in a row
			all = append(all, sourceFile{Source: s.Name, File: files.File{ID: r.ID, Path: r.Location, Rel: below(r.Location, r.ID)}})
		}
	}
	if err := hashFiles(all); err != nil {
		return outside{}, err
	}
	slices.SortStableFunc(all, func(a, b sourceFile) int { return strings.Compare(a.File.ID, b.File.ID) })
	for i := 1; i < len(all); i++ {
		if all[i].File.ID == all[i-1].File.ID {
			all[i].Twin = all[i-1].Source + ": " + all[i-1].File.Rel
		}
	}
	byShard := make([][]sourceFile, c.Shards)
	for _, f := range all {
		k := table.ShardOf(f.File.ID, c.Shards)
		byShard[k] = append(byShard[k], f)
	}
	return outside{
		notes: notes,
		contents: func(shard, _ int) string {
			var b strings.Builder
			for _, f := range byShard[shard] {
				fmt.Fprintf(&b, "%q %q %q %s %q\n", f.Source, f.File.ID, f.File.Rel, f.SHA256, f.Twin)
			}
			return b.String()
		},
		extra: func(shard, _ int) json.RawMessage { return mustJSON(byShard[shard]) },
	}, nil
}

// below is the part of a path that gave a file its id.
func below(path, id string) string {
	for _, ext := range []string{".txt.gz", ".txt", ".gz", ""} {
		if strings.HasSuffix(filepath.ToSlash(path), "/"+id+ext) {
			return id + ext
		}
	}
	return filepath.Base(path)
}

// hashFiles fills in the SHA-256 of every file's bytes, several files at a time.
// A file that cannot be read keeps none: its task says why.
func hashFiles(all []sourceFile) error {
	var g errgroup.Group
	g.SetLimit(4)
	for i := range all {
		g.Go(func() error {
			f, err := os.Open(all[i].File.Path)
			if err != nil {
				return nil
			}
			defer f.Close()
			h := sha256.New()
			if _, err := io.Copy(h, f); err == nil {
				all[i].SHA256 = hex.EncodeToString(h.Sum(nil))
			}
			return nil
		})
	}
	return g.Wait()
}

func makeDocuments(ctx context.Context, t Task) (table.TaskRecord, error) {
	var sources map[string]Source
	if err := t.decode(&sources); err != nil {
		return table.TaskRecord{}, err
	}
	var list []sourceFile
	if err := json.Unmarshal(t.Extra, &list); err != nil {
		return table.TaskRecord{}, err
	}
	return output(ctx, t, table.Documents, func(o *out[commonplace.Document]) error {
		for _, f := range list {
			o.in++
			doc, reject := readSource(ctx, sources[f.Source], f)
			if err := ctx.Err(); err != nil {
				return err
			}
			if reject != nil {
				// The path is this machine's: the row names the source and the place in it.
				reject.Location = f.Source + ": " + f.File.Rel
				o.refuse(*reject)
				continue
			}
			if err := o.put(doc); err != nil {
				return err
			}
			o.taken++
		}
		return nil
	})
}

func readSource(ctx context.Context, s Source, f sourceFile) (commonplace.Document, *commonplace.Reject) {
	if f.Twin != "" {
		return commonplace.Document{}, &commonplace.Reject{ID: f.File.ID, Reason: "duplicate id", Detail: f.Twin + " has this id already"}
	}
	doc, reject := files.Read(ctx, f.File, files.Options{Source: s.Name, Frame: s.Frame, MaxBytes: s.MaxBytes})
	if reject != nil {
		return doc, reject
	}
	doc.Role = s.Role
	doc.Rights = s.Rights
	if doc.Language == "" {
		doc.Language = s.Language
	}
	return doc, nil
}
