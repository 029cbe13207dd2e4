package export

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Formats of an export.
const (
	HF                  = "hf"                   // Parquet with Hugging Face features
	JSONL               = "jsonl"                // the same rows as JSON lines
	SQuAD               = "squad"                // SQuAD 1.1, of examples and quoted spans
	CoNLL               = "conll"                // IOB2 in two columns, of examples
	RELiC               = "relic"                // RELiC's layout, of windows
	TokenClassification = "token-classification" // the older name of the purpose
	Passim              = "passim"               // passim's out.json, of clusters, and align.json, of alignments between documents
	PassimDocwise       = "passim-docwise"       // passim --docwise: documents as lines, each with what it was copied from
	PassimLinewise      = "passim-linewise"      // passim --linewise: these lines alone
	TextPAIR            = "textpair"             // TextPAIR's results, of alignments between documents
)

// Formats lists them.
func Formats() []string {
	return append([]string{HF, JSONL, SQuAD, CoNLL, RELiC, TokenClassification}, reuseFormats...)
}

// ErrOptions says that an option cannot be meant.
var ErrOptions = errors.New("export")

// Options say what is exported. Zero values are the defaults.
type Options struct {
	Title       string                          // of the card; the run's folder
	Formats     []string                        // HF
	Tables      []string                        // all that are there
	WithoutText bool                            // omit texts whose rights do not permit redistribution, see [Open]
	Rights      map[string]string               // statements by the name of a source or quote list, in place of what its rows say
	For         []string                        // [Purposes] whose training rows are written, each to a folder of its own
	Negatives   float64                         // of these: wrong candidates for each right one, passages without a quote for each with one
	Nearest     float64                         // the share of the wrong candidates that are the nearest by BM25; the others are drawn
	Questions   Asking                          // of the run's datasets, with Negatives and Nearest
	Paraphrased bool                            // SQuAD's questions of examples are their paraphrases; an example without one is left out
	Documents   func(ctx context.Context) Lines // of training.jsonl, for the run's documents
	Licence     string                          // the hub's identifier for the whole; by default what the rights come to
	Progress    func(done, of int)              // receives the number of shards; may be called at any time, one call at a time
	AllPairs    bool                            // passim and TextPAIR: every match, also those of which better ones have half
}

// Summary says what was written.
type Summary struct {
	Configs, Files int
	Rows, Bytes    int64
	Withheld       int64    // rows whose texts were left out
	Leaks          string   // what is in more than one split and should not be; empty when nothing is
	Thin           []string // warnings of splits that are empty or very small, of tables and of rows to train on
}

// job is one export.
type job struct {
	run     string
	options Options
	formats map[string]bool
	folder  *folder
	commits map[string]table.Commit // of the tables that are there
	rights  *rights
	first   string // the kind that is the default
	kinds   []kind
	relic   *relic
	tagged  *taggedCounts

	purposes []*purpose
	reused   *reused

	mu          sync.Mutex
	shards, all int
}

// Write exports the committed tables of the run in the folder run to the folder
// to. The folder to is replaced in one step. Where the run's tables are not all
// finished the error is [table.ErrNotWhole]; where the folder to holds something
// else than an earlier export [ErrForeign], where another export is being
// written to it [ErrBusy], where the disk refuses [storage.ErrRefused].
func Write(ctx context.Context, run, to string, o Options) (Summary, error) {
	j := &job{run: run, options: o, formats: map[string]bool{}}
	if err := j.plan(ctx); err != nil {
		return Summary{}, err
	}
	var err error
	if j.rights, err = readRights(ctx, run, j.commits, o.Rights, o.WithoutText); err != nil {
		return Summary{}, err
	}
	if err := j.checkNames(); err != nil {
		return Summary{}, err
	}
	if j.folder, err = open(to); err != nil {
		return Summary{}, err
	}
	defer j.folder.drop() // nothing is left of it after publish
	all, err := j.exportAll(ctx)
	if err != nil {
		return Summary{}, err
	}
	if err := j.unchanged(ctx); err != nil {
		return Summary{}, err
	}
	if err := j.describe(all); err != nil {
		return Summary{}, err
	}
	if err := j.folder.publish(ctx); err != nil {
		return Summary{}, err
	}
	s := Summary{Configs: len(all), Files: len(j.folder.files)}
	for _, g := range all {
		s.Rows += g.Rows()
		s.Withheld += g.Withheld
	}
	s.Leaks, s.Thin = leaks(all), j.thin(all)
	for _, f := range j.folder.files {
		s.Bytes += f.Bytes
	}
	return s, nil
}

// leaks says in one sentence what is in more than one split and should not be.
func leaks(all []*gathered) string {
	var found []string
	for _, g := range all {
		for _, k := range g.Keys {
			if n := k.Leaks(); n > 0 && k.Why != "" && !k.Weak {
				found = append(found, fmt.Sprintf("%d of %d %ss of %s are in more than one split", n, k.Keys(), k.What, g.Name))
			}
		}
		if two := g.Dates.overlap(); two != "" {
			found = append(found, fmt.Sprintf("days of the splits %s of %s overlap", two, g.Name))
		}
	}
	return strings.Join(found, "; ")
}

// plan reads the commit records and decides what is exported.
func (j *job) plan(ctx context.Context) error {
	for _, f := range j.options.Formats {
		if !slices.Contains(Formats(), f) {
			return fmt.Errorf("%w: there is no format %q; there are %s", ErrOptions, f, strings.Join(Formats(), ", "))
		}
		j.formats[f] = true
	}
	if len(j.formats) == 0 {
		j.formats[HF] = true
	}
	j.options.Title = cmp.Or(j.options.Title, filepath.Base(table.Home(j.run)))
	var err error
	if j.commits, err = table.Whole(ctx, storage.Default, j.run); err != nil {
		return err
	}
	wanted := slices.Clone(j.options.Tables)
	for _, k := range kinds() {
		if at := slices.Index(wanted, k.Name); at >= 0 {
			wanted = slices.Delete(wanted, at, at+1)
		} else if len(j.options.Tables) > 0 {
			continue
		}
		if j.commits[k.Name].Rows > 0 {
			j.kinds = append(j.kinds, k)
			j.all += len(j.commits[k.Name].Shards)
		} else if len(j.options.Tables) > 0 {
			return fmt.Errorf("%w: %s has no rows in a finished table %s", ErrOptions, j.run, k.Name)
		}
	}
	if len(wanted) > 0 {
		return fmt.Errorf("%w: table %s is not exported; those that are: %s", ErrOptions, wanted[0], strings.Join(names(kinds()), ", "))
	}
	if len(j.kinds) == 0 {
		return fmt.Errorf("%w: %s has no finished table with rows: run `commonplace build` first", ErrOptions, j.run)
	}
	j.first = j.kinds[0].Name
	best := 0
	for _, k := range j.kinds {
		if k.Default > 0 && (best == 0 || k.Default < best) {
			best, j.first = k.Default, k.Name
		}
	}
	if err := j.checkPurposes(); err != nil {
		return err
	}
	for _, x := range j.purposes {
		switch x.name {
		case ForTags, ForCounts:
			j.all += len(j.commits[table.Passages.Name].Shards)
		case ForReplies:
			j.all += len(j.commits[table.Replies.Name].Shards)
		}
	}
	return j.checkFormats()
}

// checkFormats refuses a format that no table of the run can be written in.
func (j *job) checkFormats() error {
	for _, format := range Formats() {
		if !j.formats[format] {
			continue
		}
		if format == RELiC {
			w, p := j.commits[table.Windows.Name], j.commits[table.Passages.Name]
			if w.Rows == 0 || len(w.Shards) != len(p.Shards) {
				return j.lacks("format relic", table.Windows.Name, table.Passages.Name)
			}
			j.relic = &relic{job: j}
			j.all += len(w.Shards)
			continue
		}
		if format == SQuAD {
			if err := j.checkParaphrased(); err != nil {
				return err
			}
		}
		if slices.Contains(reuseFormats, format) {
			if err := j.checkReuse(format); err != nil {
				return err
			}
			continue
		}
		if !slices.ContainsFunc(j.kinds, func(k kind) bool { return k.takes(format) }) {
			return fmt.Errorf("%w: no table of %s can be written as %s", ErrOptions, j.run, format)
		}
	}
	return nil
}

// checkNames refuses rights of a source that is not there, and of a name that several
// have: a statement for one of them would open the texts of all.
func (j *job) checkNames() error {
	var known []string
	for _, s := range j.rights.sources {
		known = append(known, s.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(j.options.Rights)) {
		at := slices.Index(known, name)
		if at < 0 {
			return fmt.Errorf("%w: rights of %q: there is no such source; there are %s", ErrOptions, name, strings.Join(known, ", "))
		}
		if of := j.rights.sources[at].kinds(); len(of) > 1 {
			return fmt.Errorf("%w: rights of %q: that is the name of %s; give them different names in the config, and build again", ErrOptions, name, strings.Join(of, " and "))
		}
	}
	return nil
}

func names(all []kind) []string {
	var names []string
	for _, k := range all {
		names = append(names, k.Name)
	}
	return names
}

// exportAll writes the rows, as many kinds at once as there are processors.
func (j *job) exportAll(ctx context.Context) ([]*gathered, error) {
	all := make([]*gathered, len(j.kinds))
	group, each := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, k := range j.kinds {
		group.Go(func() (err error) {
			all[i], err = k.export(each, j)
			return err
		})
	}
	if j.relic != nil {
		group.Go(func() error { return j.relic.export(each) })
	}
	for _, x := range j.purposes {
		group.Go(func() error { return x.export(each) })
	}
	if j.reused != nil {
		group.Go(func() error { return j.reused.export(each) })
	}
	if err := group.Wait(); err != nil {
		return all, err
	}
	return all, ctx.Err()
}

// done counts a shard.
func (j *job) done() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.shards++
	if j.options.Progress != nil {
		j.options.Progress(j.shards, j.all)
	}
}

// unchanged sees that no other run rebuilt a table meanwhile, which rights
// may have been read from.
func (j *job) unchanged(ctx context.Context) error {
	for _, name := range slices.Sorted(maps.Keys(j.commits)) {
		was := j.commits[name]
		now, err := table.ReadCommit(ctx, storage.Default, j.run, name)
		if err == nil && now.Fingerprint() != was.Fingerprint() {
			err = errors.New("another run replaced it during the export")
		}
		if err != nil {
			return fmt.Errorf("table %s: %w; export again when that run is done", name, err)
		}
	}
	return nil
}

// splitBy is what the stage of a table keeps together when it deals rows to splits.
func splitBy(c table.Commit) string {
	var config struct {
		Split struct {
			By string `json:"by"`
		} `json:"split"`
	}
	json.Unmarshal(c.Config, &config) // another shape says nothing of it
	return cmp.Or(config.Split.By, "quote")
}
