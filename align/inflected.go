package align

import (
	"slices"
	"sort"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/edit"
	"github.com/commonplace/commonplace/align/inflect"
)

// Inflections are the languages of [Uninflected], by their ISO 639-1 codes.
var Inflections = inflect.Languages

// Uninflected is a document whose words have lost their endings to the aligner, by the rules of one of [Inflections], for a search of reuse in other
// cases and persons. Count, index and search documents of this form alone, and pass what [Merge] makes of
// them to [Inflected]. Offsets stay as they are. A document with characters of plane 15, which is
// for private use, is empty in this form: the search could not tell them from endings.
func Uninflected(doc commonplace.Document, code string) commonplace.Document {
	text, ok := inflect.Hide(doc.Text, code)
	if !ok {
		text = ""
	}
	doc.Text = text
	return doc
}

// Inflected makes what was found of one derived document in the form of [Uninflected] into rows of its own
// text: of kind inflected, with the texts and the similarity as they are with all endings. Left out
// is what shares a letter of the derived text with one of the rows found without that form.
func Inflected(rows, exact []commonplace.Alignment) []commonplace.Alignment {
	taken := slices.Clone(exact)
	slices.SortFunc(taken, func(a, b commonplace.Alignment) int { return int(a.DerivedBegin - b.DerivedBegin) })
	reach := make([]int64, len(taken)) // the farthest end of the rows up to here
	for i, a := range taken {
		reach[i] = a.DerivedEnd
		if i > 0 {
			reach[i] = max(reach[i], reach[i-1])
		}
	}
	known := func(a *commonplace.Alignment) bool {
		n := sort.Search(len(taken), func(i int) bool { return taken[i].DerivedBegin >= a.DerivedEnd })
		return n > 0 && reach[n-1] > a.DerivedBegin
	}
	groups := map[string]bool{} // the places of a group go together
	for i := range rows {
		if a := &rows[i]; a.Group != "" && known(a) {
			groups[a.Group] = true
		}
	}
	var out []commonplace.Alignment
	for _, a := range rows {
		if groups[a.Group] || known(&a) {
			continue
		}
		a.DerivedText, a.SourceText = inflect.Show(a.DerivedText), inflect.Show(a.SourceText)
		a.Similarity, a.Kind = similarityOf(&a), commonplace.KindInflected
		out = append(out, a)
	}
	return out
}

// similarityOf is the identity of both texts, or of their parts.
func similarityOf(a *commonplace.Alignment) float64 {
	if len(a.Parts) == 0 {
		return edit.Similarity(a.DerivedText, a.SourceText)
	}
	var d, s strings.Builder
	derived, source := []rune(a.DerivedText), []rune(a.SourceText)
	for _, p := range a.Parts {
		d.WriteString(string(derived[p.DerivedBegin-a.DerivedBegin:p.DerivedEnd-a.DerivedBegin]) + " ")
		s.WriteString(string(source[p.SourceBegin-a.SourceBegin:p.SourceEnd-a.SourceBegin]) + " ")
	}
	return edit.Similarity(d.String(), s.String())
}
