package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/traces"
	"github.com/commonplace/commonplace/table"
)

// ErrLeft marks that something is left of documents that were to be forgotten.
var ErrLeft = errors.New("something is left of what was to be forgotten")

// ForgetReport says what became of documents that a run was told to forget.
type ForgetReport struct {
	Documents []ForgottenDocument `json:"documents"`
	Versions  []int               `json:"versions_removed"` // by their numbers
	Version   int                 `json:"version"`          // that readers have now
	Answers   int                 `json:"answers_removed"`  // of servers, from the archive

	Searched Searched `json:"searched"`
	Left     []Trace  `json:"left"` // in the run's folder
	Shared   int      `json:"shared_pieces"`
	Others   []Sharer `json:"shared_with"` // the documents and lists with the most of these

	Sources []Place `json:"sources"` // that still have the documents
	Outputs []Trace `json:"outputs"` // exports, reports and a shared archive that have something of them
	Unread  []Trace `json:"outputs_not_read"`

	Known int `json:"pieces_known"` // hashes of pieces that an earlier search left
	Kept  int `json:"pieces_kept"`  // hashes for the next one; none are if nothing was found
}

// ForgottenDocument is one of them, and how much text of it was looked for.
type ForgottenDocument struct {
	ID         string `json:"doc_id"`
	Characters int64  `json:"characters"` // of the longest text that a version had; 0: none had any
}

// Searched is how much was searched for what.
type Searched struct {
	Files    int   `json:"files"`
	Bytes    int64 `json:"bytes"`
	Unpacked int64 `json:"unpacked_bytes"` // that were packed in those
	Pieces   int   `json:"pieces"`
	Shallow  int   `json:"shallow"` // packed parts in which no packed parts were looked for
}

// Trace is a file in which something was found, or nothing could be looked for.
type Trace struct {
	Path    string   `json:"path"`
	Pieces  int      `json:"pieces"`
	Names   []string `json:"names,omitempty"`
	NamedBy []string `json:"named_by,omitempty"` // ids that are in the path
	Error   string   `json:"error,omitempty"`

	pieces map[uint64]traces.Seal // that no document or list of the run has
	gone   bool                   // there is no such file any more
}

// Place is a document of a source.
type Place struct {
	Source string `json:"source"`
	Rel    string `json:"place"`
}

// Forget builds a run without some documents, removes all that is left of them in its
// folder, and then searches every byte of it for them. It is [ErrLeft] where that finds
// anything, and the report says what.
func Forget(ctx context.Context, r Request, ids []string) (*ForgetReport, error) {
	report := &ForgetReport{Versions: []int{}, Left: []Trace{}, Others: []Sharer{}, Sources: []Place{}, Outputs: []Trace{}, Unread: []Trace{}}
	if r.Config.Runner.DryRun() {
		return nil, config.Refusef("forget has no dry run of a runner")
	}
	if err := mustBeRun(ctx, r.Config.Out); err != nil {
		return nil, err
	}
	r.forgetting, r.Stages = report, nil
	err := whileLocked(ctx, r, func(ctx context.Context, r Request) error {
		return forgetLocked(ctx, r, ids)
	})
	return report, err
}

func forgetLocked(ctx context.Context, r Request, ids []string) error {
	run, report := r.Config.Out, r.forgetting
	before, err := table.KeptNights(ctx, run)
	if err != nil {
		return err
	}
	forgotten, err := ReadForgotten(ctx, run)
	if err != nil {
		return err
	}
	wanted, err := lookFor(ctx, run, before, ids, forgotten, report)
	if err != nil {
		return err
	}
	if err := writeSought(ctx, run, wanted.Sample()); err != nil {
		return err
	}
	if err := forgotten.add(ids).write(ctx, run); err != nil {
		return err
	}
	if err := build(ctx, r); err != nil {
		return fmt.Errorf("nothing is removed yet, and the next build that succeeds leaves the documents out and removes what is left of them: %w", err)
	}
	if err := errors.Join(report.versions(ctx, run, before), r.record.write(ctx)); err != nil { // run.json names inputs
		return err
	}
	shared, err := searchRun(ctx, r.Config, wanted, report)
	if err != nil {
		return err
	}
	if err := searchOutputs(ctx, run, r.Config.Crawl.Archive, wanted, shared, report); err != nil {
		return err
	}
	if err := keepSought(ctx, run, wanted, report); err != nil {
		return err
	}
	if len(report.Left) > 0 {
		return fmt.Errorf("%s: %w: %s; remove what somebody has put there, or what the config says of it, and run the same command again", run, ErrLeft, report.Left[0].Path)
	}
	return nil
}

// lookFor is what the documents' texts in any version and their ids make to look for.
func lookFor(ctx context.Context, run string, versions []table.Kept, ids []string, forgotten Forgotten, report *ForgetReport) (*traces.Wanted, error) {
	var dirs []string
	for _, k := range versions {
		dirs = append(dirs, k.Dir)
	}
	if len(dirs) == 0 { // of an earlier release
		dirs = []string{run}
	}
	working, err := table.Working(ctx, run)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(dirs, working) {
		dirs = append(dirs, working)
	}
	known, err := readSought(ctx, run)
	if err != nil {
		return nil, err
	}
	report.Known = len(known)
	wanted := traces.New()
	wanted.AddSample(known)
	for _, id := range ids {
		d := ForgottenDocument{ID: id}
		has := forgotten.Has(id)
		for _, dir := range dirs {
			text, there, err := textOf(ctx, dir, id)
			if err != nil {
				return nil, err
			}
			if has = has || there; there {
				d.Characters = max(d.Characters, int64(len([]rune(text))))
				wanted.AddText(text)
				wanted.AddText(letters(text))
			}
		}
		if !has {
			return nil, config.Refusef("no version of %s has a document %q; commonplace inspect documents --out %s --columns doc_id,title lists them", run, id, commonplace.ShellWord(run))
		}
		for _, name := range namesOf(id) {
			wanted.AddName(name)
		}
		report.Documents = append(report.Documents, d)
	}
	report.Searched.Pieces = wanted.Pieces()
	return wanted, nil
}

// shortID is so short that other words and numbers are like it.
const shortID = 6

// namesOf is what is looked for of an id. Of one that may be any word or number, it is
// what tables and records make of it.
func namesOf(id string) []string {
	if ownWord(id) {
		return []string{commonplace.PassageID(id, 0)}
	}
	if len(id) >= shortID && strings.Trim(id, "0123456789") != "" {
		return []string{id}
	}
	return []string{strconv.Quote(id), commonplace.PassageID(id, 0)}
}

// ownNames are words of a run's own paths, of every file's footer, and of what tables and records hold.
var ownNames = []string{"_commit", "building", "commonplace", "current", "forgotten", "inputs", "nights", "parquet", "previous", "records", "settings", "sought", "validation", "version"}

// ownWord says that an id is the name of a stage, a table, a column or a folder, which
// every run has. [onlyKeys] knows the other words of records.
func ownWord(id string) bool {
	_, err := stageNamed(id)
	return err == nil || id == cache.Folder || id == outputsFolder || id == config.ArchiveFolder || slices.Contains(ownNames, id) || slices.ContainsFunc(table.All(), func(t table.Descriptor) bool {
		d := t.Describe()
		return d.Name == id || slices.ContainsFunc(d.Columns, func(c table.Column) bool { return c.Name == id })
	})
}

// textOf is a document's text in a version.
func textOf(ctx context.Context, dir, id string) (text string, there bool, err error) {
	c, err := table.ReadCommit(ctx, storage.Default, dir, table.Documents.Name)
	if errors.Is(err, table.ErrNoRecord) || errors.Is(err, storage.ErrFormat) {
		return "", false, nil
	}
	if err != nil || len(c.Shards) == 0 {
		return "", false, err
	}
	shard := c.ShardPaths(dir)[table.ShardOf(id, len(c.Shards))]
	for doc, err := range table.Documents.Rows(ctx, shard, "doc_id", "text") {
		if err != nil {
			return "", false, err
		}
		if doc.ID == id {
			return doc.Text, true, nil
		}
	}
	return "", false, nil
}

// letters is a text as an index of it may hold it.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r | 0x20
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r >= 0x80:
			return r
		}
		return -1
	}, text)
}

// versions says which ones are gone.
func (f *ForgetReport) versions(ctx context.Context, run string, before []table.Kept) error {
	now, err := table.KeptNights(ctx, run)
	for _, k := range before {
		if !slices.ContainsFunc(now, func(n table.Kept) bool { return n.Number == k.Number }) {
			f.Versions = append(f.Versions, k.Number)
		}
	}
	for _, k := range now {
		if k.Current {
			f.Version = k.Number
		}
	}
	return err
}
