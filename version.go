package commonplace

import "runtime/debug"

// Version is the release that records, Parquet footers and --version name.
// CHANGELOG.md says what each release makes again.
const Version = "0.1.0"

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
