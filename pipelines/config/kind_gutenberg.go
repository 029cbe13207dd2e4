package config

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/commonplace/commonplace/crawl/gutenberg"
)

// Gutenberg selects eBooks.
type Gutenberg struct {
	Catalog   string   `yaml:"catalog" json:"-" doc:"pg_catalog.csv of Project Gutenberg's feeds, also .gz. The keys below need it, except ids. It also gives titles and authors that a file lacks"`
	IDs       []int64  `yaml:"ids" json:"ids" doc:"eBook numbers; a number that the mirror does not have is rejected"`
	Languages []string `yaml:"languages" json:"languages" doc:"codes such as en; an eBook must have one of them and no other"`
	Authors   []string `yaml:"authors" json:"authors" doc:"parts of an author's name, in upper or lower case"`
	Subjects  []string `yaml:"subjects" json:"subjects" doc:"parts of a subject, a bookshelf or a class of the Library of Congress"`
	From      string   `yaml:"from" json:"from" doc:"first release date, YYYY-MM-DD"`
	To        string   `yaml:"to" json:"to" doc:"last release date, YYYY-MM-DD"`

	fetched bool // the config gives a list of numbers instead: fetch them
}

const aMirror = "the root of a mirror, such as https://gutenberg.pglaf.org/"

// Mirrors of Project Gutenberg that are for programs, asked in this order where a
// config names books by number alone.
var gutenbergMirrors = []string{"https://gutenberg.pglaf.org/", "https://mirrors.pglaf.org/gutenberg/"}

// UnmarshalYAML takes a list of numbers too: those books, fetched.
func (g *Gutenberg) UnmarshalYAML(decode func(any) error) error {
	var list []any // of numbers, which the reader of YAML would make whole
	if decode(&list) == nil {
		ids := make([]int64, len(list))
		for i, n := range list {
			if whole, err := strconv.ParseInt(fmt.Sprint(n), 10, 64); err == nil {
				ids[i] = whole
			} // else 0, which is no number of an eBook
		}
		*g = Gutenberg{IDs: ids, fetched: true}
		return nil
	}
	type plain Gutenberg
	return decode((*plain)(g))
}

// ByNumber says that the eBooks are those of the numbers, and that no catalogue is
// needed to know them.
func (g Gutenberg) ByNumber() bool {
	return g.Catalog == "" && len(g.IDs) > 0 && !g.narrowed()
}

// narrowed says that there are conditions that only a catalogue answers.
func (g Gutenberg) narrowed() bool {
	return len(g.Languages) > 0 || len(g.Authors) > 0 || len(g.Subjects) > 0 || g.From != "" || g.To != ""
}

// Selection is the catalogue's own.
func (g Gutenberg) Selection() gutenberg.Selection {
	return gutenberg.Selection{IDs: g.IDs, Languages: g.Languages, Authors: g.Authors, Subjects: g.Subjects, From: g.From, To: g.To}
}

var gutenbergKind = Kind{
	Name:    "gutenberg",
	Short:   "a local mirror of Project Gutenberg",
	Files:   "the root folder, or an archive of it",
	Reads:   "a mirror in either layout, `1/2/3/4/12345/12345-0.txt` and `cache/epub/12345/pg12345.txt[.gz]`; the weekly archive of all texts, `txt-files.tar.zip`, and other tar archives of a mirror; with `fetch`, mirrors on the network",
	Decides: "the best file of each eBook is read, in this order: `-0`, `pgN`, `-8`, `-5`, plain; a text before its zip. `old/` is skipped. The catalogue selects by language, author, subject, number and release date",
	Help:    []string{"a local mirror of Project Gutenberg, in either layout"},
	Flags: []SourceFlag{
		{Name: "catalog", Usage: "pg_catalog.csv, also .gz", Value: func(s *Source) any { return &s.Gutenberg.Catalog }},
		{Name: "id", Usage: "eBook numbers", Value: func(s *Source) any { return &s.Gutenberg.IDs }},
		{Name: "language", Usage: "languages of the catalogue", Value: func(s *Source) any { return &s.Gutenberg.Languages }, Words: true},
		{Name: "author", Usage: "part of an author's name", Value: func(s *Source) any { return &s.Gutenberg.Authors }},
		{Name: "subject", Usage: "part of a subject", Value: func(s *Source) any { return &s.Gutenberg.Subjects }},
		{Name: "from", Usage: "first release date", Value: func(s *Source) any { return &s.Gutenberg.From }},
		{Name: "to", Usage: "last release date", Value: func(s *Source) any { return &s.Gutenberg.To }},
	},
	Paths:      func(s *Source) []*string { return []*string{&s.Gutenberg.Catalog} },
	FromFiles:  true,
	Check:      checkGutenberg,
	CheckFetch: checkGutenbergFetch,
}

func checkGutenberg(c *Config, key string, s Source) error {
	g := s.Gutenberg
	if g.Catalog == "" && g.narrowed() {
		return c.Refuse(key+"gutenberg.catalog", "nothing", "the pg_catalog.csv by which languages, authors, subjects and dates are known")
	}
	return checkChoice(c, key, s)
}

func checkGutenbergFetch(c *Config, key string, s Source) error {
	for i, m := range s.Fetch.Mirrors {
		if !isAddress(m) {
			return c.Refuse(fmt.Sprintf("%sfetch.mirrors[%d]", key, i), m, aMirror)
		}
	}
	switch {
	case len(s.Fetch.Mirrors) == 0:
		return c.Refuse(key+"fetch.mirrors", "nothing", "at least one mirror")
	case len(s.Files) > 0:
		return c.Refuse(key+"files", strings.Join(s.Files, ", "), "empty with fetch.mirrors; use one source for a local mirror and another for remote ones")
	case s.Fetch.Catalog != "" && !isAddress(s.Fetch.Catalog):
		return c.Refuse(key+"fetch.catalog", s.Fetch.Catalog, "an address; a file is named by gutenberg.catalog")
	}
	return checkChoice(c, key, s)
}

var dayForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// checkChoice checks numbers, and the form of a selection's release dates.
func checkChoice(c *Config, key string, s Source) error {
	g := s.Gutenberg
	key += "gutenberg."
	for i, n := range g.IDs {
		if n < 1 {
			return c.Refuse(fmt.Sprintf("%sids[%d]", key, i), n, "the number of an eBook")
		}
	}
	for _, day := range []struct{ key, value string }{{"from", g.From}, {"to", g.To}} {
		if day.value != "" && !dayForm.MatchString(day.value) {
			return c.Refuse(key+day.key, day.value, "a day, such as 2004-12-31")
		}
	}
	return nil
}
