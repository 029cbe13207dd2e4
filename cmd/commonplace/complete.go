package main

import (
	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace/table"
)

// What the shell completes beside commands, flags and files.

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
