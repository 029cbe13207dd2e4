package main

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/commonplace/commonplace/pipelines"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
)

// Every command says what it does, shows an example, and lists its exit statuses.
func TestHelp(t *testing.T) {
	root := rootCommand()
	commands := []*cobra.Command{root}
	for _, c := range root.Commands() {
		if c.Name() != "completion" && c.Name() != "help" { // cobra's own
			commands = append(commands, c)
		}
	}
	if len(commands) < 12 {
		t.Fatalf("%d commands", len(commands))
	}
	for _, c := range commands {
		var b strings.Builder
		c.SetOut(&b)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		help := b.String()
		for _, part := range []string{c.Short, "Usage:", exitStatuses} {
			if part == "" || c != root && part != c.Short && !strings.Contains(help, part) {
				t.Errorf("the help of %s lacks %q", c.Name(), part)
			}
		}
		if len(c.Long) <= len(c.Short) {
			t.Errorf("%s has no long help", c.Name())
		}
		if !strings.Contains(help, "  commonplace "+strings.TrimPrefix(c.Name(), "commonplace")) {
			t.Errorf("the help of %s shows no example", c.Name())
		}
		if c != root && c.GroupID == "" {
			t.Errorf("%s stands in no group", c.Name())
		}
		for line := range strings.Lines(c.Example) {
			if !strings.HasPrefix(line, "  commonplace "+c.Name()+" ") && strings.TrimSpace(line) != "commonplace "+c.Name() {
				t.Errorf("an example of %s is %q", c.Name(), line)
			}
		}
	}
}

// The examples of the help are commands that the program takes: every flag and
// subcommand in them exists.
func TestExamplesParse(t *testing.T) {
	for _, c := range rootCommand().Commands() {
		for line := range strings.Lines(c.Example) {
			args := strings.Fields(line)[1:]
			root := rootCommand()
			found, rest, err := root.Find(args)
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			if err := found.ParseFlags(rest); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
}

// The first example of a stage names a config that runs the stage. The plan's
// context is cancelled, so it chooses its stages and reads no input.
func TestStageExamplesHaveWork(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range stageCommands(&globalFlags{}) {
		line, _, _ := strings.Cut(c.Example, "\n")
		name := strings.Fields(line)[2]
		own, err := config.Load(t.Context(), filepath.Join("..", "..", name))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		own.Out = filepath.Join(t.TempDir(), "run")
		_, err = pipelines.Plan(cancelled, engine.Request{Config: own, Stages: []string{c.Name()}})
		if err != nil && (strings.Contains(err.Error(), "asks for nothing") || strings.Contains(err.Error(), "no stage is called")) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// The shell completes every flag that takes one of a few words, as its help lists them.
func TestWordsAreCompleted(t *testing.T) {
	root := rootCommand()
	several := regexp.MustCompile(`^(the word )?[a-z]+(, [a-z]+)* or [a-z]+\b`)
	n := 0
	for _, c := range append(root.Commands(), root) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "format" && (f.Value.Type() != "string" || strings.HasPrefix(f.Usage, "folder, file or glob") || !several.MatchString(f.Usage)) {
				return
			}
			n++
			words, there := c.GetFlagCompletionFunc(f.Name)
			if !there {
				t.Errorf("%s --%s (%s) is not completed", c.Name(), f.Name, f.Usage)
				return
			}
			for _, w := range first(words(c, nil, "")) {
				if strings.Contains(f.Usage, ",") && !strings.Contains(f.Usage, w) {
					t.Errorf("%s --%s completes %q, which its help does not name", c.Name(), f.Name, w)
				}
			}
		})
	}
	if n < 10 {
		t.Errorf("%d flags take words", n)
	}
}

func first[A, B any](a A, _ B) A { return a }
