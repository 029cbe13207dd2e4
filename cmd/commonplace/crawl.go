package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace/pipelines/config"
)

// addSource makes crawl work without a config: --source and --local describe
// one source.
func addSource(c *cobra.Command, g *globalFlags, f *runFlags) {
	s := newSourceFlags()
	c.Use = "crawl CONFIG | --source KIND --local PATH --out DIR [-- BEAM FLAGS]"
	c.Long = crawlLong()
	c.Example += "\n" + examples(
		"commonplace crawl --source gutenberg --local mirror --out out/books",
		"commonplace crawl --source gutenberg --local mirror --catalog pg_catalog.csv.gz --language en --subject poetry --out out/poems",
		"commonplace crawl --source hathitrust --local dataset --hathifile hathi_full.txt.gz --language eng --out out/volumes",
		"commonplace crawl --source files --local 'texts/**/*.jsonl' --out out/texts",
	)
	c.Flags().AddFlagSet(s.flags)
	staged := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if !s.flags.Changed("source") {
			if alone := s.given(); len(alone) > 0 {
				return usage("--%s goes with --source; a config says it itself", alone[len(alone)-1])
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
		f.alone = true
		return f.run(c, g, config, []string{"crawl"})
	}
}

// crawlLong is the help of crawl, with the kinds that need no config.
func crawlLong() string {
	var b strings.Builder
	b.WriteString("Read the sources of a config, or one source described by flags, into the table\ndocuments.\n\n")
	for _, k := range config.Kinds() {
		name := "--source " + k.Name
		for _, line := range k.Help {
			fmt.Fprintf(&b, "  %-19s  %s\n", name, line)
			name = ""
		}
	}
	b.WriteString("\nRejected input becomes a row of the table rejects, with its reason.")
	return b.String()
}
