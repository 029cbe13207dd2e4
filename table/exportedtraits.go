package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
)

// Traits that entries of exported tables share, or that are too long for them.

// words is the number of runs between white space.
func words(text string) int64 { return int64(len(strings.Fields(text))) }

// ofMany is how many passages have a term that is nobody's. Pairs of words that
// fewer have follow one another as the text does, and give it back.
const ofMany = 5

func fold(n int64) string { return fmt.Sprintf("fold_%d", n) }

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// ofDocument allows the texts of one document.
func ofDocument[T any](id func(*T) string) func(Rights, *T) bool {
	return func(r Rights, row *T) bool { return r.Documents(id(row)) }
}

// ofHiddenArticle allows texts of a document and of an article that the row does
// not name.
func ofHiddenArticle[T any](id func(*T) string) func(Rights, *T) bool {
	return func(r Rights, row *T) bool { return r.AllDocuments() && r.Documents(id(row)) }
}

// ofConversations allows texts of the conversations' files.
func ofConversations[T any](r Rights, _ *T) bool { return r.Conversations() }

// oneFold is what keeps a document in one fold.
func oneFold[T any](document func(*T) string) []Key[T] {
	return []Key[T]{{Watched{What: "doc_id", Why: "no document is in two folds (content-based models of quotation)"}, document}}
}

func documentOfChoice(c *commonplace.Choice) string { return c.DocID }

// exportChoices is what choices and span_choices have in common.
func exportChoices(row string, allowed func(Rights, *commonplace.Choice) bool) *Export[commonplace.Choice] {
	return &Export[commonplace.Choice]{
		Row: row, Tasks: []string{"text-ranking"},
		Split:   func(c *commonplace.Choice) string { return c.Split },
		Texts:   []string{"context", "passage_text"},
		Allowed: allowed,
		Form:    writtenAs(map[string][]string{"label": {"no", "yes"}}, newExportedChoice),
		Watch: func(s Statistics, c *commonplace.Choice) {
			s.Count("label", c.Label)
			s.Count("sampled by", c.SampledBy)
		},
	}
}

// quotationOf is the quotation that a reply makes; nothing where it makes none.
func quotationOf(r *commonplace.Reply) string {
	if r.Quotation < 0 {
		return ""
	}
	return fmt.Sprint(r.Quotation)
}

func watchAlignment(s Statistics, a *commonplace.Alignment) {
	s.Count("kind", a.Kind)
	s.Share("similarity", a.Similarity)
	if n := words(a.SourceText); n > 0 && a.Kind != commonplace.KindEllipsis {
		s.Share("noise", max(0, 1-float64(a.MatchedWords)/float64(n)))
	}
	if a.DerivedID != "" {
		s.Count("between quotation marks", yes(a.Marked))
	}
}

func watchWindow(s Statistics, w *commonplace.Window) {
	n := int64(0)
	for _, sentence := range slices.Concat(w.Left, w.Right) {
		n += words(sentence)
	}
	s.Measure("words per query", float64(n))
	s.Measure("words per quote", float64(words(w.Quote)))
	s.Measure("sentences per quote", float64(w.Sentences))
}
