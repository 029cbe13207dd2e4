package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// On a narrow terminal what is said of a passage goes on below itself.
func TestChangesFit(t *testing.T) {
	passage := "above 67.2 %  weathers:000010  " + strings.Repeat("so much to say ", 12)
	for line := range strings.Lines(changed(passage, 60)) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 60 || !strings.HasPrefix(line, "          ") {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	if wide := changed(passage, 0); strings.Contains(wide, "\n") {
		t.Errorf("a wide terminal, or a file: %q", wide)
	}
}
