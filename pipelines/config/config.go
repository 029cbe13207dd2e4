package config

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/align/pairs"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/storage"
)

// ErrInvalid marks a mistake in the config or the command line: nothing was done.
var ErrInvalid = errors.New("config")

// refusal is a mistake that stands in no config, so that its message does not name one.
type refusal struct{ error }

func (r refusal) Is(target error) bool { return target == ErrInvalid }

func (r refusal) Unwrap() error { return r.error }

// Refusef is an error that is [ErrInvalid], and whose message is all that the format says:
// for what was asked on the command line, or of a folder.
func Refusef(format string, args ...any) error { return refusal{fmt.Errorf(format, args...)} }

// Config is a run, as its YAML file describes it. The doc tags are the reference
// in configs/README.md; the defaults are those of [Default].
type Config struct {
	Out               string          `yaml:"out" doc:"folder of the tables, relative to the config file; it must be new, empty or a run's; one run at a time"`
	Shards            int             `yaml:"shards" doc:"number of shards of every table (quotes has one); with more shards, tasks are smaller. 0: a new run gets a number that fits its text, and later builds keep it (docs/scale.md)"`
	MaxRejectFraction float64         `yaml:"max_reject_fraction" doc:"a stage fails when it rejects more than this fraction of its input"`
	Guard             Guard           `yaml:"guard" doc:"how much of a library may be missing from one build to the next"`
	Sources           []Source        `yaml:"sources" doc:"where documents come from"`
	Crawl             Crawl           `yaml:"crawl" doc:"politeness of the fetcher, for sources that are fetched"`
	Quotes            []QuoteList     `yaml:"quotes" doc:"lists of quotations to be looked for in the sources"`
	Spans             []SpanFile      `yaml:"spans" doc:"located spans: files that list which places of documents are quoted"`
	Conversations     []Conversations `yaml:"conversations" doc:"conversations that end where a quotation is used"`
	Segment           Segment         `yaml:"segment" doc:"how documents are segmented into passages"`
	Align             Align           `yaml:"align" doc:"what counts as a quotation"`
	Reuse             Reuse           `yaml:"reuse" doc:"compares a collection with itself: sources that name no role have the role both, and label.datasets is [clusters] where the config does not say it. With reuse: {} all documents are compared with all"`
	Paraphrases       Paraphrases     `yaml:"paraphrases" doc:"a second search between documents, by an encoder: sentences that say the same in other words, in a table of their own"`
	Count             Count           `yaml:"count" doc:"what counts as being quoted"`
	Label             Label           `yaml:"label" doc:"which datasets are made, and how"`
	Score             Score           `yaml:"score" doc:"the model that scores passages"`
	Rankings          Rankings        `yaml:"rankings" doc:"the versions of a run that are kept"`
	Recommend         Recommend       `yaml:"recommend" doc:"how candidates are ranked for the contexts of a dataset: the passages of the document (triples, queries), all runs of as many sentences (windows), the list of quotations (replies)"`
	Evaluate          Evaluate        `yaml:"evaluate" doc:"makes the table evaluations. With evaluate: {} every setting is the default"`
	Limits            bounded.Limits  `yaml:"limits" doc:"limits on what one input file may take; docs/limits.md says which limit each parser checks"`
	Runner            Runner          `yaml:"runner" doc:"where the jobs run"`

	path    string
	places  places // of the file's values, for messages
	notes   []string
	noModel error // why there is no shipped model of the name that score.model has
}

// QuoteList is one list of quotations.
type QuoteList struct {
	Name      string            `yaml:"name" json:"name" doc:"name in quotes.source, unique in the config"`
	Path      string            `yaml:"path" json:"-" doc:"file of the list, also .gz, relative to the config file"`
	Gutenberg int64             `yaml:"gutenberg" json:"gutenberg,omitempty" doc:"instead of path: number of an eBook of Project Gutenberg that is a printed list. It is fetched into crawl.archive, and read as a text (docs/find.md)"`
	Format    string            `yaml:"format" json:"format,omitempty" doc:"quotus: the quotes file of that data set; the speaker becomes author and the transcript work. Empty: by the file's name JSONL, CSV, TSV, a text (.txt) or Markdown (.md), as docs/find.md says"`
	By        string            `yaml:"by" json:"-" doc:"who quotes: readers, editors, or empty; quote_counts also counts the quotations of each"`
	Rights    string            `yaml:"rights" json:"rights" doc:"quotes.rights of every quote"`
	Columns   map[string]string `yaml:"columns" json:"columns" doc:"the list's own column names, for id, text, author, work, ebook and source (a doc_id); for example text: quotation. Without any, usual names are looked for (docs/find.md)"`

	Limits bounded.Limits `yaml:"-" json:"limits,omitzero"` // of the config, where they are not the default
}

// Conversations is one file of conversations.
type Conversations struct {
	Name string `yaml:"name" json:"name" doc:"name of the file's conversations, unique in the config"`
	Path string `yaml:"path" json:"-" doc:"JSONL file, also .gz, of conversation_id, turns and quotation, relative to the config file"`

	Limits bounded.Limits `yaml:"-" json:"limits,omitzero"` // of the config, where they are not the default
}

// Segment says how documents are cut.
type Segment struct {
	By string `yaml:"by" json:"by" doc:"segmenter: prose:200 (about 200 words of whole sentences, in whole paragraphs where they are short), words:200 (every 200 words, as in RA-MTR), paragraphs, sentences, sentences:relic (also at ellipses, colons and semicolons, as in RELiC), lines, verses (of scripture), verse-lines (of poems and plays), chunks:1200/100 (of 1,200 characters that share 100)"`
}

// Align says what counts as a quotation. docs/alignment.md explains the numbers.
type Align struct {
	Use            string      `yaml:"use" json:"use" doc:"what is searched in derived documents: documents (every place that repeats a source) or marked (text between quotation marks or in block quotes, however short, with a confidence)"`
	Match          string      `yaml:"match" json:"match" doc:"how a listed quote must match: similar (its words, also damaged or shortened) or exact (the string itself, code point for code point, at every place)"`
	MinSimilarity  float64     `yaml:"min_similarity" json:"min_similarity" doc:"lowest similarity of a match, 0 to 1; 1 keeps only text that is equal after folding"`
	MinWords       int         `yaml:"min_words" json:"min_words" doc:"fewest words of the source in a match between documents"`
	QuoteChance    float64     `yaml:"quote_chance" json:"quote_chance" doc:"matches by chance that you accept for each listed quote, in the whole collection"`
	MaxFalse       float64     `yaml:"max_false" json:"max_false,omitempty" doc:"share of false finds that you accept among those of the listed quotes, such as 0.01. The lists' sure finds then say how likely a find is, and quote_chance does not decide (docs/alignment.md). 0: each quote is judged by itself"`
	DocumentChance float64     `yaml:"document_chance" json:"document_chance" doc:"matches by chance that you accept for each million letters of derived text, in the whole collection"`
	PerQuote       int         `yaml:"per_quote" json:"per_quote" doc:"matches kept of each listed quote in each document, best first; 0 keeps all"`
	Places         int         `yaml:"places" json:"places" doc:"occurrences reported if a derived span is found at several places, best first; 0 reports all"`
	MinConfidence  float64     `yaml:"min_confidence" json:"min_confidence" doc:"least confidence of a marked quotation, 0 to 1, with use: marked"`
	Pairs          pairs.Rules `yaml:"pairs" json:"pairs,omitzero" doc:"which documents may quote which, beside that none quotes itself"`
	Ignore         string      `yaml:"ignore" json:"-" doc:"file of phrases that are no evidence between documents, one a line, relative to the config file: a match of nothing else does not count. Case and punctuation do not matter"`
	Metadata       []string    `yaml:"metadata" json:"metadata,omitempty" doc:"fields of documents that matches, alignments and clusters also hold: columns of documents or names in its metadata, such as [author, date, series]"`
	Inflected      string      `yaml:"inflected" json:"inflected,omitempty" doc:"la (Latin), el (ancient Greek) or fr (French): a second search also finds words of this language in other cases and persons, by comparing them without their endings. Its matches have the kind inflected, and the others stay as they are. Between documents, not for listed quotes (docs/alignment.md). Left out: no such search"`
	Counts         string      `yaml:"counts" json:"-" doc:"file of word counts, relative to the config file. The first build makes it from the sources, and later builds reuse it. So a new document realigns only its own shard. Without it, each build counts the words of its sources, and a new document realigns everything"`
	PartBytes      int64       `yaml:"part_bytes" json:"-" doc:"size of the document shards in one index part, in bytes on disk; a smaller part needs less memory, and more CPU in collections of several parts: with tens of GB of text take 134217728; changes no row"`
}

func defaultAlign() Align {
	o := align.Defaults()
	return Align{Use: align.SearchDocuments, Match: o.Match, MinConfidence: o.MinConfidence, MinSimilarity: o.MinSimilarity, MinWords: o.MinWords, QuoteChance: o.QuoteChance, DocumentChance: o.DocumentChance,
		PerQuote: o.PerQuote, Places: o.Places, PartBytes: 32 << 20}
}

// Options are the aligner's own, with what the config sets.
func (c Align) Options() align.Options {
	o := align.Defaults()
	o.MinSimilarity, o.MinWords, o.QuoteChance, o.DocumentChance = c.MinSimilarity, c.MinWords, c.QuoteChance, c.DocumentChance
	o.Match, o.MaxFalse = c.Match, c.MaxFalse
	o.OldestFirst = c.Pairs.Order == pairs.Older
	o.PerQuote, o.Places, o.MinConfidence = c.PerQuote, c.Places, c.MinConfidence
	return o
}

// Score names the model.
type Score struct {
	Model  string `yaml:"model" json:"-" doc:"fast or best, which come with the program (docs/models.md), or a model folder, relative to the config file. Left out: nothing is scored or ranked"`
	Device string `yaml:"device" json:"device" doc:"cpu, cuda, tensorrt, or auto: cuda where it works, else cpu. cuda:1 is the second GPU; its number changes no row"`
	Batch  int    `yaml:"batch" json:"-" doc:"passages in memory at a time in each task; 0 lets the device decide. It does not change scores"`

	Folds []string `yaml:"folds" json:"-" doc:"in place of model: a model folder for each fold of the dataset counts, which scores the documents of that fold and was not trained on them. So nothing is scored in sample"`

	Sentences *int `yaml:"sentences" json:"sentences,omitempty" doc:"a passage's score is the mean of this many of its best sentences. A missing sentence counts 0. model.yaml says what the other sentences add. 0 scores each passage as a whole. Left out: as model.yaml says, which may let all sentences count"`
}

// Rankings says which versions of a run are kept.
type Rankings struct {
	Keep int `yaml:"keep" doc:"versions of the run before the current one that are kept, each with the tables that its rankings were made from, for commonplace rollback. A shard that did not change is stored once"`
}

// Runner says where jobs run. Nothing here changes a byte of the tables.
type Runner struct {
	Name        string   `yaml:"name" doc:"embedded (inside the program), direct (inside the program, one task after the other), flink, dataflow, or goroutines (without Beam, to measure Beam's overhead)"`
	Parallelism int      `yaml:"parallelism" doc:"tasks at once; 0 is the number of processors, or of Flink's slots"`
	FlinkMaster string   `yaml:"flink_master" doc:"address of Flink's REST service, for flink"`
	JobServer   string   `yaml:"job_server" doc:"address of Beam's job server, for flink"`
	Project     string   `yaml:"project" doc:"Google Cloud project, for dataflow"`
	Region      string   `yaml:"region" doc:"region such as europe-west1, for dataflow"`
	Staging     string   `yaml:"staging" doc:"place in a bucket for the program and temporary files, such as gs://bucket/staging, for dataflow"`
	Image       string   `yaml:"image" doc:"container image of the workers with ONNX Runtime (deploy/dataflow), for dataflow"`
	Memory      string   `yaml:"memory" doc:"least memory of a worker, such as 16GB, for dataflow"`
	Accelerator string   `yaml:"accelerator" doc:"GPU of the workers that run models, as Beam names it: type:nvidia-l4;count:1;install-nvidia-driver, for dataflow"`
	Flags       []string `yaml:"flags" doc:"flags for Beam, as after -- on the command line"`
	Parts       int      `yaml:"-"` // processes that share the work of a build; 0: it is one
}

// Default holds every default.
func Default() Config {
	return Config{
		MaxRejectFraction: 0.05,
		Guard:             defaultGuard(),
		Rankings:          Rankings{Keep: 1},
		Crawl:             defaultCrawl(),
		Segment:           Segment{By: "prose:200"},
		Align:             defaultAlign(),
		Paraphrases:       defaultParaphrases(),
		Count:             defaultCount(),
		Label:             defaultLabel(),
		Score:             Score{Device: "cpu"},
		Recommend:         defaultRecommend(),
		Limits:            bounded.Defaults(),
		Runner:            Runner{Name: EmbeddedRunner, FlinkMaster: "localhost:8081", JobServer: "localhost:8099"},
	}
}

// Load reads a config file and checks all of it. Unknown keys, wrong types
// and impossible values are refused in one sentence each.
func Load(ctx context.Context, path string) (*Config, error) {
	raw, err := storage.ReadFile(ctx, path)
	if err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, fmt.Errorf("%w: %s cannot be read: %w", ErrInvalid, path, err)
	}
	if err := bounded.CheckYAML(raw, bounded.Limits{}); err != nil { // before any parser sees it
		return nil, fmt.Errorf("%w: %s: %w", ErrInvalid, path, err)
	}
	c := Default()
	raw, c.notes = withNewKeys(path, raw)
	if err := decodeStrict(path, raw, &c); err != nil {
		return nil, err
	}
	c.path, c.places = path, placesOf(raw)
	if err := c.spread(); err != nil {
		return nil, err
	}
	c.resolve(storage.Folder(path))
	c.Limit()
	if err := c.check(ctx); err != nil {
		return nil, err
	}
	return &c, nil
}

// Notes are sentences for the user about keys that have other names now.
func (c *Config) Notes() []string { return c.notes }

// File is the config's file, for messages.
func (c *Config) File() string { return c.path }

// NoModel says why there is no shipped model of the name that score.model has.
func (c *Config) NoModel() error { return c.noModel }

// Limit hands the limits to what reads files. Where none was changed the settings
// of a stage are what they were before there were limits.
func (c *Config) Limit() {
	l := c.Limits.Changed()
	for i := range c.Sources {
		c.Sources[i].Limits = l
	}
	for i := range c.Quotes {
		c.Quotes[i].Limits = l
	}
	for i := range c.Conversations {
		c.Conversations[i].Limits = l
	}
	for i := range c.Spans {
		c.Spans[i].Limits = l
	}
	c.Count.Limits = l
}

// resolve makes paths relative to the config file relative to the working folder.
func (c *Config) resolve(dir string) {
	at := func(p string) string {
		if p == "" || filepath.IsAbs(p) || storage.Remote(p) {
			return p
		}
		return storage.Join(dir, p)
	}
	shipped, ok := infer.ShippedNamed(c.Score.Model)
	if _, err := os.Stat(at(c.Score.Model)); ok && err != nil { // a folder beside the config comes first
		c.Score.Model, c.noModel = shipped.Find()
	}
	for i := range c.Sources {
		if s := &c.Sources[i]; s.Gutenberg.fetched && len(s.Files) == 0 && len(s.Fetch.Mirrors) == 0 {
			s.Fetch.Mirrors = c.Crawl.Mirrors
		}
	}
	for i := range c.Quotes {
		if q := &c.Quotes[i]; q.Gutenberg > 0 && q.Path == "" && c.Crawl.Archive != "" {
			q.Path = c.fetchedList(*q)
		}
	}
	for _, p := range c.allPaths() {
		*p = at(*p)
	}
}

// Absolute makes all paths absolute, for workers in other working folders. No
// table, record or fingerprint holds them.
func (c *Config) Absolute() error {
	for _, p := range c.allPaths() {
		if *p == "" || storage.Remote(*p) {
			continue
		}
		var err error
		if *p, err = filepath.Abs(*p); err != nil {
			return err
		}
		if !utf8.ValidString(*p) { // tasks travel as JSON, which would name another file
			return fmt.Errorf("%w: the path %q is not UTF-8; rename the folder, or work in another", ErrInvalid, *p)
		}
	}
	return nil
}

// Inputs are the paths of all that a run reads, in their order; those of this machine
// are absolute.
func (c *Config) Inputs() []string {
	written := []*string{&c.Out, &c.Align.Counts, &c.Label.Paraphrase.Cache, &c.Crawl.Archive} // by the run itself
	var inputs []string
	for _, p := range c.allPaths() {
		if *p == "" || slices.Contains(written, p) {
			continue
		}
		inputs = append(inputs, absolute(*p))
	}
	return inputs
}

// allPaths are the places of all paths, also of those that are not set.
func (c *Config) allPaths() []*string {
	paths := []*string{&c.Out, &c.Score.Model, &c.Align.Counts, &c.Align.Ignore, &c.Crawl.Archive, &c.Paraphrases.Model}
	for i := range c.Sources {
		paths = append(paths, c.Sources[i].paths()...)
	}
	for i := range c.Quotes {
		paths = append(paths, &c.Quotes[i].Path)
	}
	for i := range c.Spans {
		paths = append(paths, &c.Spans[i].Path)
	}
	for i := range c.Score.Folds {
		paths = append(paths, &c.Score.Folds[i])
	}
	return append(append(paths, c.Recommend.paths()...), c.labelPaths()...)
}

// Canonical is the JSON form that commit records hold and fingerprints cover.
func Canonical(settings any) json.RawMessage { return storage.MustJSON(settings) }
