package config

import (
	"fmt"
	"maps"
	"slices"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/files"
)

// SpanFile is a file of places in documents that are quoted.
type SpanFile struct {
	Name    string            `yaml:"name" json:"name" doc:"name in spans.source, unique in the config"`
	Path    string            `yaml:"path" json:"-" doc:"JSONL file, also .gz, relative to the config file: document, begin and end in code points of documents.text, and if there are any count and text"`
	By      string            `yaml:"by" json:"-" doc:"who quotes: readers, editors, or empty"`
	Columns map[string]string `yaml:"columns" json:"columns" doc:"the file's own field names, for document, begin, end, text (must be the document's text at that place) and count (for a list, its length; without the field each line counts 1)"`

	Limits bounded.Limits `yaml:"-" json:"limits,omitzero"` // of the config, where they are not the default
}

func (c *Config) checkSpans() error {
	seen := map[string]bool{}
	for i, s := range c.Spans {
		key := fmt.Sprintf("spans[%d].", i)
		if s.Name == "" || seen[s.Name] {
			return c.Refuse(key+"name", s.Name, "a name that no other file has")
		}
		seen[s.Name] = true
		if s.Path == "" {
			return c.Refuse(key+"path", "nothing", "a JSONL file")
		}
		if err := c.oneOf(key+"by", s.By, quoters); err != nil {
			return err
		}
		for _, ours := range slices.Sorted(maps.Keys(s.Columns)) {
			if err := c.oneOf(key+"columns", ours, files.SpanFields); err != nil {
				return err
			}
		}
	}
	return nil
}
