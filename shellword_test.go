package commonplace_test

import (
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

func TestShellWord(t *testing.T) {
	for name, want := range map[string]string{
		"out/novels": "out/novels", "s3://bucket/run-1": "s3://bucket/run-1", "out/é": "out/é",
		"out/my novels é": "'out/my novels é'", "": "''", "it's": `'it'\''s'`, "~me": "'~me'", "a$HOME": "'a$HOME'", "a*": "'a*'", "a\tb": "'a\tb'",
	} {
		got := commonplace.ShellWord(name)
		if got != want {
			t.Errorf("%q is %s, want %s", name, got, want)
		}
		if said, err := exec.Command("sh", "-c", "printf %s "+got).Output(); err != nil || string(said) != name {
			t.Errorf("the shell reads %s as %q: %v", got, said, err)
		}
	}
}

// A command that a message shows can be copied: names in it are words of the shell.
func TestShownCommandsAreQuoted(t *testing.T) {
	shown := regexp.MustCompile("commonplace (?:build|diff|eval|explain|export|forget|inspect|model|pin|report|rollback|status|top|verify)\\b[^\"`]*%s")
	found := 0
	walkCheckout(t, func(name string) {
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "bench/") {
			return
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(raw), "\n")
		for i, line := range lines {
			if !shown.MatchString(line) {
				continue
			}
			found++
			if !strings.Contains(line, "ShellWord(") && !strings.Contains(lines[i+1], "ShellWord(") {
				t.Errorf("%s:%d shows a command with a name that is not quoted: %s", name, i+1, strings.TrimSpace(line))
			}
		}
	})
	if found < 10 {
		t.Errorf("only %d commands: are these all?", found)
	}
}
