package config

import (
	"fmt"
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
)

var dataNames = []string{DataTriples, DataQueries, DataCounts, DataReplies, DataWindows}

// Label says which datasets are made, and how. docs/datasets.md explains it.
type Label struct {
	Datasets      []string   `yaml:"datasets" doc:"triples (RA-MTR), queries (Quotus), counts (passage quote counts), replies (when and what to quote), windows (RELiC)"`
	ContextWords  int        `yaml:"context_words" doc:"triples: words of context on either side of a quote"`
	MinSimilarity float64    `yaml:"min_similarity" doc:"alignments below it make no example; 1 is RA-MTR's exact search"`
	Split         Split      `yaml:"split" doc:"shares of the three splits"`
	Negatives     []string   `yaml:"negatives" doc:"passages that choices offer beside the right ones, each way with a number: near:1, bm25:1, uniform:1, tfidf:3, position:3; or all"`
	Tokenizer     string     `yaml:"tokenizer" doc:"tokenizer.json for word pieces: tags of triples, lengths of sequences; relative to the config file"`
	Paraphrase    Paraphrase `yaml:"paraphrase" doc:"triples: contexts in other words, by a language model"`
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
	By         string  `yaml:"by" json:"by" doc:"quote (what says the same is in one split), document (no work in two splits), or example (as RA-MTR does)"`
	Seed       int64   `yaml:"seed" json:"seed" doc:"another seed, another split; also of folds and of what is drawn"`
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
	Given          string `yaml:"given" json:"-" doc:"quotes file of Quotus whose alignments are compared with ours, relative to the config file"`
}

func (q Queries) Dates() label.DateSplit {
	return label.DateSplit{Begin: q.Begin, TrainLast: q.TrainLast, ValidationLast: q.ValidationLast, TestLast: q.TestLast}
}

// Count says what counts as being quoted.
type Count struct {
	From          string            `yaml:"from" json:"from" doc:"alignments, file (a list of counts from elsewhere) or both (their sum)"`
	File          string            `yaml:"file" json:"-" doc:"CSV file of counts, also .gz, relative to the config file"`
	Columns       map[string]string `yaml:"columns" json:"columns" doc:"what: the file's own column, for document, passage (its number in the document, from 1), text and count; without passage, rows count on from 1 in each document"`
	Overlap       string            `yaml:"overlap" json:"overlap" doc:"when a quotation counts for a passage: any (they share a character, the paper's) or half (the passage holds more than half of the quotation, or the quotation more than half of the passage)"`
	SameAuthor    bool              `yaml:"same_author" json:"same_author,omitempty" doc:"a quote of a list counts only in documents of its author, names compared however they are written; one whose author is unknown counts"`
	MinConfidence float64           `yaml:"min_confidence" json:"min_confidence" doc:"alignments below it do not count; the paper's is 0.9 for marked quotations"`
	Boilerplate   bool              `yaml:"boilerplate" json:"boilerplate,omitempty" doc:"also count text found at more than 16 places of the sources (alignments.places): lines that many editions have, but licences and tables of contents too"`
	MaxShare      float64           `yaml:"max_share" json:"max_share,omitempty" doc:"a document whose finds cover more than this share of a source, and a thousand characters, adapts it, as a dramatisation does its novel, and does not count for it; 0 for no bound"`

	Limits bounded.Limits `yaml:"-" json:"limits,omitzero"` // of the config, where they are not the default
}

func defaultCount() Count {
	return Count{From: CountAlignments, Overlap: label.OverlapAny, Boilerplate: true}
}

// Counts is about passages with their quote counts.
type Counts struct {
	Genre    string `yaml:"genre" json:"genre" doc:"whose positional tokens: scripture, drama, prose or latin"`
	Folds    int    `yaml:"folds" json:"folds" doc:"folds of the cross validation"`
	FoldsBy  string `yaml:"folds_by" json:"folds_by" doc:"work (editions of a work are in one fold) or author (all that one author wrote, however the name is written, and all editions of it)"`
	Sequence int    `yaml:"sequence" json:"sequence" doc:"word pieces that a sequence has at most"`
	Pairs    int    `yaml:"pairs" json:"pairs" doc:"less quoted passages for each quoted one, 1, 3, 5 or 10 in the paper"`
	Language int    `yaml:"language" json:"language" doc:"language models of quoted and of all text, of the words and pairs of words that so many passages have, such as 5; 0 makes none"`
}

// Replies is about conversations.
type Replies struct {
	Language string `yaml:"language" json:"language" doc:"en (a conversation breaks off between sentences, the target is one) or zh (between words, the target is up to four)"`
	Added    int    `yaml:"added" json:"added" doc:"<gen> examples a conversation; 0 is one at every place"`
}

// Windows is about quotations with the sentences around them.
type Windows struct {
	Cut        string   `yaml:"cut" json:"cut" doc:"how the secondary sources are cut into sentences"`
	Sentences  int      `yaml:"sentences" json:"sentences" doc:"sentences of context on either side"`
	Shared     int      `yaml:"min_shared_characters" json:"shared" doc:"characters that a neighbouring sentence shares with the source's to belong to the quotation"`
	MinCovered float64  `yaml:"min_covered" json:"min_covered" doc:"share of a sentence at a find's end that must be covered for the sentence to be quoted"`
	MinMatches int      `yaml:"min_matches" json:"min_matches" doc:"fewest finds of one primary source in a volume that is kept"`
	MaxMatches int      `yaml:"max_matches" json:"max_matches" doc:"most; 0 is any number"`
	TitleWords []string `yaml:"exclude_title_words" json:"title_words" doc:"words that a volume's title must not have"`
	Language   string   `yaml:"language" json:"language" doc:"language that a volume must be in, as its source gives it; any when empty, and one that is unknown passes"`
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
			Cut: "sentences:relic", Sentences: windows.Sentences, Shared: windows.Shared, MinCovered: windows.MinCovered,
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
	paths := []*string{&c.Label.Tokenizer, &c.Label.Paraphrase.Cache, &c.Label.Queries.Given, &c.Count.File}
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
	for i, d := range l.Datasets {
		if err := c.oneOf(fmt.Sprintf("label.datasets[%d]", i), d, dataNames); err != nil {
			return err
		}
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
		within("label.windows.min_covered", l.Windows.MinCovered),
		atLeast("label.windows.min_matches", l.Windows.MinMatches, 0),
		atLeast("label.windows.max_matches", l.Windows.MaxMatches, 0),
		c.oneOf("count.from", c.Count.From, []string{CountAlignments, CountFile, CountBoth}),
		c.oneOf("count.overlap", c.Count.Overlap, []string{label.OverlapAny, label.OverlapHalf}),
		c.oneOf("label.counts.folds_by", l.Counts.FoldsBy, []string{foldsByWork, FoldsByAuthor}),
		within("count.min_confidence", c.Count.MinConfidence),
		within("count.max_share", c.Count.MaxShare),
		c.checkCountFile(),
		c.checkConversations(),
		c.checkParaphrase(),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) checkCountFile() error {
	for ours := range c.Count.Columns {
		if err := c.oneOf("count.columns", ours, []string{"document", "passage", "text", "count"}); err != nil {
			return err
		}
	}
	if c.Count.From != CountAlignments && c.Count.File == "" {
		return c.Refuse("count.file", "nothing", "a CSV file of counts, since count.from is "+c.Count.From)
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
