package files

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// The 68 shared books: no body is emptied, none begins or ends with what is
// Gutenberg's. 62 have START and END lines; the six plays that do not are named.
func TestFramesOfRealBooks(t *testing.T) {
	const shared = "../../../shared/data"
	listing, err := List(t.Context(), []string{filepath.Join(shared, "books"), filepath.Join(shared, "twain")})
	if err != nil {
		t.Skip("the shared books are not here")
	}
	if len(listing.Files) != 68 {
		t.Errorf("%d books", len(listing.Files))
	}
	odd := map[string]string{
		"shakespeare-william-a-midsummer-night-s-dream": "removed A MIDSUMMER NIGHT'S DREAM ... THE END",
		"shakespeare-william-hamlet":                    "removed THE TRAGEDY OF HAMLET, PRINCE OF DENMARK ... THE END",
		"shakespeare-william-macbeth":                   "removed THE TRAGEDY OF MACBETH ... -THE END-",
		"shakespeare-william-romeo-and-juliet":          "removed THE TRAGEDY OF ROMEO AND JULIET ... THE END",
		"shakespeare-william-as-you-like-it":            "no end As you Like it ... FINIS. As you Like it.",
		"shakespeare-william-richard-iii":               "no end The Tragedie of Richard the Third ... Richmond, and the Battell at Bosworth Field.",
	}
	for _, f := range listing.Files {
		doc, reject := Read(context.Background(), f, Options{})
		if reject != nil {
			t.Errorf("%s: %+v", f.ID, reject)
			continue
		}
		head, tail := doc.Text[:300], doc.Text[len(doc.Text)-300:]
		for _, s := range []string{head, tail} {
			for _, words := range []string{"PROJECT GUTENBERG", "Project Gutenberg EBook", "SMALL PRINT", "Produced by", "E-text prepared", "pglaf.org", "ELECTRONIC VERSION", "Etext"} {
				if strings.Contains(s, words) {
					t.Errorf("%s: %q in %q", f.ID, words, s)
				}
			}
		}
		if doc.RemovedFraction > 0.31 || doc.EBook == 0 || doc.Title == "" || doc.Author == "" {
			t.Errorf("%s: %.3f removed, eBook %d, %q by %q", f.ID, doc.RemovedFraction, doc.EBook, doc.Title, doc.Author)
		}
		want, isOdd := odd[f.ID]
		if !isOdd {
			if doc.FrameStatus != "removed" || !strings.Contains(doc.FrameMarkers, "START OF TH") || !strings.Contains(doc.FrameMarkers, "END OF TH") {
				t.Errorf("%s: %s by %q", f.ID, doc.FrameStatus, doc.FrameMarkers)
			}
			continue
		}
		status, rest, _ := strings.Cut(want, " ... ")
		if !strings.HasPrefix(status, doc.FrameStatus+" ") || !strings.Contains(head, strings.TrimPrefix(status, doc.FrameStatus+" ")) || !strings.HasSuffix(doc.Text, rest) {
			t.Errorf("%s: %s, %q ... %q", f.ID, doc.FrameStatus, head, tail)
		}
	}
}
