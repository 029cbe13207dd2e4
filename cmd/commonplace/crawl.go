package main

import (
	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace/pipelines"
)

// addSource makes crawl work without a config: --source and --local describe
// one source.
func addSource(c *cobra.Command, g *globalFlags, f *runFlags) {
	s := pipelines.NewSource("")
	var kind, name string
	var local []string
	var shards int
	c.Use = "crawl CONFIG | --source KIND --local PATH --out DIR [-- BEAM FLAGS]"
	c.Long = `Read sources into the table documents: those of a config, or one that is
described here.

  --source files       folders, files and globs of .txt, .xml (TEI), .html, each
                       also .gz, and .zip; .jsonl and .parquet when named
  --source gutenberg   a local mirror of Project Gutenberg, in either layout
  --source hathitrust  a research data set: pairtree, page zips, METS
  --source warc        texts and pages that any crawler kept in WARC files
  --source quotus      transcripts with a date in their names or first lines

What is refused becomes a row of the table rejects, with its reason.`
	c.Example += "\n" + examples(
		"commonplace crawl --source gutenberg --local mirror --out out/books",
		"commonplace crawl --source gutenberg --local mirror --catalog pg_catalog.csv.gz --language en --subject poetry --out out/poems",
		"commonplace crawl --source hathitrust --local dataset --hathifile hathi_full.txt.gz --language eng --out out/volumes",
		"commonplace crawl --source files --local 'texts/**/*.jsonl' --out out/texts",
	)
	flags := c.Flags()
	flags.StringVar(&kind, "source", "", "files, gutenberg, hathitrust, quotus or warc: crawl without a config")
	flags.StringArrayVar(&local, "local", nil, "folder, file or glob of the source; may be given several times")
	flags.StringVar(&name, "name", "", "documents.source (default: the kind)")
	flags.StringVar(&s.Role, "role", s.Role, "source, derived or both")
	flags.IntVar(&shards, "shards", pipelines.DefaultConfig().Shards, "shards of the table")
	flags.StringVar(&s.Gutenberg.Catalog, "catalog", "", "gutenberg: pg_catalog.csv, also .gz")
	flags.Int64SliceVar(&s.Gutenberg.IDs, "id", nil, "gutenberg: eBook numbers")
	languages := flags.StringSlice("language", nil, "gutenberg, hathitrust: languages of the catalogue or the hathifile")
	flags.StringArrayVar(&s.Gutenberg.Authors, "author", nil, "gutenberg: part of an author's name")
	flags.StringArrayVar(&s.Gutenberg.Subjects, "subject", nil, "gutenberg: part of a subject")
	flags.StringVar(&s.Gutenberg.From, "from", "", "gutenberg: first release date")
	flags.StringVar(&s.Gutenberg.To, "to", "", "gutenberg: last release date")
	flags.StringArrayVar(&s.HathiTrust.Hathifiles, "hathifile", nil, "hathitrust: a hathifile, also .gz")
	flags.StringSliceVar(&s.HathiTrust.WithoutWords, "without-word", nil, "hathitrust: no volume with this word in its title")
	flags.StringVar(&s.HathiTrust.Matches, "matches", "", "hathitrust: CSV with the columns htid and matches")
	flags.Int64Var(&s.HathiTrust.LeastMatches, "least-matches", 0, "hathitrust: fewest matches of a volume")
	flags.Int64Var(&s.HathiTrust.MostMatches, "most-matches", 0, "hathitrust: most matches of a volume (default: no limit)")
	staged := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if !flags.Changed("source") {
			for _, flag := range []string{"local", "name", "role", "shards", "catalog", "id", "language", "author", "subject", "from", "to", "hathifile", "without-word", "matches", "least-matches", "most-matches"} {
				if flags.Changed(flag) {
					return usage("--%s goes with --source; a config says it itself", flag)
				}
			}
			return staged(c, args)
		}
		own, beam := beamFlags(c, args)
		switch {
		case len(own) > 0:
			return usage("give a config or --source, not both")
		case len(local) == 0:
			return usage("crawl --source %s needs --local, the folder, file or glob to read", kind)
		case f.out == "":
			return usage("crawl --source %s needs --out, the folder of the tables", kind)
		}
		s.Kind, s.Name, s.Files = kind, kind, local
		if name != "" {
			s.Name = name
		}
		s.Gutenberg.Languages, s.HathiTrust.Languages = nil, nil
		if kind == "hathitrust" {
			s.HathiTrust.Languages = *languages
		} else {
			s.Gutenberg.Languages = *languages
		}
		config, err := pipelines.SourceConfig(s, f.out, shards)
		if err != nil {
			return err
		}
		if config, err = f.lay(c, config, beam); err != nil {
			return err
		}
		return f.run(c, g, config, []string{"crawl"})
	}
}
