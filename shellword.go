package commonplace

import (
	"strings"
	"unicode"
)

// ShellWord is a name as a word of a command that people copy into a shell: between
// apostrophes where the shell would take it apart or replace a part of it.
func ShellWord(name string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_@%+:,./-", r)
	}
	if name != "" && strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
