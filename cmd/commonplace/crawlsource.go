package main

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/commonplace/commonplace/pipelines/config"
)

// sourceFlags describe one source on the command line.
type sourceFlags struct {
	flags  *pflag.FlagSet
	all    config.Source // what every kind has
	shards int
	own    map[string]*kindFlag // of single kinds, by the flag's name
}

// kindFlag is a flag that some kinds have.
type kindFlag struct {
	kinds []string
	given reflect.Value
}

func newSourceFlags() *sourceFlags {
	s := &sourceFlags{flags: pflag.NewFlagSet("source", pflag.ContinueOnError), all: config.NewSource(""), own: map[string]*kindFlag{}}
	s.flags.StringVar(&s.all.Kind, "source", "", strings.Join(kindsWithoutConfig(), ", ")+": crawl without a config")
	s.flags.StringArrayVar(&s.all.Files, "local", nil, "folder, file or glob of the source; may be given several times")
	s.flags.StringVar(&s.all.Name, "name", "", "documents.source (default: the kind)")
	s.flags.StringVar(&s.all.Role, "role", s.all.Role, "source, derived or both")
	s.flags.IntVar(&s.shards, "shards", 0, "shards of the table (default: a number that fits the text)")
	for _, k := range config.Kinds() {
		for _, f := range k.Flags {
			s.register(k, f)
		}
	}
	return s
}

// kindsWithoutConfig are the kinds that the command line can describe.
func kindsWithoutConfig() (names []string) {
	for _, k := range config.Kinds() {
		if len(k.Help) > 0 {
			names = append(names, k.Name)
		}
	}
	return names
}

// register adds a flag of a kind, or a kind to a flag that another kind has, too.
func (s *sourceFlags) register(k config.Kind, f config.SourceFlag) {
	if own := s.own[f.Name]; own != nil {
		own.kinds = append(own.kinds, k.Name)
		flag := s.flags.Lookup(f.Name)
		flag.Usage += "; " + k.Name + ": " + f.Usage
		return
	}
	usage := k.Name + ": " + f.Usage
	value := f.Value(&config.Source{})
	switch v := value.(type) {
	case *string:
		s.flags.StringVar(v, f.Name, "", usage)
	case *int64:
		s.flags.Int64Var(v, f.Name, 0, usage)
	case *[]int64:
		s.flags.Int64SliceVar(v, f.Name, nil, usage)
	case *[]string:
		if f.Words {
			s.flags.StringSliceVar(v, f.Name, nil, usage)
		} else {
			s.flags.StringArrayVar(v, f.Name, nil, usage)
		}
	}
	s.own[f.Name] = &kindFlag{[]string{k.Name}, reflect.ValueOf(value).Elem()}
	if f.Formerly != "" {
		s.own[f.Formerly] = s.own[f.Name]
		s.flags.AddFlag(&pflag.Flag{Name: f.Formerly, Usage: usage, Value: s.flags.Lookup(f.Name).Value, Deprecated: "it is --" + f.Name + " now", Hidden: true})
	}
}

// given are the names of the flags that the command line has, in alphabetical order.
func (s *sourceFlags) given() (names []string) {
	s.flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			names = append(names, f.Name)
		}
	})
	return names
}

// config is that of a run of the source alone.
func (s *sourceFlags) config(ctx context.Context, out string) (*config.Config, error) {
	source := s.all
	if len(source.Files) == 0 {
		return nil, usage("crawl --source %s needs --local, the folder, file or glob to read", source.Kind)
	}
	if out == "" {
		return nil, usage("crawl --source %s needs --out, the folder of the tables", source.Kind)
	}
	source.Name = cmp.Or(source.Name, source.Kind)
	kind, known := config.KindNamed(source.Kind)
	for _, name := range s.given() {
		if own := s.own[name]; known && own != nil && !slices.Contains(own.kinds, kind.Name) {
			return nil, usage("--%s goes with --source %s", name, strings.Join(own.kinds, " or "))
		}
	}
	for _, f := range kind.Flags {
		if s.flags.Changed(f.Name) || f.Formerly != "" && s.flags.Changed(f.Formerly) {
			reflect.ValueOf(f.Value(&source)).Elem().Set(s.own[f.Name].given)
		}
	}
	return config.ForSource(ctx, source, out, s.shards)
}
