package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/crawl"
)

// Kind is what a config knows of one kind of source: its keys, what they may be,
// and the words of the documentation. How documents are listed and read is under
// the same name in pipelines/ingest.
type Kind struct {
	Name string

	Short   string // after the name, in the reference of the key kind
	Files   string // what the key files names, in its reference, where it is peculiar
	Reads   string // what is read, in docs/sources.md
	Decides string // what decides which documents there are and what they say, there too

	Help  []string     // in the help of crawl --source, a line each; none: the kind needs a config
	Flags []SourceFlag // of crawl --source

	Defaults func(s *Source)           // of keys of its own; every source has them
	Paths    func(s *Source) []*string // the same: those that are paths

	Columns  []string // what the key columns may name
	Metadata bool     // the key metadata may be set
	OnDisk   bool     // files are of this machine, and in no bucket

	FromFiles  bool                                        // a source may be read from files
	Check      func(c *Config, key string, s Source) error // of a source that is read from files; key ends with a full stop
	CheckFetch func(c *Config, key string, s Source) error // of a source that is fetched; nil: none is
}

// SourceFlag is a flag of crawl --source. A kind may share one with another kind.
type SourceFlag struct {
	Name     string
	Formerly string // its name in version 0.1.0, where that was another
	Usage    string
	Value    func(s *Source) any // where it goes: *string, *int64, *[]int64 or *[]string
	Words    bool                // of *[]string: one flag may give several, with commas
}

// KindNamed is the kind of a name.
func KindNamed(name string) (Kind, bool) {
	for _, k := range Kinds() {
		if k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}

// kindNames are the kinds of sources, sorted.
func kindNames() []string {
	var names []string
	for _, k := range Kinds() {
		names = append(names, k.Name)
	}
	slices.Sort(names)
	return names
}

// Fetched says that a source is fetched and not read from files.
func (s Source) Fetched() bool {
	k, known := KindNamed(s.Kind)
	return known && !k.FromFiles || s.Fetch.on()
}

// check refuses settings that make no sense for a source of the kind.
func (k Kind) check(c *Config, key string, s Source) error {
	if len(s.Metadata) > 0 && !k.Metadata {
		return c.Refuse(key+"metadata", "set", "left out: only sources of the kind "+strings.Join(kindsWith(func(k Kind) bool { return k.Metadata }), ", ")+" take it")
	}
	if s.Fetched() && k.CheckFetch == nil {
		return c.Refuse(key+"fetch", "set", "left out: sources of the kind "+k.Name+" are read from files")
	}
	for _, ours := range slices.Sorted(maps.Keys(s.Columns)) {
		if k.Columns == nil {
			break
		}
		if err := c.oneOf(key+"columns", ours, k.Columns); err != nil {
			return err
		}
	}
	switch {
	case s.Fetched():
		return k.CheckFetch(c, key, s)
	case k.Check != nil:
		return k.Check(c, key, s)
	}
	return nil
}

func kindsWith(has func(Kind) bool) []string {
	var names []string
	for _, k := range Kinds() {
		if has(k) {
			names = append(names, k.Name)
		}
	}
	return names
}

// kindDocs fills in what the kinds say of the keys kind and files.
func kindDocs(doc string) string {
	var short, files []string
	for _, k := range Kinds() {
		short = append(short, k.Name+" ("+k.Short+")")
		if k.Files != "" {
			files = append(files, "for "+k.Name+" "+k.Files)
		}
	}
	last := len(short) - 1
	return strings.NewReplacer("{kinds}", strings.Join(short[:last], ", ")+" or "+short[last], "{files of kinds}", strings.Join(files, "; ")).Replace(doc)
}

// KindTable is the table of kinds in docs/sources.md.
func KindTable() string {
	var b strings.Builder
	b.WriteString("| kind | what is read | what decides |\n| --- | --- | --- |\n")
	for _, k := range Kinds() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.Name, k.Reads, k.Decides)
	}
	return b.String()
}

// isAddress says that a text is the address of a web server.
func isAddress(s string) bool {
	_, err := crawl.ParseAddress(s)
	return err == nil
}
