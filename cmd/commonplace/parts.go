package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
)

// partFlags are those of a build that several processes share.
type partFlags struct {
	part string
	wait time.Duration
}

func (p *partFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&p.part, "part", "", "K/N: share the work with the other parts of N, from 0; part 0 is the build (deploy/slurm)")
	c.Flags().DurationVar(&p.wait, "part-wait", 10*time.Minute, "how long a part waits for part 0")
}

var partForm = regexp.MustCompile(`^(\d{1,6})/(\d{1,6})$`)

// share makes the config that of part 0, or does the work of another part.
func (p *partFlags) share(c *cobra.Command, g *globalFlags, conf *config.Config) (other bool, err error) {
	if p.part == "" {
		return false, nil
	}
	m := partForm.FindStringSubmatch(p.part)
	if m == nil {
		return false, usage("--part is %q, must be K/N such as 0/16", p.part)
	}
	number, _ := strconv.Atoi(m[1])
	of, _ := strconv.Atoi(m[2])
	switch {
	case number >= of:
		return false, usage("--part is %s: the parts of %d are 0 to %d", p.part, of, of-1)
	case conf.Runner.Name != config.EmbeddedRunner:
		return false, usage("--part shares the work of the runner embedded, not of %s", conf.Runner.Name)
	case storage.Remote(conf.Out):
		return false, usage("--part needs a folder that all parts see; %s is in a bucket", conf.Out)
	case number == 0:
		conf.Runner.Parts = of
		return false, nil
	}
	made, err := engine.Part(c.Context(), conf, g.detailed(), number, of, p.wait)
	if errors.Is(err, engine.ErrNoBuild) { // part 0 says how the build ended
		fmt.Fprintf(c.ErrOrStderr(), "part %s: nothing to do: %v\n", p.part, err)
		return true, nil
	}
	if err == nil {
		fmt.Fprintf(c.ErrOrStderr(), "part %s: made %s\n", p.part, commonplace.CountOf(made, "shard"))
	}
	return true, err
}
