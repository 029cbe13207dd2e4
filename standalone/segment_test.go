package standalone

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/segment"
)

// The lines of a large document do not wait in memory for those of others.
func TestLinesOfALargeDocument(t *testing.T) {
	seg, err := segment.Parse("verses")
	if err != nil {
		t.Fatal(err)
	}
	doc := commonplace.Document{ID: "a", Text: strings.Repeat("1:1 O\n", 400_000)}
	lines, err := linesOf(segment.Passages(doc, seg))
	if err != nil || len(lines.first) > mostWaiting+1000 || lines.more == nil {
		t.Fatalf("%d bytes wait (%v)", len(lines.first), err)
	}
	got := bytes.NewBuffer(lines.first)
	if err := lines.more(got); err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	for p := range segment.Passages(doc, seg) {
		if err := encodePassage(&want, p); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(got.Bytes(), want.Bytes()) {
		t.Error("the lines are others")
	}
}
