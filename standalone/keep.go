package standalone

import (
	"io/fs"
	"iter"
	"os"
	"slices"

	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
)

// keepsInputs refuses a result that would take the place of an input, by whatever name: a
// link's, or that of standard input. what says to the user which input it is.
func keepsInputs(out, what string, inputs iter.Seq[string]) error {
	result, err := os.Stat(out)
	if out == "-" || err != nil || !result.Mode().IsRegular() {
		return nil // nothing is there that could be lost
	}
	for path := range inputs {
		if input, err := statInput(path); err == nil && os.SameFile(result, input) {
			return config.Refusef("--out is %s, %s; name another file", out, what)
		}
	}
	return nil
}

// statInput is what is known of an input.
func statInput(path string) (fs.FileInfo, error) {
	if isStandardInput(path) {
		return os.Stdin.Stat()
	}
	return os.Stat(path)
}

// pathsOf are the files that were found, also those whose ids others have.
func pathsOf(l files.Listing) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range l.Files {
			if !yield(f.Path) {
				return
			}
		}
		for _, d := range l.Duplicates {
			if !yield(d.File.Path) {
				return
			}
		}
	}
}

// named are inputs that the user names.
func named(paths ...string) iter.Seq[string] { return slices.Values(paths) }
