package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/lineage"
)

// reporting has a build reported as the flag or the environment says. The function that
// it returns ends that. What goes wrong there is a warning: the build is as it would be
// without. Only what --lineage itself says wrong is refused.
func (f *runFlags) reporting(c *cobra.Command, g *globalFlags, config *config.Config, r *engine.Request) (end func(*progress), refused error) {
	s := lineage.Environment(os.Getenv)
	asked := c.Flags().Changed("lineage")
	if asked {
		s.To = f.lineage
	} else if s.To != "" && !strings.Contains(s.To, "://") {
		s.To = "://" + s.To // an address, never a file
	}
	if s.To == "" {
		return func(*progress) {}, nil
	}
	events, err := lineage.Open(s, config)
	switch {
	case err != nil && asked:
		return nil, usage("--lineage: %v", err)
	case err != nil:
		return func(show *progress) { warnLineage(g, show, "OPENLINEAGE_URL: no events are sent", err) }, nil
	}
	r.Recorded = events.Record
	return func(show *progress) {
		if err := events.Close(); err != nil {
			warnLineage(g, show, "lineage", err)
		}
	}, nil
}

func warnLineage(g *globalFlags, show *progress, what string, err error) {
	text := fmt.Sprintf("%s: %v; the build is not affected", what, err)
	if log := g.json(); log != nil {
		log.Warn(text)
		return
	}
	show.end()
	fmt.Fprintln(show.text, commonplace.Printable(oneLine(text)))
}
