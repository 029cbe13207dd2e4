package align

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/aligntest"
)

// best is the best find of a quote.
func bestOf(t *testing.T, c *corpus, text string) (best commonplace.Alignment, n int) {
	t.Helper()
	for _, rows := range inList(t, []commonplace.Quote{{ID: "q", Text: text}}, c.books, c.stats, Defaults()) {
		for _, a := range rows {
			if n++; a.Score > best.Score {
				best = a
			}
			checkParts(t, a, text, c.text(a.SourceID))
		}
	}
	return best, n
}

// checkParts checks that the parts are in order in the quote, do not share words there, and lie in the spans.
func checkParts(t *testing.T, a commonplace.Alignment, quote, source string) {
	t.Helper()
	if commonplace.Slice(source, commonplace.Span{Begin: int(a.SourceBegin), End: int(a.SourceEnd)}) != a.SourceText ||
		commonplace.Slice(quote, commonplace.Span{Begin: int(a.DerivedBegin), End: int(a.DerivedEnd)}) != a.DerivedText {
		t.Errorf("spans of %q", quote)
	}
	end := a.DerivedBegin
	for _, p := range a.Parts {
		if p.DerivedBegin < end || p.DerivedEnd > a.DerivedEnd || p.SourceBegin < a.SourceBegin || p.SourceEnd > a.SourceEnd {
			t.Errorf("part %+v of %+v", p, a)
		}
		end = p.DerivedEnd
	}
}

// A listed quotation whose parts stand apart is one find with parts: its sentences in another order, two columns that are read
// across, a long omission at an ellipsis.
func TestPartsThatStandApartAreOneFind(t *testing.T) {
	c := made()
	r := rand.New(rand.NewPCG(131, 132))
	whole := map[string]int{}
	for range 40 {
		f := strings.Fields(c.books[r.IntN(4)].Text[r.IntN(2000):])[1:]
		a, b, d := strings.Join(f[:9], " "), strings.Join(f[9:18], " "), strings.Join(f[18:27], " ")
		var across []string
		for i := 0; i+3 <= 24; i += 3 {
			across = append(across, strings.Join(f[i:i+3], " ")+"     "+strings.Join(f[24+i:27+i], " "))
		}
		for name, text := range map[string]string{
			"another order": b + ". " + d + ". " + a,
			"columns":       strings.Join(across, "\n"),
			"ellipsis":      a + " ... " + strings.Join(f[400:410], " "),
		} {
			best, n := bestOf(t, c, text)
			if want := int64(len([]rune(text))) * 9 / 10; n == 1 && best.DerivedEnd-best.DerivedBegin >= want && best.Similarity > 0.9 && len(best.Parts) > 1 {
				whole[name]++
			}
		}
	}
	// Columns of three words of this language may be aligned across: some of its words are every fifth.
	if whole["another order"] < 36 || whole["ellipsis"] < 38 || whole["columns"] < 8 {
		t.Errorf("of 40 each are one find: %v", whole)
	}
}

// A column of a document is found although another stands beside it.
func TestColumnsOfDocuments(t *testing.T) {
	c := made()
	p, _ := plainBooks(t, c)
	r := rand.New(rand.NewPCG(133, 134))
	found := 0
	for range 20 {
		k := r.IntN(4)
		f := strings.Fields(c.books[k].Text[r.IntN(2000):])[1:]
		var text strings.Builder
		for i := 0; i < 60; i += 4 {
			fmt.Fprintf(&text, "%-40s%s\n", strings.Join(f[i:i+4], " "), nonsense(r, 3))
		}
		rows := Merge(p.Find(document("page", text.String())), Defaults())
		if len(rows) > 0 && rows[0].SourceID == c.books[k].ID && rows[0].MatchedWords >= 36 && len(rows[0].Parts) >= 8 {
			found++
		}
	}
	if found < 10 {
		t.Errorf("%d of 20 columns are one find", found)
	}
}

// Sentences of a passage that a document has in another order are one find with a part each, and the quotation beside
// them is found as ever.
func TestSentencesInAnotherOrderAreOneFind(t *testing.T) {
	c := made()
	p, _ := plainBooks(t, c)
	r := rand.New(rand.NewPCG(137, 138))
	one, beside, parts, alike := 0, 0, 0, 0
	for range 40 {
		b := c.books[r.IntN(4)]
		source := strings.Map(dropMarks, b.Text)
		f := strings.Fields(source[r.IntN(2000):])[1:]
		next := strings.Join(strings.Fields(strings.Map(dropMarks, c.books[4].Text)[r.IntN(2000):])[1:15], " ")
		order := r.Perm(3)
		if order[0] < order[1] && order[1] < order[2] {
			order = []int{2, 0, 1}
		}
		var sentences []string
		for _, k := range order {
			sentences = append(sentences, strings.Join(f[12*k:12*k+12], " "))
		}
		passage := strings.Join(sentences, " ")
		text := nonsense(r, 40) + "\n\n" + passage + " " + next + "\n\n" + nonsense(r, 40)
		rows := Merge(p.Find(document("d", text)), Defaults())
		for _, a := range rows {
			checkParts(t, a, text, strings.Map(dropMarks, c.text(a.SourceID)))
			whole := len([]rune(passage))
			if a.SourceID == b.ID && len(a.Parts) > 1 && apart(a.DerivedEnd-a.DerivedBegin, int64(whole)) <= 12 {
				one++
				for _, part := range a.Parts {
					d := commonplace.Slice(text, commonplace.Span{Begin: int(part.DerivedBegin), End: int(part.DerivedEnd)})
					s := commonplace.Slice(source, commonplace.Span{Begin: int(part.SourceBegin), End: int(part.SourceEnd)})
					if parts++; Similarity(d, s) >= 0.9 {
						alike++
					}
				}
			}
			if a.SourceID == c.books[4].ID && a.MatchedWords >= 12 {
				beside++
			}
		}
	}
	// A part may leave out a sentence of the source that another part has.
	if one < 30 || beside < 38 || alike < parts*9/10 {
		t.Errorf("of 40 each, %d passages are one find, %d quotations beside them are found; of %d parts %d are alike", one, beside, parts, alike)
	}
}

// Where every fourth word is another one of the language, the rest is no quotation; damaged words and words left out are.
func TestSkeletonsAreNoQuotations(t *testing.T) {
	c := made()
	r := rand.New(rand.NewPCG(135, 136))
	all := strings.Fields(c.books[5].Text)
	found, kept := 0, 0
	for range 100 {
		f := strings.Fields(c.books[r.IntN(4)].Text[r.IntN(2000):])[1:21]
		quote := strings.Join(f, " ")
		skeleton := append([]string(nil), f...)
		for i := 3; i < len(f); i += 4 {
			skeleton[i] = all[r.IntN(len(all))]
		}
		if _, n := bestOf(t, c, strings.Join(skeleton, " ")); n > 0 {
			found++
		}
		if _, n := bestOf(t, c, aligntest.Damage(r, quote, 12)); n > 0 {
			kept++
		}
	}
	if found > 40 || kept < 98 {
		t.Errorf("%d of 100 skeletons are found, and %d of 100 damaged quotations", found, kept)
	}
}
