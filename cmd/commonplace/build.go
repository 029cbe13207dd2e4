package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
)

// runFlags are those of every command that runs stages of a config.
type runFlags struct {
	out         string
	runner      string
	parallelism int
	flinkMaster string
	jobServer   string
	project     string
	region      string
	staging     string
	image       string
	device      string
	force       bool
	check       bool
	acceptLoss  bool
	offline     bool
	yes         bool
	dryRun      bool
	alone       bool // no config asks for more than the named stages
	logEvery    time.Duration
	lineage     string
}

func (f *runFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.out, "out", "", "folder of the tables, instead of the config's")
	c.Flags().StringVar(&f.runner, "runner", "", "embedded, direct, flink or dataflow, instead of the config's")
	c.Flags().IntVar(&f.parallelism, "parallelism", 0, "tasks at once (default: all processors, or all slots of Flink)")
	c.Flags().StringVar(&f.flinkMaster, "flink-master", "", "address of Flink's REST service, instead of the config's")
	c.Flags().StringVar(&f.jobServer, "job-server", "", "address of Beam's job server for Flink, instead of the config's")
	c.Flags().StringVar(&f.project, "project", "", "Google Cloud project for Dataflow, instead of the config's")
	c.Flags().StringVar(&f.region, "region", "", "region for Dataflow, instead of the config's")
	c.Flags().StringVar(&f.staging, "staging", "", "gs:// place for Dataflow's files, instead of the config's")
	c.Flags().StringVar(&f.image, "worker-image", "", "container image of Dataflow's workers, instead of the config's")
	for _, name := range []string{"flink-master", "job-server", "project", "region", "staging", "worker-image"} {
		c.Flags().SetAnnotation(name, clusterFlag, []string{"true"})
	}
	c.Flags().BoolVar(&f.force, "force", false, "rebuild everything, changed or not")
	c.Flags().BoolVar(&f.yes, "yes", false, "rebuild what a changed setting touches without asking")
	c.Flags().BoolVar(&f.check, "check", false, "verify existing shards by SHA-256 first, and rebuild damaged ones")
	c.Flags().BoolVar(&f.offline, "offline", false, "fetch nothing; what was not fetched before is named, and nothing is done")
	c.Flags().BoolVar(&f.acceptLoss, "accept-loss", false, "continue although the guard reports too much lost input")
	c.Flags().DurationVar(&f.logEvery, "log-every", time.Minute, "without a terminal, how often a line says how far the build is; 0: never")
	c.Flags().StringVar(&f.lineage, "lineage", "", "report the build as OpenLineage events: to a file, one a line, or to an http address (default: OPENLINEAGE_URL)")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "print the plan, with the reasons, and do nothing")
}

// registerDevice adds --device, for commands that run a model.
func (f *runFlags) registerDevice(c *cobra.Command) {
	c.Flags().StringVar(&f.device, "device", "", "cpu, cuda, tensorrt, cuda:N (the GPU number N) or auto, instead of the config's score.device")
}

// config loads a config and lays the flags over it. What is after -- is Beam's.
func (f *runFlags) config(c *cobra.Command, g *globalFlags, args []string) (*config.Config, error) {
	own, beam := beamFlags(c, args)
	if len(own) > 1 && isBook(own[0]) {
		return nil, usage("%s takes one folder and got %d files: name the folder that holds these books", c.Name(), len(own))
	}
	if len(own) != 1 {
		return nil, usage("%s takes one config file or folder, got %d arguments; see commonplace %s --help", c.Name(), len(own), c.Name())
	}
	load := config.Load
	if info, err := os.Stat(own[0]); err == nil && info.IsDir() {
		load = config.ForFolder
	}
	if isBook(own[0]) || isList(own[0]) {
		return nil, usage("%s is no config. To rank books, name their folder. To find the quotations of a list, use find, or name the list in a config (docs/tutorial.md)", own[0])
	}
	config, err := load(c.Context(), own[0])
	if err != nil {
		return nil, err
	}
	for _, note := range config.Notes() {
		if log := g.json(); log != nil {
			log.Warn(note)
		} else {
			fmt.Fprintln(stderr, commonplace.Printable(note))
		}
	}
	return f.lay(c, config, beam)
}

// isBook says that a path is a book's, by its name.
func isBook(path string) bool {
	return slices.Contains([]string{".txt", ".gz", ".zip", ".html"}, filepath.Ext(path))
}

// isList says that a path is a list's of quotations or records, by its name.
func isList(path string) bool {
	return slices.Contains([]string{".jsonl", ".ndjson", ".csv", ".tsv", ".md"}, filepath.Ext(path))
}

// beamFlags parts a command's arguments at --.
func beamFlags(c *cobra.Command, args []string) (own, beam []string) {
	if at := c.ArgsLenAtDash(); at >= 0 {
		return args[:at], args[at:]
	}
	return args, nil
}

// lay lays the flags over a config.
func (f *runFlags) lay(c *cobra.Command, config *config.Config, beam []string) (*config.Config, error) {
	if f.out != "" {
		config.Out = f.out
	}
	if c.Flags().Changed("parallelism") {
		if f.parallelism < 0 {
			return nil, usage("--parallelism is %d, must be 0 (all processors) or more", f.parallelism)
		}
		config.Runner.Parallelism = f.parallelism
	}
	config.Runner.FlinkMaster = cmp.Or(f.flinkMaster, config.Runner.FlinkMaster)
	config.Runner.JobServer = cmp.Or(f.jobServer, config.Runner.JobServer)
	config.Runner.Project = cmp.Or(f.project, config.Runner.Project)
	config.Runner.Region = cmp.Or(f.region, config.Runner.Region)
	config.Runner.Staging = cmp.Or(f.staging, config.Runner.Staging)
	config.Runner.Image = cmp.Or(f.image, config.Runner.Image)
	config.Runner.Flags = append(config.Runner.Flags, beam...)
	if f.device != "" {
		if err := config.SetDevice(f.device); err != nil {
			return nil, err
		}
	}
	if f.runner != "" {
		if err := config.SetRunner(f.runner); err != nil {
			return nil, err
		}
	}
	return config, nil
}

// dry says that nothing is to be written: by our own flag, or by one for Beam.
func (f *runFlags) dry(c *config.Config) bool { return f.dryRun || c.Runner.DryRun() }

// request is what the flags ask of the engine, and what shows how far it is.
func (f *runFlags) request(g *globalFlags, config *config.Config, stages []string) (engine.Request, *progress) {
	show := newProgress(bars, g.json())
	r := engine.Request{
		Config: config, Stages: stages, Alone: f.alone, Force: f.force, Check: f.check, AcceptLoss: f.acceptLoss, Offline: f.offline,
		Planning: show.planning, Begin: show.begin, Done: show.done, Fetching: show.fetching,
		Log: g.detailed(), ExitStatus: exitStatus,
	}
	show.columns = engine.ColumnsOf(r)
	return r, show
}

// run builds the named stages, or prints what would be done.
func (f *runFlags) run(c *cobra.Command, g *globalFlags, config *config.Config, stages []string) error {
	r, show := f.request(g, config, stages)
	if f.dry(config) {
		lines, err := pipelines.Plan(c.Context(), r)
		for _, line := range lines {
			fmt.Fprintln(c.OutOrStdout(), line)
		}
		return err
	}
	end, err := f.reporting(c, g, config, &r)
	if err != nil {
		return err
	}
	defer end(show)
	defer show.during(c.Context(), f.logEvery)()
	err = pipelines.Build(c.Context(), r)
	if errors.Is(err, engine.ErrSettings) {
		err = f.resettle(c, r, err)
	}
	if err != nil {
		show.failed()
	}
	return err
}

// resettle says what other settings rebuild, and rebuilds it if that is agreed.
func (f *runFlags) resettle(c *cobra.Command, r engine.Request, refused error) error {
	lines, err := pipelines.Plan(c.Context(), r)
	if err != nil {
		return errors.Join(refused, err)
	}
	for _, line := range lines {
		fmt.Fprintln(c.ErrOrStderr(), line)
	}
	if !f.yes && !agreed(c, "These tables were made with other settings. Rebuild what the plan says?") {
		return refused
	}
	r.Resettle = true
	return pipelines.Build(c.Context(), r)
}

// agreed asks on a terminal; in a pipe nobody can agree.
func agreed(c *cobra.Command, question string) bool {
	if !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(bars.Fd())) {
		return false
	}
	fmt.Fprintf(c.ErrOrStderr(), "%s [y/N] ", question)
	answer, _ := bufio.NewReader(c.InOrStdin()).ReadString('\n')
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}

func buildCommand(g *globalFlags) *cobra.Command {
	var f runFlags
	var p partFlags
	show := shownTop{top: 10}
	c := &cobra.Command{
		Use:     "build CONFIG|FOLDER [-- BEAM FLAGS]",
		GroupID: "run",
		Short:   "run all stages of a config and print the most quotable passages",
		Long: `Run all stages of a config. Each stage writes a table of Parquet files into the
config's folder: documents, quotes, passages, alignments, datasets, quote counts,
scores and rankings. At the end the most quotable passages are printed.

A stage whose table is up to date is skipped. If an input changes, only the
shards that depend on it are rebuilt. To resume a killed run, run it again.

Of a FOLDER of books it ranks the passages, with the model for prose. The tables
are then in out/FOLDER.`,
		Example: examples(
			"commonplace build configs/demo.yaml",
			"commonplace build novels",
			"commonplace build novels --per-book 3",
			"commonplace build configs/classics.yaml --dry-run",
			"commonplace build configs/classics.yaml --part 0/16",
			"commonplace build configs/classics.yaml --runner flink --flink-master localhost:8081",
		),
		RunE: func(c *cobra.Command, args []string) error {
			if show.perBook < 0 {
				return usage("--per-book is %d, must be 1 or more", show.perBook)
			}
			config, err := f.config(c, g, args)
			if err != nil {
				return err
			}
			if other, err := p.share(c, g, config); other || err != nil {
				return err
			}
			if err := f.run(c, g, config, nil); err != nil || f.dry(config) {
				return err
			}
			if len(config.Sources) == 0 {
				show = shownTop{}
			}
			return printTop(c.Context(), c.OutOrStdout(), config.Out, show)
		},
	}
	f.register(c)
	f.registerDevice(c)
	p.register(c)
	c.Flags().IntVar(&show.top, "top", show.top, "number of most quotable passages to print at the end")
	c.Flags().IntVar(&show.perBook, "per-book", 0, "print so many of the most quotable passages of each document in place of --top")
	return c
}

// exampleConfigs are for the stages that the demonstration does not run.
var exampleConfigs = map[string]string{"evaluate": "configs/recommend.yaml", "paraphrases": "configs/paraphrases.yaml", "recommend": "configs/recommend.yaml", "spans": "configs/spans.yaml"}

// stageCommands are one command a stage. Two of them also work on plain folders.
func stageCommands(g *globalFlags) []*cobra.Command {
	var commands []*cobra.Command
	for _, s := range pipelines.Stages() {
		var f runFlags
		c := &cobra.Command{
			Use:     s.Name + " CONFIG [-- BEAM FLAGS]",
			GroupID: "stage",
			Short:   s.Short,
			Long:    stageLong(s),
			Example: examples("commonplace " + s.Name + " " + cmp.Or(exampleConfigs[s.Name], "configs/demo.yaml")),
			RunE: func(c *cobra.Command, args []string) error {
				config, err := f.config(c, g, args)
				if err != nil {
					return err
				}
				return f.run(c, g, config, []string{s.Name})
			},
		}
		f.register(c)
		switch s.Name {
		case "crawl":
			addSource(c, g, &f)
		case "score":
			f.registerDevice(c)
		case "segment":
			addPlainSegment(c)
		case "align":
			addPlainAlign(c)
		}
		commands = append(commands, c)
	}
	return commands
}

// stageLong says what a stage's command does.
func stageLong(s engine.StageInfo) string {
	if s.Table != "" {
		return fmt.Sprintf("Run one stage of a config: %s. It writes the table %s.", s.Short, s.Table)
	}
	if s.Name == "paraphrases" {
		return fmt.Sprintf("Run the stages that %s: the tables\nsentence_vectors and paraphrase_matches. See docs/datasets.md.", s.Short)
	}
	return fmt.Sprintf("Run the stages that %s (label.datasets).\nEach stage writes a table, such as examples, choices, queries, counted, replies\nor windows. The tables works and groups say which rows must be in one split.\nSee docs/datasets.md.", s.Short)
}
