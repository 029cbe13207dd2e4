package features

import (
	"strings"
	"testing"
)

// A mistake in our own list is an error of NewReader, and ends no program.
func TestLexiconSaysWhatIsWrong(t *testing.T) {
	if _, err := readLexicon("stop: the of\nvowels: a e\n"); err == nil || !strings.Contains(err.Error(), `lexicon.txt has a class "vowels" that is no feature`) {
		t.Error(err)
	}
	l, err := readLexicon("# ours\nstop: and\nconnective: and but\nabstract-ending: ness\n")
	if err != nil || l.flags["and"] != flagStop|l.connective || l.flags["but"] != l.connective || len(l.endings) != 1 {
		t.Errorf("%v, %+v", err, l)
	}
}
