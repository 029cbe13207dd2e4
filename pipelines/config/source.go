package config

import (
	"fmt"
	"slices"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/crawl/gutenberg"
	"github.com/commonplace/commonplace/crawl/hathitrust"
)

// Source is one origin of documents. Its kind says which of the parts below it
// is looked at.
type Source struct {
	Name     string   `yaml:"name" json:"name" doc:"name in documents.source, unique in the config"`
	Kind     string   `yaml:"kind" json:"kind" doc:"files (folders, files and globs), gutenberg (a local mirror of Project Gutenberg), hathitrust (a research data set), quotus (transcripts with a date), articles (news articles, fetched), warc (what any crawler kept in WARC files) or passages (CSV files, by their names, with one line a passage)"`
	Files    []string `yaml:"files" json:"-" doc:"folders, files or globs (** too), relative to the config file: .txt, .xml (TEI), .html, each also .gz, and .zip; .jsonl and .parquet when they are named or matched by a glob; for gutenberg and hathitrust the root folder; for articles lists of addresses: one a line, JSONL with id, url, title and date, or the quotes file of Quotus; for warc .warc and .warc.gz; for hathitrust with fetch.endpoint lists of volume ids, one a line"`
	Metadata []string `yaml:"metadata" json:"-" doc:"of files: JSONL files beside them, also .gz, that say of documents, by their id, title, author, date, language, rights and genre; a later file adds to an earlier one and prevails over it and over the text's own"`
	Frame    string   `yaml:"frame" json:"frame" doc:"auto (remove a Project Gutenberg frame where there is one) or none (keep the decoded file whole)"`
	Role     string   `yaml:"role" json:"role" doc:"source (is cut, searched and ranked), derived (quotes the sources) or both"`
	Language string   `yaml:"language" json:"language" doc:"documents.language where the file does not say"`
	Rights   string   `yaml:"rights" json:"rights" doc:"documents.rights where the file does not say"`
	MaxBytes int64    `yaml:"max_bytes" json:"max_bytes" doc:"a document that is longer after decompression is rejected"`

	Fetch Fetch `yaml:"fetch" json:"-" doc:"with any of it set, the source is fetched: from servers, politely, and kept as WARC files in the folder archive beside the tables"`

	Columns    map[string]string `yaml:"columns" json:"columns" doc:"of passages, what: the file's own column, for document, chapter, verse and text; of metadata, for id, title, author, date, language, rights and genre (a field that holds true stands for its name: genre: fiction)"`
	Gutenberg  Gutenberg         `yaml:"gutenberg" json:"gutenberg" doc:"which eBooks of a mirror are taken; every condition that is given must hold"`
	HathiTrust HathiTrust        `yaml:"hathitrust" json:"hathitrust" doc:"which volumes of a data set are taken, and how they are read"`

	Limits bounded.Limits `yaml:"-" json:"limits,omitzero"` // of the config, where they are not the default
}

// Kinds of sources.
const (
	KindFiles      = "files"
	KindGutenberg  = "gutenberg"
	KindHathiTrust = "hathitrust"
	KindQuotus     = "quotus"
	KindArticles   = "articles" // always fetched
	KindWARC       = "warc"
	KindPassages   = "passages"
)

// Gutenberg selects eBooks.
type Gutenberg struct {
	Catalog   string   `yaml:"catalog" json:"-" doc:"pg_catalog.csv of Project Gutenberg's feeds, also .gz; needed by what follows, ids aside, and read for titles and authors that a file does not give"`
	IDs       []int64  `yaml:"ids" json:"ids" doc:"eBook numbers; one that the mirror does not have is rejected"`
	Languages []string `yaml:"languages" json:"languages" doc:"codes such as en; an eBook must have one of them and no other"`
	Authors   []string `yaml:"authors" json:"authors" doc:"parts of an author's name, whatever the case"`
	Subjects  []string `yaml:"subjects" json:"subjects" doc:"parts of a subject, a bookshelf or a class of the Library of Congress"`
	From      string   `yaml:"from" json:"from" doc:"first release date, YYYY-MM-DD"`
	To        string   `yaml:"to" json:"to" doc:"last release date, YYYY-MM-DD"`
}

// Selection is the catalogue's own.
func (g Gutenberg) Selection() gutenberg.Selection {
	return gutenberg.Selection{IDs: g.IDs, Languages: g.Languages, Authors: g.Authors, Subjects: g.Subjects, From: g.From, To: g.To}
}

// HathiTrust selects volumes and says how they are read.
type HathiTrust struct {
	Hathifiles   []string `yaml:"hathifiles" json:"-" doc:"hathifiles, also .gz: titles, authors, dates, languages and rights; needed by languages and exclude_title_words"`
	Languages    []string `yaml:"languages" json:"languages" doc:"codes of three letters such as eng; empty takes all"`
	WithoutWords []string `yaml:"exclude_title_words" json:"without_words" doc:"no volume whose title has one of these words, such as dictionary (RELiC, Appendix A)"`
	Matches      string   `yaml:"matches" json:"-" doc:"CSV with the columns htid and matches, a line for each primary source that a volume matches; also .gz"`
	LeastMatches int64    `yaml:"min_matches" json:"least_matches" doc:"with matches: a volume is taken when for one primary source it has no fewer"`
	MostMatches  int64    `yaml:"max_matches" json:"most_matches" doc:"and no more than this; 0 is no limit"`
	Heads        bool     `yaml:"heads" json:"heads" doc:"take running heads, feet and page numbers out of the text; they stand in documents.pages"`
	Hyphens      bool     `yaml:"hyphens" json:"hyphens" doc:"put words together that a hyphen breaks over lines and pages; documents.hyphens says where"`
	MaxPages     int      `yaml:"max_pages" json:"max_pages" doc:"a volume of more pages is rejected"`
}

func (h HathiTrust) Filter() hathitrust.Filter {
	return hathitrust.Filter{Languages: h.Languages, TitleWords: h.WithoutWords}
}

// DefaultSource holds the defaults of one entry of sources.
func DefaultSource() Source {
	return Source{Kind: KindFiles, Frame: files.FrameAuto, Role: "source", MaxBytes: 256 << 20,
		HathiTrust: HathiTrust{Heads: true, Hyphens: true, MaxPages: 20_000}}
}

// UnmarshalYAML fills in what an entry of sources leaves out.
func (s *Source) UnmarshalYAML(decode func(any) error) error {
	type plain Source
	p := plain(DefaultSource())
	if err := decode(&p); err != nil {
		return err
	}
	*s = Source(p)
	return nil
}

// Fetched says that a source is fetched and not read from files.
func (s Source) Fetched() bool { return s.Kind == KindArticles || s.Fetch.on() }

// paths are the source's paths, to be resolved.
func (s *Source) paths() []*string {
	paths := []*string{&s.Gutenberg.Catalog, &s.HathiTrust.Matches}
	for i := range s.Files {
		paths = append(paths, &s.Files[i])
	}
	for i := range s.Metadata {
		paths = append(paths, &s.Metadata[i])
	}
	for i := range s.HathiTrust.Hathifiles {
		paths = append(paths, &s.HathiTrust.Hathifiles[i])
	}
	return paths
}

func (c *Config) checkSources() error {
	seen := map[string]bool{}
	for i, s := range c.Sources {
		key := fmt.Sprintf("sources[%d].", i)
		if s.Name == "" || seen[s.Name] {
			return c.Refuse(key+"name", s.Name, "a name that no other source has")
		}
		seen[s.Name] = true
		if err := c.oneOf(key+"kind", s.Kind, kindNames()); err != nil {
			return err
		}
		if len(s.Files) == 0 && !s.Fetched() {
			return c.Refuse(key+"files", "nothing", "at least one folder, file or glob")
		}
		if len(s.Metadata) > 0 && s.Kind != KindFiles {
			return c.Refuse(key+"metadata", "set", "left out: only sources of the kind files take it")
		}
		if s.MaxBytes < 1 {
			return c.Refuse(key+"max_bytes", s.MaxBytes, "1 or more")
		}
		if err := c.oneOf(key+"frame", s.Frame, []string{files.FrameAuto, files.FrameNone}); err != nil {
			return err
		}
		if err := c.oneOf(key+"role", s.Role, []string{"source", "derived", "both"}); err != nil {
			return err
		}
		if s.Fetched() && fetchChecks[s.Kind] == nil {
			return c.Refuse(key+"fetch", "set", "left out: sources of the kind "+s.Kind+" are read from files")
		}
		if err := checkOf(s)(c, key, s); err != nil {
			return err
		}
	}
	return nil
}

// kindNames are the kinds of sources, sorted.
func kindNames() []string {
	var names []string
	for name := range sourceChecks {
		names = append(names, name)
	}
	names = append(names, KindArticles)
	slices.Sort(names)
	return names
}

// HasSources says whether the run has documents.
func (c *Config) HasSources() bool { return len(c.Sources) > 0 }
