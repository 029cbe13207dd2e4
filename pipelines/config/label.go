package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/segment"
)

// The datasets that label.datasets names.
const (
	DataTriples = "triples" // RA-MTR
	DataQueries = "queries" // context-based quotation recommendation
	DataCounts  = "counts"  // content-based models of quotation
	DataReplies = "replies" // when and what to quote
	DataWindows = "windows" // RELiC

	DataClusters = "clusters" // copies of passages; no paper's
)

var dataNames = []string{DataTriples, DataQueries, DataCounts, DataReplies, DataWindows, DataClusters}

// Label says which datasets are made, and how. docs/datasets.md explains it.
type Label struct {
	Datasets      []string   `yaml:"datasets" doc:"triples (RA-MTR), queries (Quotus), counts (passage quote counts), replies (when and what to quote), windows (RELiC), clusters (the copies of passages that many documents have)"`
	ContextWords  int        `yaml:"context_words" doc:"triples: words of context on either side of a quote"`
	MinSimilarity float64    `yaml:"min_similarity" doc:"alignments of lower similarity make no example; 1 is RA-MTR's exact search"`
	Split         Split      `yaml:"split" doc:"sizes of the three splits"`
	Negatives     []string   `yaml:"negatives" doc:"how wrong answers are chosen for the table choices, each method with a number: near:1, bm25:1, uniform:1, tfidf:3, position:3; or all"`
	Tokenizer     string     `yaml:"tokenizer" doc:"tokenizer.json for word pieces: tags of triples, lengths of sequences; relative to the config file"`
	Paraphrase    Paraphrase `yaml:"paraphrase" doc:"triples: paraphrases of contexts, by a language model"`
	Queries       Queries    `yaml:"queries" doc:"the dataset queries"`
	Counts        Counts     `yaml:"counts" doc:"the dataset counts"`
	Replies       Replies    `yaml:"replies" doc:"the dataset replies"`
	Windows       Windows    `yaml:"windows" doc:"the dataset windows"`
}

// Split is a seeded split into three.
type Split struct {
	Train      float64 `yaml:"train" json:"train" doc:"share of the training split"`
	Validation float64 `yaml:"validation" json:"validation" doc:"share of the validation split"`
	Test       float64 `yaml:"test" json:"test" doc:"share of the test split; the three add up to 1"`
	By         string  `yaml:"by" json:"by" doc:"quote (near-duplicate quotations are in one split), document (editions of a work are in one split), or example (as in RA-MTR; leaks)"`
	Seed       int64   `yaml:"seed" json:"seed" doc:"seed of the random assignment to splits and folds, and of sampling"`
	File       string  `yaml:"file" json:"-" doc:"JSONL file, also .gz, relative to the config file, of id and split (train, validation or test), fold (from 0) or both, such as a paper's own split. An id is that of a context, a quote, a source document (also for windows and folds) or a conversation. What the file does not name is assigned at random"`
}

// Split is label's own.
func (s Split) Split() label.Split {
	return label.Split{Train: s.Train, Validation: s.Validation, Test: s.Test, By: s.By, Seed: s.Seed}
}

// Queries is about quotations of transcripts in articles.
type Queries struct {
	Begin          string `yaml:"begin" json:"begin" doc:"first day of the training split, YYYY-MM-DD"`
	TrainLast      string `yaml:"train_last" json:"train_last" doc:"last day of the training split"`
	ValidationLast string `yaml:"validation_last" json:"validation_last" doc:"last day of the validation split"`
	TestLast       string `yaml:"test_last" json:"test_last" doc:"last day of the test split; transcripts of other days are rejected"`
	Given          string `yaml:"given" json:"-" doc:"quotes file of Quotus, relative to the config file; its alignments are compared with ours"`
}

func (q Queries) Dates() label.DateSplit {
	return label.DateSplit{Begin: q.Begin, TrainLast: q.TrainLast, ValidationLast: q.ValidationLast, TestLast: q.TestLast}
}

// Count says what counts as being quoted.
type Count struct {
	From          string            `yaml:"from" json:"from" doc:"alignments, file (a list of counts from elsewhere) or both (their sum)"`
	File          string            `yaml:"file" json:"-" doc:"CSV file of counts, also .gz, relative to the config file"`
	Columns       map[string]string `yaml:"columns" json:"columns" doc:"the file's own column names, for document, passage (its number in the document, from 1), text and count; without passage, the rows of each document are numbered from 1"`
	Overlap       string            `yaml:"overlap" json:"overlap" doc:"when a quotation counts for a passage: any (they share a character, as in the paper) or half (the passage has more than half of the quotation, or the quotation covers more than half of the passage)"`
	SameAuthor    bool              `yaml:"same_author" json:"same_author,omitempty" doc:"a listed quote counts only in documents by its author, in any spelling of the name; a quote without an author counts everywhere"`
	Clusters      bool              `yaml:"clusters" json:"clusters,omitempty" doc:"of the copies of one passage that other documents have (table clusters) one counts, however many there are, so that a text which was often reprinted does not count often. Needs label.datasets with clusters"`
	MinConfidence float64           `yaml:"min_confidence" json:"min_confidence" doc:"alignments with less confidence do not count; the paper uses 0.9 for marked quotations"`
	Boilerplate   bool              `yaml:"boilerplate" json:"boilerplate,omitempty" doc:"also count text found at more than 16 places of the sources (alignments.places): lines with many editions, but also licences and tables of contents"`
	MaxShare      float64           `yaml:"max_share" json:"max_share,omitempty" doc:"if a document's matches cover more than this share of a source, and more than a thousand characters, it is an adaptation, such as a dramatisation of a novel. Its quotations of that source do not count. 0 is no limit"`

	Limits bounded.Limits `yaml:"-" json:"limits,omitzero"` // of the config, where they are not the default
}

func defaultCount() Count {
	return Count{From: CountAlignments, Overlap: label.OverlapAny, Boilerplate: true}
}

// Counts is about passages with their quote counts.
type Counts struct {
	Genre     string `yaml:"genre" json:"genre" doc:"which positional tokens are used: those for scripture, drama, prose or latin"`
	Folds     int    `yaml:"folds" json:"folds" doc:"folds of the cross validation"`
	FoldsBy   string `yaml:"folds_by" json:"folds_by" doc:"work (editions of a work are in one fold) or author (all works of one author are in one fold, however the name is spelled)"`
	EvenFolds bool   `yaml:"even_folds" json:"even_folds" doc:"assigns works to folds so that all folds have about as many passages; a new document can then move others to another fold"`
	Sequence  int    `yaml:"sequence" json:"sequence" doc:"most word pieces in a sequence, [CLS] and the [SEP] after each passage among them"`
	Pairs     int    `yaml:"pairs" json:"pairs" doc:"number of less quoted passages paired with each quoted one; the paper has 1, 3, 5 and 10"`
	Language  int    `yaml:"language" json:"language" doc:"makes the table language, from the words and pairs of words that at least this many passages have, such as 5; 0 makes no table"`
}

// Replies is about conversations.
type Replies struct {
	Language   string `yaml:"language" json:"language" doc:"en (the context ends between sentences, and the target is one sentence) or zh (the context ends between words, and the target is up to four words)"`
	Dictionary string `yaml:"dictionary" json:"-" doc:"zh: file of Chinese words, relative to the config file, in jieba's format: on each line a word, its frequency and, if you like, its part of speech. The context then ends between words as this file divides the text. Without it, a Han character counts as a word, unless white space divides the words"`
	Added      int    `yaml:"added" json:"added" doc:"<gen> examples per conversation; 0 makes one at every possible place"`
}

// Windows is about quotations with the sentences around them.
type Windows struct {
	Cut        string   `yaml:"cut" json:"cut" doc:"sentence segmenter for the secondary sources"`
	Sentences  int      `yaml:"sentences" json:"sentences" doc:"sentences of context on either side"`
	Shared     int      `yaml:"min_shared_characters" json:"shared" doc:"a neighbouring sentence is part of the quotation if it has at least this many characters in common with the source's sentence"`
	Similarity float64  `yaml:"min_similarity" json:"min_similarity" doc:"a sentence of the source counts as quoted if it has at least this similarity to the quotation as a whole (RapidFuzz's QRatio as a fraction), so a part of a sentence is no window"`
	MinMatches int      `yaml:"min_matches" json:"min_matches" doc:"a volume is kept if it has at least this many matches with one primary source"`
	MaxMatches int      `yaml:"max_matches" json:"max_matches" doc:"and at most this many; 0 is no limit"`
	TitleWords []string `yaml:"exclude_title_words" json:"title_words" doc:"volumes with one of these words in the title are excluded"`
	Language   string   `yaml:"language" json:"language" doc:"language of volumes, as their source gives it; a volume of unknown language is kept; empty keeps all"`
}

func (w Windows) Filter() label.VolumeFilter {
	return label.VolumeFilter{MinMatches: w.MinMatches, MaxMatches: w.MaxMatches, TitleWords: w.TitleWords, Language: w.Language}
}

func defaultLabel() Label {
	dates, windows, volumes := label.QuotusDates, label.DefaultWindows(), label.DefaultVolumes()
	return Label{
		Datasets:     []string{DataTriples},
		ContextWords: label.ContextWords,
		Split:        Split{Train: 0.8, Validation: 0.1, Test: 0.1, By: label.ByQuote, Seed: 1},
		Paraphrase:   defaultParaphrase(),
		Queries:      Queries{Begin: dates.Begin, TrainLast: dates.TrainLast, ValidationLast: dates.ValidationLast, TestLast: dates.TestLast},
		Counts:       Counts{Genre: string(label.Prose), Folds: label.Folds, FoldsBy: foldsByWork, Sequence: label.SequenceLimit, Pairs: 1},
		Replies:      Replies{Language: "en", Added: 1},
		Windows: Windows{
			Cut: "sentences:relic", Sentences: windows.Sentences, Shared: windows.Shared, Similarity: windows.Similarity,
			MinMatches: volumes.MinMatches, MaxMatches: volumes.MaxMatches, TitleWords: volumes.TitleWords, Language: volumes.Language,
		},
	}
}

// Makes says that a config asks for one of the datasets.
func Makes(datasets ...string) func(*Config) bool {
	return func(c *Config) bool {
		return slices.ContainsFunc(datasets, func(d string) bool { return slices.Contains(c.Label.Datasets, d) })
	}
}

// Paraphrased says that a config asks for contexts in other words.
func (c *Config) Paraphrased() bool { return Makes(DataTriples)(c) && c.Label.Paraphrase.URL != "" }

// labelPaths are the files that labelling reads.
func (c *Config) labelPaths() []*string {
	paths := []*string{&c.Label.Tokenizer, &c.Label.Split.File, &c.Label.Replies.Dictionary, &c.Label.Paraphrase.Cache, &c.Label.Queries.Given, &c.Count.File}
	for i := range c.Conversations {
		paths = append(paths, &c.Conversations[i].Path)
	}
	return paths
}

// Picks are the negatives of a config.
func Picks(negatives []string) ([]label.Pick, error) {
	var list []label.Pick
	for _, text := range negatives {
		by, number, numbered := strings.Cut(text, ":")
		p := label.Pick{By: by}
		if numbered {
			n, err := strconv.Atoi(number)
			if err != nil {
				return nil, fmt.Errorf("%q has no number after the colon, as in near:1", text)
			}
			p.N = n
		} else if by != label.All {
			return nil, fmt.Errorf("%q has no number, as near:1 has; only all has none", text)
		}
		if err := p.Validate(); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// checkLabel refuses what no dataset can be made of.
func (c *Config) checkLabel() error {
	l := c.Label
	if err := c.someOf("label.datasets", l.Datasets, dataNames); err != nil {
		return err
	}
	within := func(key string, x float64) error {
		if !(x >= 0 && x <= 1) {
			return c.Refuse(key, x, "0 to 1")
		}
		return nil
	}
	atLeast := func(key string, n, least int) error {
		if n < least {
			return c.Refuse(key, n, fmt.Sprintf("%d or more", least))
		}
		return nil
	}
	saying := func(key string, err error) error {
		if err != nil {
			return fmt.Errorf("%w: %s: %s: %w", ErrInvalid, c.Where(key), key, err)
		}
		return nil
	}
	_, negatives := Picks(l.Negatives)
	_, cut := segment.Parse(l.Windows.Cut)
	for _, err := range []error{
		atLeast("label.context_words", l.ContextWords, 0),
		within("label.min_similarity", l.MinSimilarity),
		saying("label.split", l.Split.Split().Validate()),
		saying("label.negatives", negatives),
		saying("label.queries", l.Queries.Dates().Validate()),
		c.oneOf("label.counts.genre", l.Counts.Genre, []string{string(label.Scripture), string(label.Drama), string(label.Prose), string(label.Latin)}),
		atLeast("label.counts.folds", l.Counts.Folds, 1),
		atLeast("label.counts.sequence", l.Counts.Sequence, 2),
		atLeast("label.counts.pairs", l.Counts.Pairs, 0),
		atLeast("label.counts.language", l.Counts.Language, 0),
		c.oneOf("label.replies.language", l.Replies.Language, []string{"en", "zh"}),
		atLeast("label.replies.added", l.Replies.Added, 0),
		saying("label.windows.cut", cut),
		atLeast("label.windows.sentences", l.Windows.Sentences, 0),
		atLeast("label.windows.min_shared_characters", l.Windows.Shared, 0),
		within("label.windows.min_similarity", l.Windows.Similarity),
		atLeast("label.windows.min_matches", l.Windows.MinMatches, 0),
		atLeast("label.windows.max_matches", l.Windows.MaxMatches, 0),
		c.oneOf("count.from", c.Count.From, []string{CountAlignments, CountFile, CountBoth}),
		c.oneOf("count.overlap", c.Count.Overlap, []string{label.OverlapAny, label.OverlapHalf}),
		c.oneOf("label.counts.folds_by", l.Counts.FoldsBy, []string{foldsByWork, FoldsByAuthor}),
		within("count.min_confidence", c.Count.MinConfidence),
		within("count.max_share", c.Count.MaxShare),
		c.checkCountFile(),
		c.checkConversations(),
		c.checkReplies(),
		c.checkParaphrase(),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) checkCountFile() error {
	for _, ours := range slices.Sorted(maps.Keys(c.Count.Columns)) {
		if err := c.oneOf("count.columns", ours, []string{"document", "passage", "text", "count"}); err != nil {
			return err
		}
	}
	if c.Count.From != CountAlignments && c.Count.File == "" {
		return c.Refuse("count.file", "nothing", "a CSV file of counts, since count.from is "+c.Count.From)
	}
	return nil
}

func (c *Config) checkReplies() error {
	if r := c.Label.Replies; r.Dictionary != "" && r.Language != "zh" {
		return c.Refuse("label.replies.dictionary", r.Dictionary, "left out, since label.replies.language is "+r.Language+": it is a list of Chinese words")
	}
	return nil
}

func (c *Config) checkConversations() error {
	seen := map[string]bool{}
	for i, t := range c.Conversations {
		key := fmt.Sprintf("conversations[%d].", i)
		if t.Name == "" || seen[t.Name] {
			return c.Refuse(key+"name", t.Name, "a name that no other has")
		}
		seen[t.Name] = true
		if t.Path == "" {
			return c.Refuse(key+"path", "nothing", "a JSONL file")
		}
	}
	return nil
}
