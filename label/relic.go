package label

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
)

// RELiCSentences is the longest quotation, in sentences, that RELiC's own
// evaluation reads.
const RELiCSentences = 5

// RELiCBook is one primary source in the layout of RELiC's train.json, val.json
// and test.json, which map titles to books, so that its public evaluation runs
// on our windows.
type RELiCBook struct {
	Quotes     map[string]RELiCQuote `json:"quotes"`
	Sentences  []string              `json:"sentences"`
	Candidates map[string][]int      `json:"candidates"` // "3_sentence": where runs of three sentences begin
}

// RELiCQuote is a window in that layout: a list of the sentences before, the
// index of the quotation's first sentence, its length in sentences, and the
// sentences after.
type RELiCQuote struct {
	Left             []string
	First, Sentences int
	Right            []string
}

// MarshalJSON writes the list of four.
func (q RELiCQuote) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{notNull(q.Left), q.First, q.Sentences, notNull(q.Right)})
}

// UnmarshalJSON reads the list of four.
func (q *RELiCQuote) UnmarshalJSON(raw []byte) error {
	var four []json.RawMessage
	if err := json.Unmarshal(raw, &four); err != nil {
		return err
	}
	if len(four) < 4 {
		return fmt.Errorf("a quote of RELiC has %d members where 4 are wanted", len(four))
	}
	for i, to := range []any{&q.Left, &q.First, &q.Sentences, &q.Right} {
		if err := json.Unmarshal(four[i], to); err != nil {
			return err
		}
	}
	return nil
}

func notNull(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// RELiC puts the windows of one source into RELiC's layout, with its sentences,
// in which any white space is one space. Windows of more than [RELiCSentences]
// sentences, which RELiC's evaluation cannot read, come back as the second value.
func RELiC(sentences []commonplace.Passage, windows []commonplace.Window) (RELiCBook, []commonplace.Window) {
	b := RELiCBook{Quotes: map[string]RELiCQuote{}, Sentences: []string{}, Candidates: map[string][]int{}}
	for _, p := range inOrder(sentences) {
		b.Sentences = append(b.Sentences, oneLine(p.Text))
	}
	for n := 1; n <= RELiCSentences; n++ {
		runs := []int{}
		for i := 0; i+n <= len(sentences); i++ {
			runs = append(runs, i)
		}
		b.Candidates[fmt.Sprintf("%d_sentence", n)] = runs
	}
	var long []commonplace.Window
	for _, w := range windows {
		if w.Sentences > RELiCSentences {
			long = append(long, w)
			continue
		}
		b.Quotes[w.ID] = RELiCQuote{Left: oneLines(w.Left), First: int(w.FirstSentence), Sentences: int(w.Sentences), Right: oneLines(w.Right)}
	}
	return b, long
}

func oneLine(text string) string { return strings.Join(strings.FieldsFunc(text, isSpace), " ") }

func oneLines(texts []string) []string {
	texts = slices.Clone(texts)
	for i := range texts {
		texts[i] = oneLine(texts[i])
	}
	return texts
}

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
