package config

import (
	"fmt"
	"strings"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/storage"
)

// Source is one origin of documents. Its kind says which of the parts below it
// is looked at.
type Source struct {
	Name     string   `yaml:"name" json:"name" doc:"name in documents.source, unique in the config"`
	Kind     string   `yaml:"kind" json:"kind" doc:"{kinds}"`
	Files    []string `yaml:"files" json:"-" doc:"folders, files or globs (** too), relative to the config file. Texts are .txt, .xml (TEI) and .html, each also .gz, and archives: .zip, .tar, .tar.gz, .tar.zip. Lists are .jsonl and .parquet, when they are named or matched by a glob. Other kinds: {files of kinds}"`
	Metadata []string `yaml:"metadata" json:"-" doc:"of files: JSONL files beside them, also .gz. They give title, author, date, language, rights and genre of documents by their id. A later file prevails over an earlier one and over the text's own"`
	Frame    string   `yaml:"frame" json:"frame" doc:"auto (remove a Project Gutenberg frame where there is one) or none (keep the decoded file whole)"`
	Role     string   `yaml:"role" json:"role" doc:"source (is cut, searched and ranked), derived (quotes the sources) or both"`
	Language string   `yaml:"language" json:"language" doc:"language where the file does not say: a code such as de, or a name, of which documents.language has the code"`
	Rights   string   `yaml:"rights" json:"rights" doc:"documents.rights where the file does not say"`
	MaxBytes int64    `yaml:"max_bytes" json:"max_bytes" doc:"a document that is longer after decompression is rejected"`

	Where Conditions `yaml:"where" json:"where,omitempty" doc:"which documents are taken: a map of fields, columns of documents or names in its metadata, to a value or a list of values, such as {author: Jane Austen, series: [A, B], date: 1811/1818}. A document must have one of the values of every field. Author is a name in any spelling, language a code or a name, and date a period, in which all days must lie that the document's date can mean; one side may be .., as in 1850/.."`

	Fetch Fetch `yaml:"fetch" json:"-" doc:"with mirrors or an endpoint, the source is fetched from servers, politely, and stored as WARC files in the folder archive beside the tables"`

	Columns    map[string]string `yaml:"columns" json:"columns" doc:"the files' own names: for passages, of the columns document, chapter, verse and text; for metadata, of the fields id, title, author, date, language, rights and genre. A field whose value is true gives its own name: with genre: fiction, a document with fiction: true has the genre fiction"`
	Gutenberg  Gutenberg         `yaml:"gutenberg" json:"gutenberg" doc:"which eBooks of a mirror are read; an eBook must meet every condition that is set. A list of numbers, such as gutenberg: [1342, 84], is a source of those books, fetched from mirrors"`
	HathiTrust HathiTrust        `yaml:"hathitrust" json:"hathitrust" doc:"which volumes of a data set are read, and how"`

	Limits bounded.Limits `yaml:"-" json:"limits,omitzero"` // of the config, where they are not the default
}

// Fetch says what a source is fetched from.
type Fetch struct {
	Mirrors  []string `yaml:"mirrors" json:"-" doc:"gutenberg: roots of mirrors, in the order in which they are asked, such as https://gutenberg.pglaf.org/"`
	Catalog  string   `yaml:"catalog" json:"-" doc:"gutenberg: address of pg_catalog.csv, also .gz (default: cache/epub/feeds/pg_catalog.csv.gz of the mirrors); gutenberg.catalog, a file, comes before it"`
	Archive  string   `yaml:"archive" json:"-" doc:"articles: address form for dead links, with {url} and {time}, such as https://web.archive.org/web/{time}id_/{url}"`
	Endpoint string   `yaml:"endpoint" json:"-" doc:"hathitrust: root of a page endpoint with signed keys, such as https://babel.hathitrust.org/cgi/htd"`
	Key      string   `yaml:"key" json:"-" doc:"hathitrust: environment variable that holds the access key"`
	Secret   string   `yaml:"secret" json:"-" doc:"hathitrust: environment variable that holds the secret key"`
}

// on says that the source is fetched: servers are named. Other keys alone, such as
// those of credentials, leave it a source of files.
func (f Fetch) on() bool { return len(f.Mirrors) > 0 || f.Endpoint != "" }

// Kinds are all kinds of sources, in the order of the documentation.
func Kinds() []Kind {
	return []Kind{filesKind, gutenbergKind, hathitrustKind, quotusKind, articlesKind, warcKind, passagesKind}
}

// defaultSource holds the defaults of one entry of sources.
func defaultSource() Source {
	s := Source{Kind: KindFiles, Frame: files.FrameAuto, Role: "source", MaxBytes: 256 << 20}
	for _, k := range Kinds() {
		if k.Defaults != nil {
			k.Defaults(&s)
		}
	}
	return s
}

// UnmarshalYAML fills in what an entry of sources leaves out.
func (s *Source) UnmarshalYAML(decode func(any) error) error {
	type plain Source
	p := plain(defaultSource())
	if err := decode(&p); err != nil {
		return err
	}
	*s = Source(p)
	if s.Gutenberg.fetched { // gutenberg: [1342, 84] says all that is needed
		s.Kind = gutenbergKind.Name
	}
	return nil
}

// paths are the source's paths, to be resolved.
func (s *Source) paths() []*string {
	var paths []*string
	for i := range s.Files {
		paths = append(paths, &s.Files[i])
	}
	for i := range s.Metadata {
		paths = append(paths, &s.Metadata[i])
	}
	for _, k := range Kinds() {
		if k.Paths != nil {
			paths = append(paths, k.Paths(s)...)
		}
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
		kind, known := KindNamed(s.Kind)
		if !known {
			return c.oneOf(key+"kind", s.Kind, kindNames())
		}
		if len(s.Files) == 0 && !s.Fetched() {
			return c.Refuse(key+"files", "nothing", "at least one folder, file or glob")
		}
		for _, f := range s.Files {
			if below(f, c.Out) && !below(f, storage.Join(c.Out, ArchiveFolder)) {
				return c.Refuse(key+"files", f, "files outside out, which this run writes")
			}
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
		if err := c.checkWhere(key+"where", s.Where); err != nil {
			return err
		}
		if err := kind.check(c, key, s); err != nil {
			return err
		}
	}
	return nil
}

// below reports whether a path is a folder or in it.
func below(path, folder string) bool {
	return strings.HasPrefix(storage.Join(path)+"/", strings.TrimSuffix(storage.Join(folder), "/")+"/")
}

// HasSources says whether the run has documents.
func (c *Config) HasSources() bool { return len(c.Sources) > 0 }
