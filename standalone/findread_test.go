package standalone

import (
	"fmt"
	"slices"
	"testing"

	"github.com/commonplace/commonplace"
)

// Each file that is not plain UTF-8 has a sentence; with all each file has one.
func TestHowFilesWereRead(t *testing.T) {
	read := func(all bool, n int) (said []string) {
		r := newReadings("book", all)
		r.add(commonplace.Document{ID: "a", Encoding: "utf-8", EncodingReason: "valid utf-8", RemovedFraction: 0.03}, "v/a.txt")
		r.add(commonplace.Document{ID: "b", Encoding: "utf-8", EncodingReason: "bom: 2 bytes that are not UTF-8 read as windows-1252"}, "v/\xe9.txt")
		for i := range n {
			r.add(commonplace.Document{ID: fmt.Sprint(i), Encoding: "windows-1252", EncodingReason: "guessed"}, fmt.Sprintf("v/list.zip\x00%d", i))
		}
		r.report(func(s string) { said = append(said, s) })
		return said
	}
	odd := `"v/\xe9.txt": read as utf-8, by its byte order mark, 2 bytes that are not UTF-8 read as windows-1252`
	guessed := "v/list.zip, 0: read as windows-1252, by a guess"
	sum := "3 books: 2 in utf-8, 1 in windows-1252; Project Gutenberg's frame was removed from 1, and offsets count without it"
	if got, want := read(false, 1), []string{odd, guessed, sum}; !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if got, want := read(true, 1), []string{"v/a.txt: read as utf-8; 3.0 % of it, Project Gutenberg's frame, was removed", odd, guessed, sum}; !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if got := read(false, 50); len(got) != mostReadings+2 || got[mostReadings] != "and 31 more that are not plain utf-8: -v names them" {
		t.Errorf("%d sentences, %q", len(got), got[len(got)-2:])
	}
	if got := read(true, 50); len(got) != 53 {
		t.Errorf("%d sentences of 52 files", len(got))
	}
}
