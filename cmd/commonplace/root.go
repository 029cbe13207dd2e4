package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/pprof"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
)

// flags that every command knows.
type globalFlags struct {
	verbose    bool
	log        string
	cpuProfile string
}

// json is the log of --log json, nil without it.
func (g globalFlags) json() *slog.Logger {
	if g.log != logJSON {
		return nil
	}
	return jsonLog(stderr)
}

// detailed is the log of everything; nil unless it was asked for.
func (g globalFlags) detailed() *slog.Logger {
	if log := g.json(); log != nil || !g.verbose {
		return log
	}
	return slog.New(slog.NewTextHandler(stderr, nil))
}

// check refuses flags that no command takes so.
func (g globalFlags) check() error {
	if g.log != logText && g.log != logJSON {
		return usage("--log is %q, must be text or json", g.log)
	}
	return nil
}

// startProfile profiles the process until it ends, if --cpuprofile asks for it.
func (g globalFlags) startProfile() error {
	if g.cpuProfile == "" {
		return nil
	}
	f, err := os.Create(g.cpuProfile)
	if err != nil {
		return usage("--cpuprofile: %v", err)
	}
	return pprof.StartCPUProfile(f)
}

func rootCommand() *cobra.Command {
	var g globalFlags
	root := &cobra.Command{
		Use:     "commonplace",
		Short:   "turn libraries into quotation data",
		Version: commonplace.Version,
		Long: `commonplace reads books, segments them into passages, and finds where other
texts quote them. It turns these quotations into training data, scores every
passage with an ONNX model and ranks the passages by quotability. One config
file describes a run:

  commonplace build configs/demo.yaml

Each stage also has a command of its own. Some of these also work on folders
without a config.`,
		SilenceErrors: true,
		SilenceUsage:  true,

		SuggestionsMinimumDistance: 2,

		Args: cobra.ArbitraryArgs, // refused below, in one sentence
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return unknown(c, args[0])
		},
	}
	root.PersistentFlags().BoolVarP(&g.verbose, "verbose", "v", false, "print a detailed log, with Beam's own log")
	root.PersistentFlags().StringVar(&g.log, "log", logText, "text or json: a JSON object for each line on standard error, with time, stage, shard and document")
	root.PersistentFlags().StringVar(&g.cpuProfile, "cpuprofile", "", "write a CPU profile for go tool pprof")
	root.PersistentFlags().MarkHidden("cpuprofile")
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return errors.Join(g.check(), g.startProfile()) }
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usage("%v%s", err, nearestFlag(c, err)) })
	cobra.AddTemplateFunc("ownFlags", func(c *cobra.Command) *pflag.FlagSet { return flagsOf(c, false) })
	cobra.AddTemplateFunc("clusterFlags", func(c *cobra.Command) *pflag.FlagSet { return flagsOf(c, true) })
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}",
		"Flags:\n{{(ownFlags .).FlagUsages | trimTrailingWhitespaces}}{{if (clusterFlags .).HasAvailableFlags}}\n\nFlink and Dataflow:\n{{(clusterFlags .).FlagUsages | trimTrailingWhitespaces}}{{end}}", 1))
	root.SetHelpTemplate(helpTemplate)
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if helpless(c) != nil {
			return
		}
		width := narrowTerminal()
		if width == 0 {
			help(c, args)
			return
		}
		var text strings.Builder
		out := c.OutOrStdout()
		c.SetOut(&text)
		help(c, args)
		c.SetOut(out)
		fmt.Fprint(out, narrowed(text.String(), width))
	})
	root.SetHelpCommand(helpCommand(root))
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.AddGroup(
		&cobra.Group{ID: "run", Title: "Run:"},
		&cobra.Group{ID: "stage", Title: "Stages, alone:"},
		&cobra.Group{ID: "look", Title: "Look:"},
	)
	root.AddCommand(buildCommand(&g), findCommand(&g), rollbackCommand(&g), pinCommand(&g), forgetCommand(&g))
	root.AddCommand(stageCommands(&g)...)
	root.AddCommand(statusCommand(&g), verifyCommand(&g), inspectCommand(&g), explainCommand(&g), diffCommand(&g), evalCommand(&g), reportCommand(&g), serveCommand(&g), exportCommand(&g), publishCommand(&g), tokenizeCommand(&g), tuneCommand(&g), trainingCommand(&g), modelCommand(), doctorCommand(), versionCommand())
	completeFlags(root)
	return root
}

// unknown refuses a command that there is not.
func unknown(root *cobra.Command, name string) error {
	if near := root.SuggestionsFor(name); len(near) > 0 {
		return usage("there is no command %q; the nearest is %q", name, near[0])
	}
	return usage("there is no command %q; see commonplace --help", name)
}

// nearestFlag ends the error of a flag that a command does not have: it names the one that
// was probably meant.
func nearestFlag(c *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return ""
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if name := unknown.GetSpecifiedName(); len(name) > 1 {
		if near := config.Near(name, names); near != "" {
			return fmt.Sprintf("; the nearest is --%s; see %s --help", near, c.CommandPath())
		}
	}
	return fmt.Sprintf("; see %s --help", c.CommandPath())
}

// helpless is the error of a command that was asked for help on a command that there
// is not, for which cobra has the help of all and no status.
func helpless(root *cobra.Command) error {
	if asked, _ := root.Flags().GetBool("help"); asked && !root.HasParent() && root.Flags().NArg() > 0 {
		return unknown(root, root.Flags().Arg(0))
	}
	return nil
}

// helpCommand is cobra's own, with the error of a command that there is not.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "show the help of a command",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, c := range root.Commands() {
				if len(args) == 0 && c.IsAvailableCommand() {
					names = append(names, c.Name())
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || c == root && len(rest) > 0 {
				return unknown(root, args[0])
			}
			return c.Help()
		},
	}
}

var helpTemplate = `{{with (or .Long .Short)}}{{. | trimTrailingWhitespaces}}

{{end}}{{.UsageString}}
` + exitStatuses + "\n"

// clusterFlag marks flags that only those need who run on a cluster.
const clusterFlag = "cluster"

// flagsOf are a command's own flags, those for clusters or the others.
func flagsOf(c *cobra.Command, cluster bool) *pflag.FlagSet {
	some := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if (f.Annotations[clusterFlag] != nil) == cluster {
			some.AddFlag(f)
		}
	})
	return some
}

// usage is a mistake of the command line.
func usage(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{errUsage}, args...)...)
}

// noArguments is for commands that take flags alone.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("%s takes no argument, got %q", c.Name(), args[0])
	}
	return nil
}

// examples indents the lines of a command's examples.
func examples(lines ...string) string { return "  " + strings.Join(lines, "\n  ") }
