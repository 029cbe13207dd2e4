package config

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/align/pairs"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/segment"
)

// Runners that --runner takes.
var runnerNames = []string{EmbeddedRunner, "direct", FlinkRunner, DataflowRunner, GoroutineRunner}

// Limits of what a config may ask for.
const (
	mostShards    = 4096    // files of every table, and of its records
	mostBatch     = 1 << 20 // passages in memory at once
	mostChance    = 1e6
	mostResamples = 1000000
)

// check refuses a config before any work, one sentence a mistake: the key, the
// value, and what would be right.
func (c *Config) check(ctx context.Context) error {
	switch {
	case c.Out == "":
		return c.Refuse("out", c.Out, "a folder for the tables")
	case c.Shards < 0 || c.Shards > mostShards:
		return c.Refuse("shards", c.Shards, "1 to 4096, or 0 for a number that fits the text")
	case !(c.MaxRejectFraction >= 0 && c.MaxRejectFraction <= 1):
		return c.Refuse("max_reject_fraction", c.MaxRejectFraction, "0 to 1")
	case !(c.Guard.Documents >= 0 && c.Guard.Documents <= 1):
		return c.Refuse("guard.documents", c.Guard.Documents, "0 to 1")
	case !(c.Guard.Quotes >= 0 && c.Guard.Quotes <= 1):
		return c.Refuse("guard.quotes", c.Guard.Quotes, "0 to 1")
	case !(c.Guard.Spans >= 0 && c.Guard.Spans <= 1):
		return c.Refuse("guard.spans", c.Guard.Spans, "0 to 1")
	case !(c.Guard.Counts >= 0 && c.Guard.Counts <= 1):
		return c.Refuse("guard.counts", c.Guard.Counts, "0 to 1")
	case !(c.Guard.Conversations >= 0 && c.Guard.Conversations <= 1):
		return c.Refuse("guard.conversations", c.Guard.Conversations, "0 to 1")
	case !(c.Guard.Passages >= 0 && c.Guard.Passages <= 1):
		return c.Refuse("guard.passages", c.Guard.Passages, "0 to 1")
	case !(c.Guard.Alignments >= 0 && c.Guard.Alignments <= 1):
		return c.Refuse("guard.alignments", c.Guard.Alignments, "0 to 1")
	case !(c.Guard.Unreadable >= 0 && c.Guard.Unreadable <= 1):
		return c.Refuse("guard.unreadable", c.Guard.Unreadable, "0 to 1")
	case len(c.Sources) == 0 && len(c.Conversations) == 0:
		return c.Refuse("sources", "nothing", "at least one source")
	case !(c.Align.MinSimilarity >= 0 && c.Align.MinSimilarity <= 1):
		return c.Refuse("align.min_similarity", c.Align.MinSimilarity, "0 to 1")
	case c.Align.MinWords < 0:
		return c.Refuse("align.min_words", c.Align.MinWords, "0 or more")
	case !(c.Align.QuoteChance > 0 && c.Align.QuoteChance <= mostChance):
		return c.Refuse("align.quote_chance", c.Align.QuoteChance, "more than 0 and at most a million, such as 0.01")
	case !(c.Align.DocumentChance > 0 && c.Align.DocumentChance <= mostChance):
		return c.Refuse("align.document_chance", c.Align.DocumentChance, "more than 0 and at most a million, such as 1")
	case !(c.Align.MaxFalse >= 0 && c.Align.MaxFalse < 1):
		return c.Refuse("align.max_false", c.Align.MaxFalse, "0 (off) to below 1, such as 0.01")
	case !(c.Align.MinConfidence >= 0 && c.Align.MinConfidence <= 1):
		return c.Refuse("align.min_confidence", c.Align.MinConfidence, "0 to 1")
	case c.Align.PerQuote < 0:
		return c.Refuse("align.per_quote", c.Align.PerQuote, "0 (all) or more")
	case c.Align.Places < 0:
		return c.Refuse("align.places", c.Align.Places, "0 (all) or more")
	case c.Align.Pairs.Order != "" && c.Align.Pairs.Order != pairs.Older:
		return c.Refuse(c.Written("align.pairs.order"), c.Align.Pairs.Order, "older, or left out")
	case c.Align.Pairs.Days < 0:
		return c.Refuse(c.Written("align.pairs.days"), c.Align.Pairs.Days, "0 (any number) or more")
	case c.Align.PartBytes < 1:
		return c.Refuse("align.part_bytes", c.Align.PartBytes, "1 or more")
	case c.Count.Clusters && !Makes(DataClusters)(c):
		return c.Refuse("count.clusters", true, "false, or clusters among label.datasets")
	case c.Score.Batch < 0 || c.Score.Batch > mostBatch:
		return c.Refuse("score.batch", c.Score.Batch, "0 (what suits the device) to 1048576")
	case c.Score.Sentences != nil && *c.Score.Sentences < 0:
		return c.Refuse("score.sentences", *c.Score.Sentences, "0 (passages as a whole) or more")
	case len(c.Score.Folds) > 0 && (c.Score.Model != "" || c.NoModel() != nil):
		return c.Refuse("score.folds", "a list of models", "no score.model beside it: the fold models score everything")
	case len(c.Score.Folds) > 0 && (!Makes(DataCounts)(c) || len(c.Score.Folds) != c.Label.Counts.Folds):
		return c.Refuse("score.folds", fmt.Sprintf("%d models", len(c.Score.Folds)), "a model for each of label.counts.folds, and counts among label.datasets")
	case c.Evaluate.Resamples < 0 || c.Evaluate.Resamples > mostResamples:
		return c.Refuse("evaluate.resamples", c.Evaluate.Resamples, "1 to 1000000")
	case c.Evaluate.Asked() && !(c.Evaluate.Confidence > 0 && c.Evaluate.Confidence < 1):
		return c.Refuse("evaluate.confidence", c.Evaluate.Confidence, "between 0 and 1")
	case c.Rankings.Keep < 0:
		return c.Refuse("rankings.keep", c.Rankings.Keep, "0 or more")
	case c.Runner.Parallelism < 0:
		return c.Refuse("runner.parallelism", c.Runner.Parallelism, "0 (all processors) or more")
	}
	if key, value := c.Limits.Wrong(); key != "" {
		return c.Refuse("limits."+key, value, "1 or more")
	}
	c.Runner.Name = runnerNow(c.Runner.Name)
	if err := c.oneOf("runner.name", c.Runner.Name, runnerNames); err != nil {
		return err
	}
	if err := c.checkDevice(c.Score.Device); err != nil {
		return err
	}
	if err := c.oneOf("align.match", c.Align.Match, align.Matches); err != nil {
		return err
	}
	if a := c.Align.Inflected; a != "" {
		if err := c.oneOf("align.inflected", a, align.Inflections); err != nil {
			return err
		}
	}
	if err := c.oneOf("align.use", c.Align.Use, align.Searches); err != nil {
		return err
	}
	if err := c.checkSources(); err != nil {
		return err
	}
	if err := c.checkCrawl(); err != nil {
		return err
	}
	if err := c.checkQuotes(); err != nil {
		return err
	}
	if err := c.checkSpans(); err != nil {
		return err
	}
	if _, err := segment.Parse(c.Segment.By); err != nil {
		return fmt.Errorf("%w: %s: segment.by is %q: %w", ErrInvalid, c.Where("segment.by"), c.Segment.By, err)
	}
	if err := c.checkParaphrases(); err != nil {
		return err
	}
	if err := c.checkRecommend(); err != nil {
		return err
	}
	if err := c.checkEvaluate(); err != nil {
		return err
	}
	if err := c.CheckBuckets(ctx); err != nil {
		return err
	}
	return c.checkLabel()
}

func (c *Config) checkQuotes() error {
	seen := map[string]bool{}
	ours := []string{"id", "text", "author", "work", "ebook", "source"}
	for i, q := range c.Quotes {
		key := fmt.Sprintf("quotes[%d].", i)
		if q.Name == "" || seen[q.Name] {
			return c.Refuse(key+"name", q.Name, "a name that no other list has")
		}
		seen[q.Name] = true
		switch {
		case q.Gutenberg < 0:
			return c.Refuse(key+"gutenberg", q.Gutenberg, "the number of an eBook")
		case q.Gutenberg > 0 && c.Crawl.Archive == "":
			return c.Refuse("crawl.archive", "nothing", "a folder for the list that "+key+"gutenberg names, such as ../out/archive")
		case q.Gutenberg > 0 && q.Path != c.fetchedList(q):
			return c.Refuse(key+"path", q.Path, "left out with gutenberg")
		case q.Gutenberg > 0 && q.Format != "":
			return c.Refuse(key+"format", q.Format, "left out with gutenberg")
		}
		if q.Path == "" {
			return c.Refuse(key+"path", "nothing", "a JSONL or CSV file")
		}
		if err := c.oneOf(key+"by", q.By, quoters); err != nil {
			return err
		}
		if err := c.oneOf(key+"format", q.Format, []string{"", FormatQuotus}); err != nil {
			return err
		}
		if q.Format != "" && len(q.Columns) > 0 {
			return c.Refuse(key+"columns", "set", "left out: the format has columns of its own")
		}
		for _, column := range slices.Sorted(maps.Keys(q.Columns)) {
			if err := c.oneOf(key+"columns", column, ours); err != nil {
				return err
			}
		}
	}
	return nil
}

// Refuse is the sentence for an impossible value.
func (c *Config) Refuse(key string, value any, right string) error {
	return fmt.Errorf("%w: %s: %s is %v, must be %s", ErrInvalid, c.Where(key), key, quoted(value), right)
}

// Says tells whether the config's file sets a key, to whatever value.
func (c *Config) Says(key string) bool { return c.places.line(key) > 0 }

// Where is the config's file, with the line of a key where it has one.
func (c *Config) Where(key string) string {
	if line := c.places.line(key); line > 0 {
		return fmt.Sprintf("%s:%d", c.path, line)
	}
	return c.path
}

func (c *Config) oneOf(key, value string, right []string) error {
	for _, r := range right {
		if value == r {
			return nil
		}
	}
	return fmt.Errorf("%w: %s: %s is %v, must be one of %s (the nearest is %q)", ErrInvalid, c.Where(key), key, quoted(value), strings.Join(right, ", "), Nearest(value, right))
}

// someOf refuses a value of a list that is none of the right ones, or there twice.
func (c *Config) someOf(key string, values, right []string) error {
	for i, v := range values {
		at := fmt.Sprintf("%s[%d]", key, i)
		if err := c.oneOf(at, v, right); err != nil {
			return err
		}
		if slices.Contains(values[:i], v) {
			return c.Refuse(at, v, "another one: the list has it already")
		}
	}
	return nil
}

func quoted(v any) any {
	if s, ok := v.(string); ok && s != "nothing" {
		return fmt.Sprintf("%q", crawl.WithoutUser(s)) // it may be an address with a password
	}
	return v
}

// runnerNow is a runner's name today. Configs of version 0.1.0 may say prism.
func runnerNow(name string) string {
	if name == "prism" {
		return EmbeddedRunner
	}
	return name
}

// SetRunner puts the jobs on another runner than the config's.
func (c *Config) SetRunner(name string) error {
	name = runnerNow(name)
	if err := c.oneOf("runner.name", name, runnerNames); err != nil {
		return err
	}
	c.Runner.Name = name
	return nil
}

// SetDevice chooses another device than the config's for its models.
func (c *Config) SetDevice(name string) error {
	if err := c.checkDevice(name); err != nil {
		return err
	}
	c.Score.Device = name
	return nil
}

// checkDevice refuses what is no device.
func (c *Config) checkDevice(name string) error {
	if infer.CheckDevice(name) == nil {
		return nil
	}
	return c.oneOf("score.device", name, infer.Devices)
}
