package label

import (
	"fmt"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
)

// VolumeFilter says which volumes are scholarly work that quotes, and not
// another edition of the book or a dictionary of quotations (RELiC, Appendix A).
type VolumeFilter struct {
	MinMatches, MaxMatches int      // matches of one primary source; most volumes under the one and over the other are no scholarship
	TitleWords             []string // words that a title must not have, in lower case
	Language               string   // that the volume must be in; any when empty
}

// DefaultVolumes has the paper's words and bounds in its spirit: it gives no
// numbers, but says that a volume with one or two matches is chance, and one
// with hundreds is an edition.
func DefaultVolumes() VolumeFilter {
	return VolumeFilter{MinMatches: 3, MaxMatches: 100, TitleWords: []string{"dictionary", "anthology", "encyclopedia", "encyclopaedia", "quotations", "reader", "selections"}, Language: "en"}
}

// Refuses says why a volume is dropped, or nothing. matches is how many
// alignments it has with one primary source.
func (f VolumeFilter) Refuses(volume commonplace.Document, matches int) string {
	if f.Language != "" && volume.Language != "" && !strings.HasPrefix(strings.ToLower(volume.Language), f.Language) {
		return fmt.Sprintf("language is %s, wanted %s", volume.Language, f.Language)
	}
	for w := range strings.FieldsSeq(Normalise(volume.Title)) {
		if slices.Contains(f.TitleWords, w) {
			return fmt.Sprintf("title has the word %s", w)
		}
	}
	if matches < f.MinMatches || f.MaxMatches > 0 && matches > f.MaxMatches {
		return fmt.Sprintf("%d matches, wanted %d to %d", matches, f.MinMatches, f.MaxMatches)
	}
	return ""
}
