package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		GroupID: "look",
		Short:   "print the program's version, commit and platform",
		Long: `Print the program's version, the commit that it was built from where that is
known, Go's version and the platform.`,
		Example: examples("commonplace version"),
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			fmt.Fprintln(c.OutOrStdout(), versionLine())
			return nil
		},
	}
}

// versionLine names the version, the commit that it was built from, and the platform.
func versionLine() string {
	line := "commonplace " + commonplace.Version
	if commit := commonplace.Commit(); commit != "" {
		line += ", commit " + strings.Replace(commit, "+", " with changes", 1)
	}
	return fmt.Sprintf("%s, %s, %s/%s", line, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
