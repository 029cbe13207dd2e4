package quotes

import (
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/files"
)

// Counts of passages that are not there, or of other ones, are refused by their line.
func TestCountsThatDoNotFit(t *testing.T) {
	passages := []commonplace.Passage{{ID: "a/1", Text: "In the beginning"}}
	for want, row := range map[string]files.Count{
		"line 3 of the counts is of passage 2 of document a, which has 1: cut the document as the counts are":                {Line: 3, Passage: 2},
		`line 4 of the counts is of "In the end", and passage a/1 is "In the beginning": cut the document as the counts are`: {Line: 4, Passage: 1, Text: "In the end"},
	} {
		if err := addGiven(nil, "a", passages, nil, []files.Count{row}); err == nil || err.Error() != want {
			t.Errorf("%v\nand not %s", err, want)
		}
	}
}
