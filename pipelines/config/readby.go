package config

import (
	"path/filepath"
	"slices"

	"github.com/commonplace/commonplace/storage"
)

// readBy says what each stage reads beside tables: keys of the config that hold paths.
// A test holds that no path of [Config.Inputs] is missing. The engine's fingerprints
// have their own account of it; this one is for people, see pipelines/lineage.
var readBy = map[string]func(*Config) []*string{
	"crawl": func(c *Config) []*string {
		var paths []*string
		for i := range c.Sources {
			paths = append(paths, c.Sources[i].paths()...)
		}
		return paths
	},
	"quotes": func(c *Config) []*string {
		var paths []*string
		for i := range c.Quotes {
			paths = append(paths, &c.Quotes[i].Path)
		}
		return paths
	},
	"spans": func(c *Config) []*string {
		var paths []*string
		for i := range c.Spans {
			paths = append(paths, &c.Spans[i].Path)
		}
		return paths
	},
	"conversations": func(c *Config) []*string {
		var paths []*string
		for i := range c.Conversations {
			paths = append(paths, &c.Conversations[i].Path)
		}
		return paths
	},
	"match":             func(c *Config) []*string { return []*string{&c.Align.Counts, &c.Align.Ignore} },
	"align":             func(c *Config) []*string { return []*string{&c.Align.Counts, &c.Align.Ignore} },
	"count":             func(c *Config) []*string { return []*string{&c.Count.File} },
	"sentence_vectors":  func(c *Config) []*string { return []*string{&c.Paraphrases.Model} },
	"label":             func(c *Config) []*string { return []*string{&c.Label.Tokenizer, &c.Label.Split.File} },
	"sequence":          func(c *Config) []*string { return []*string{&c.Label.Tokenizer} },
	"window":            splits,
	"language":          splits,
	"position_tokens":   splits,
	"reply":             func(c *Config) []*string { return append(splits(c), &c.Label.Replies.Dictionary) },
	"compare_reference": func(c *Config) []*string { return []*string{&c.Label.Queries.Given} },
	"score": func(c *Config) []*string {
		paths := []*string{&c.Score.Model}
		for i := range c.Score.Folds {
			paths = append(paths, &c.Score.Folds[i])
		}
		return paths
	},
	"recommend": func(c *Config) []*string {
		return slices.DeleteFunc(c.Recommend.paths(), func(p *string) bool { return p == &c.Recommend.When })
	},
	"when_to_quote": func(c *Config) []*string { return []*string{&c.Recommend.When} },
}

func splits(c *Config) []*string { return []*string{&c.Label.Split.File} }

// ReadBy are the places that a stage reads beside tables, in their order: files and
// folders, those of this machine absolute, and addresses that it fetches from.
func (c *Config) ReadBy(stage string) []string {
	var places []string
	if paths, ok := readBy[stage]; ok {
		for _, p := range paths(c) {
			if *p != "" {
				places = append(places, absolute(*p))
			}
		}
	}
	if stage == "crawl" {
		for _, s := range c.Sources {
			places = append(places, s.Fetch.Mirrors...)
			if s.Fetch.Endpoint != "" {
				places = append(places, s.Fetch.Endpoint)
			}
		}
	}
	return places
}

// absolute is a path of this machine from its root; where that cannot be told, as it is.
func absolute(path string) string {
	if all, err := filepath.Abs(path); err == nil && !storage.Remote(path) {
		return all
	}
	return path
}
