package config

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/commonplace/commonplace/storage"
)

// DataflowFlags are Beam's flags for Dataflow. The worker is this program itself:
// without it Beam would compile one at submission, without cgo. What the user
// gives as a flag of Beam comes later and so wins.
func (c Runner) DataflowFlags() ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	flags := []string{"--worker_binary=" + self}
	for _, f := range [][2]string{
		{"project", c.Project}, {"region", c.Region}, {"staging_location", c.Staging},
		{"temp_location", c.Staging}, {"sdk_container_image", c.Image},
	} {
		if f[1] != "" {
			flags = append(flags, "--"+f[0]+"="+f[1])
		}
	}
	return append(flags, c.Flags...), nil
}

// DryRun says that Beam's own flags ask for a dry run, which Dataflow's runner knows.
// Whatever the runner, such a run writes nothing.
func (c Runner) DryRun() bool {
	dry := false
	for _, f := range c.Flags {
		name, value, valued := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if name == "dry_run" {
			asked, err := strconv.ParseBool(value)
			dry = !valued || asked || err != nil // the last one counts; Beam refuses what is no truth value
		}
	}
	return dry
}

// memorySize is what Beam reads as so many bytes.
var memorySize = regexp.MustCompile(`^[0-9]+ ?[KMGT]i?B$`)

// CheckDataflow refuses what Dataflow's workers cannot reach, before any job.
func (c *Config) CheckDataflow() error {
	if c.Runner.Name != DataflowRunner {
		return nil
	}
	given := func(flag string) string { // among Beam's own
		for _, f := range c.Runner.Flags {
			if value, ok := strings.CutPrefix(strings.TrimLeft(f, "-"), flag+"="); ok {
				return value
			}
		}
		return ""
	}
	r := c.Runner
	switch staging := cmp.Or(r.Staging, given("staging_location")); {
	case r.Project == "" && given("project") == "":
		return c.Refuse("runner.project", "nothing", "the Google Cloud project that pays, or --project")
	case r.Region == "" && given("region") == "":
		return c.Refuse("runner.region", "nothing", "a region such as europe-west1, or --region")
	case storage.Scheme(staging) != "gs":
		return c.Refuse("runner.staging", staging, "a place in a bucket such as gs://bucket/staging, or --staging")
	case r.Memory != "" && !memorySize.MatchString(r.Memory):
		return c.Refuse("runner.memory", r.Memory, "a size such as 16GB")
	case r.Accelerator != "" && !strings.HasPrefix(r.Accelerator, "type:"):
		return c.Refuse("runner.accelerator", r.Accelerator, "a GPU such as type:nvidia-l4;count:1;install-nvidia-driver")
	case r.Accelerator != "" && c.Score.Device == "cpu":
		return c.Refuse("score.device", c.Score.Device, "cuda, tensorrt or auto, since runner.accelerator asks for a GPU")
	}
	here := slices.DeleteFunc(c.allPaths(), func(p *string) bool {
		return *p == "" || storage.Remote(*p) || p == &c.Label.Paraphrase.Cache && !c.Paraphrased()
	})
	if len(here) > 0 {
		return fmt.Errorf("%w: %s: %s lies on this machine, which Dataflow's workers do not see: put it into a bucket", ErrInvalid, c.path, *here[0])
	}
	return nil
}
