package commonplace

import (
	"runtime/debug"
	"strings"
)

// Version is the release that records and --version name.
// CHANGELOG.md says what each release makes again.
const Version = "0.1.0"

// Program is the version and the commit, as records name the program that made them.
func Program() string { return strings.TrimSpace(Version + " " + Commit()) }

// Commit is the commit that the program was built from, with a + where the checkout
// had changes; empty where the build did not know it.
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	if commit = commit[:min(12, len(commit))]; commit != "" && settings["vcs.modified"] == "true" {
		commit += "+"
	}
	return commit
}
