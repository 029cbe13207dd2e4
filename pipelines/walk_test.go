package pipelines

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
)

var runFirst = regexp.MustCompile("run `commonplace ([a-z]+)` first")

// A message that says which command to run first names one that exists, and
// a user who follows such messages from an empty folder comes to the end.
func TestMessagesLeadThroughARun(t *testing.T) {
	for _, name := range []string{"demo", "quotus", "gandhi"} {
		for _, last := range Stages() {
			c := pipelinetest.Dataset(t, name, nil)
			c.Out = filepath.Join(t.TempDir(), "walk")
			run := func(command string) error {
				return Build(t.Context(), engine.Request{Config: c, Stages: []string{command}})
			}
			err := run(last.Name)
			if err != nil && strings.Contains(err.Error(), "asks for nothing") {
				continue
			}
			for steps := 0; err != nil; err = run(last.Name) {
				for err != nil {
					match := runFirst.FindStringSubmatch(err.Error())
					if match == nil {
						t.Fatalf("%s, on the way to %s: %v", name, last.Name, err)
					}
					if steps++; steps > 40 {
						t.Fatalf("%s, on the way to %s: going round in circles: %v", name, last.Name, err)
					}
					err = run(match[1])
				}
			}
		}
	}
}
