package config

import (
	"fmt"
	"strings"

	"github.com/commonplace/commonplace/align/pairs"
)

// Reuse compares a collection with itself. It is short for settings of other keys.
type Reuse struct {
	Differ []string `yaml:"differ" doc:"as align.pairs.differ: two documents with a common value in one of these fields are not compared, such as [series]"`
	Order  string   `yaml:"order" doc:"as align.pairs.order: older, or left out"`
	Days   int      `yaml:"days" doc:"as align.pairs.days"`
	Ignore string   `yaml:"ignore" doc:"as align.ignore: file of phrases that never count"`

	asked bool
}

// UnmarshalYAML notes that a config has the key.
func (r *Reuse) UnmarshalYAML(decode func(any) error) error {
	type plain Reuse
	var p plain
	if err := decode(&p); err != nil {
		return err
	}
	*r = Reuse(p)
	r.asked = true
	return nil
}

// spread writes the settings that reuse stands for: sources have the role both and the
// dataset is clusters, unless the config says otherwise.
func (c *Config) spread() error {
	r := c.Reuse
	if !r.asked {
		return nil
	}
	for _, key := range []string{"align.pairs", "align.ignore"} {
		if _, given := c.places[key]; given {
			return fmt.Errorf("%w: %s: %s and reuse are both there; write the rules in one of them", ErrInvalid, c.Where(key), key)
		}
	}
	for i := range c.Sources {
		if _, given := c.places[fmt.Sprintf("sources[%d].role", i)]; !given {
			c.Sources[i].Role = "both"
		}
	}
	if _, given := c.places["label.datasets"]; !given {
		c.Label.Datasets = []string{DataClusters}
	}
	c.Align.Pairs = pairs.Rules{Differ: r.Differ, Order: r.Order, Days: r.Days}
	c.Align.Ignore = r.Ignore
	return nil
}

// Written gives a key of align, with whatever follows it, the name that the config's file has:
// that of reuse, where the rules are written there.
func (c *Config) Written(key string) string {
	for _, short := range [][2]string{{"align.pairs", "reuse"}, {"align.ignore", "reuse.ignore"}} {
		if rest, is := strings.CutPrefix(key, short[0]); is && c.Reuse.asked {
			return short[1] + rest
		}
	}
	return key
}
