package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/commonplace/commonplace/pipelines/config"
)

// addSource makes crawl work without a config: --source and --local describe
// one source.
func addSource(c *cobra.Command, g *globalFlags, f *runFlags) {
	s := sourceFlags{Source: config.NewSource("")}
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
	flags := s.register()
	c.Flags().AddFlagSet(flags)
	staged := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if !flags.Changed("source") {
			alone := ""
			flags.VisitAll(func(f *pflag.Flag) {
				if f.Changed {
					alone = f.Name
				}
			})
			if alone != "" {
				return usage("--%s goes with --source; a config says it itself", alone)
			}
			return staged(c, args)
		}
		own, beam := beamFlags(c, args)
		if len(own) > 0 {
			return usage("give a config or --source, not both")
		}
		config, err := s.config(c.Context(), f.out)
		if err != nil {
			return err
		}
		if config, err = f.lay(c, config, beam); err != nil {
			return err
		}
		return f.run(c, g, config, []string{"crawl"})
	}
}

// sourceFlags describe one source.
type sourceFlags struct {
	config.Source
	languages []string
	shards    int
}

func (s *sourceFlags) register() *pflag.FlagSet {
	flags := pflag.NewFlagSet("source", pflag.ContinueOnError)
	flags.StringVar(&s.Kind, "source", "", "files, gutenberg, hathitrust, quotus or warc: crawl without a config")
	flags.StringArrayVar(&s.Files, "local", nil, "folder, file or glob of the source; may be given several times")
	flags.StringVar(&s.Name, "name", "", "documents.source (default: the kind)")
	flags.StringVar(&s.Role, "role", s.Role, "source, derived or both")
	flags.IntVar(&s.shards, "shards", config.Default().Shards, "shards of the table")
	flags.StringVar(&s.Gutenberg.Catalog, "catalog", "", "gutenberg: pg_catalog.csv, also .gz")
	flags.Int64SliceVar(&s.Gutenberg.IDs, "id", nil, "gutenberg: eBook numbers")
	flags.StringSliceVar(&s.languages, "language", nil, "gutenberg, hathitrust: languages of the catalogue or the hathifile")
	flags.StringArrayVar(&s.Gutenberg.Authors, "author", nil, "gutenberg: part of an author's name")
	flags.StringArrayVar(&s.Gutenberg.Subjects, "subject", nil, "gutenberg: part of a subject")
	flags.StringVar(&s.Gutenberg.From, "from", "", "gutenberg: first release date")
	flags.StringVar(&s.Gutenberg.To, "to", "", "gutenberg: last release date")
	flags.StringArrayVar(&s.HathiTrust.Hathifiles, "hathifile", nil, "hathitrust: a hathifile, also .gz")
	flags.StringSliceVar(&s.HathiTrust.WithoutWords, "without-word", nil, "hathitrust: no volume with this word in its title")
	flags.StringVar(&s.HathiTrust.Matches, "matches", "", "hathitrust: CSV with the columns htid and matches")
	flags.Int64Var(&s.HathiTrust.LeastMatches, "least-matches", 0, "hathitrust: fewest matches of a volume")
	flags.Int64Var(&s.HathiTrust.MostMatches, "most-matches", 0, "hathitrust: most matches of a volume (default: no limit)")
	return flags
}

// config is that of a run of the source alone.
func (s *sourceFlags) config(ctx context.Context, out string) (*config.Config, error) {
	if len(s.Files) == 0 {
		return nil, usage("crawl --source %s needs --local, the folder, file or glob to read", s.Kind)
	}
	if out == "" {
		return nil, usage("crawl --source %s needs --out, the folder of the tables", s.Kind)
	}
	source := s.Source
	source.Name = cmp.Or(s.Name, s.Kind)
	source.Gutenberg.Languages, source.HathiTrust.Languages = s.languages, nil
	if s.Kind == "hathitrust" {
		source.Gutenberg.Languages, source.HathiTrust.Languages = nil, s.languages
	}
	return config.ForSource(ctx, source, out, s.shards)
}
