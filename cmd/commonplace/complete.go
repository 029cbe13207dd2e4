package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace/export"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/standalone"
	"github.com/commonplace/commonplace/table"
)

// What the shell completes beside commands, flags and files.

// wordsOf are the flags that take one of a few words, by command and flag; a flag of
// every command that has it stands without a command.
func wordsOf() map[string][]string {
	return map[string][]string{
		"log":            {logText, logJSON},
		"runner":         {config.EmbeddedRunner, "direct", config.FlinkRunner, config.DataflowRunner},
		"device":         infer.Devices,
		"use":            {"documents", "marked"},
		"split":          {"train", "validation", "test"},
		"align match":    {"similar", "exact"},
		"align format":   {"jsonl"},
		"segment format": {"jsonl"},
		"crawl source":   kindsWithoutConfig(),
		"crawl role":     {"source", "derived", "both"},
		"diff format":    {"text", "jsonl"},
		"eval format":    {"text", "json", "markdown"},
		"eval counts":    {"all", "readers", "editors"},
		"eval by":        {"genre"},
		"explain format": {"text", "json"},
		"export format":  export.Formats(),
		"export for":     export.Purposes(),
		"export tables":  tables(),
		"find as":        {standalone.AsQuotes, standalone.AsDocuments},
		"find format":    standalone.Formats,
		"inspect format": {"text", "jsonl"},
	}
}

// completeFlags completes the flags of [wordsOf].
func completeFlags(root *cobra.Command) {
	for _, c := range append(root.Commands(), root) {
		for flag, words := range wordsOf() {
			if of, name, ok := strings.Cut(flag, " "); !ok || of == c.Name() {
				if !ok {
					name = flag
				}
				if c.Flags().Lookup(name) != nil || c.PersistentFlags().Lookup(name) != nil {
					completeWords(c, name, words...)
				}
			}
		}
	}
}

// completeWords completes a flag of a few words.
func completeWords(c *cobra.Command, flag string, words ...string) {
	c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// completeColumns completes flags that name columns of the table that is the first
// argument.
func completeColumns(c *cobra.Command, flags ...string) {
	for _, flag := range flags {
		c.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			t, there := table.Named(args[0])
			if !there {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return columnsOf(t), cobra.ShellCompDirectiveNoFileComp
		})
	}
}

// tables are the names of all tables.
func tables() (names []string) {
	for _, t := range table.All() {
		names = append(names, t.Describe().Name)
	}
	return names
}

// columnsOf are the names of a table's columns.
func columnsOf(t table.Descriptor) (names []string) {
	for _, c := range t.Describe().Columns {
		names = append(names, c.Name)
	}
	return names
}
