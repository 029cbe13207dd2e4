package label

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/commonplace/commonplace"
)

// cut makes passages of n words, as segment does.
func cut(doc commonplace.Document, n int) []commonplace.Passage {
	var out []commonplace.Passage
	words := tokens(doc.Text)
	for i := 0; i < len(words); i += n {
		part := words[i:min(i+n, len(words))]
		s := commonplace.Span{Begin: part[0].begin, End: part[len(part)-1].end}
		out = append(out, commonplace.Passage{
			ID: commonplace.PassageID(doc.ID, int64(len(out))), DocID: doc.ID, Index: int64(len(out)),
			Begin: int64(s.Begin), End: int64(s.End), Text: commonplace.Slice(doc.Text, s),
		})
	}
	return out
}

// found is the alignment of a quote that stands in the document as it is.
func found(doc commonplace.Document, quoteID, words string) commonplace.Alignment {
	before, _, ok := strings.Cut(doc.Text, words)
	if !ok {
		panic("no " + words)
	}
	begin := len([]rune(before))
	return at(doc, quoteID, begin, begin+len([]rune(words)))
}

func at(doc commonplace.Document, quoteID string, begin, end int) commonplace.Alignment {
	return commonplace.Alignment{
		ID:   fmt.Sprintf("%s:%d-%d:%s", doc.ID, begin, end, quoteID),
		Kind: commonplace.KindExact, QuoteID: quoteID, Similarity: 1,
		SourceID: doc.ID, SourceBegin: int64(begin), SourceEnd: int64(end),
		SourceText: commonplace.Slice(doc.Text, commonplace.Span{Begin: begin, End: end}),
	}
}

func one(t *testing.T, doc commonplace.Document, n int, a commonplace.Alignment) commonplace.Example {
	t.Helper()
	o := Defaults()
	o.ContextWords = 3
	examples, rejects := Triples(doc, cut(doc, n), []commonplace.Alignment{a}, o)
	if len(examples) != 1 || len(rejects) != 0 {
		t.Fatalf("got %d examples and rejects %+v, want one example", len(examples), rejects)
	}
	return examples[0]
}

func TestTripleInsideOnePassage(t *testing.T) {
	doc := commonplace.Document{ID: "b", Text: "One ‘naïve’ two\n three  four, five six seven eight\n"}
	e := one(t, doc, 5, found(doc, "q", "three  four"))
	want := commonplace.Example{
		ID: "b:17-28:q", QuoteID: "q", DocID: "b",
		Quote: "three  four", QuoteBegin: 17, QuoteEnd: 28, Similarity: 1,
		LeftContext: "One ‘naïve’ two", LeftBegin: 0, LeftEnd: 15,
		RightContext: ", five six", RightBegin: 28, RightEnd: 38,
		Context:   "One ‘naïve’ two , five six",
		PassageID: "b:000000", PassageIDs: []string{"b:000000"},
		PassageText: "One ‘naïve’ two\n three  four,",
		SpanBegin:   17, SpanEnd: 28, SpanText: "three  four",
		Tokens:     []string{"One", "‘", "naïve", "’", "two", "three", "four", ","},
		Tags:       []string{"O", "O", "O", "O", "O", "B", "I", "O"},
		Candidates: 2, Split: Defaults().Split.Of("q"),
	}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Error(diff)
	}
}

func TestTripleOverABoundary(t *testing.T) {
	doc := commonplace.Document{ID: "b", Text: "a b c d e f g h i j"}
	e := one(t, doc, 4, found(doc, "q", "c d e f g"))
	if !e.CrossesBoundary || e.PassageID != "b:000001" || !slices.Equal(e.PassageIDs, []string{"b:000000", "b:000001"}) {
		t.Errorf("positive %s of %v, crosses %v", e.PassageID, e.PassageIDs, e.CrossesBoundary)
	}
	if got := strings.Join(e.Tags, ""); got != "BIIO" || e.SpanText != "e f g" || e.SpanBegin != 0 {
		t.Errorf("tags %s span %q at %d", got, e.SpanText, e.SpanBegin)
	}
	if e.LeftContext != "a b" || e.RightContext != "h i j" {
		t.Errorf("contexts %q and %q must be the book's, not the passage's", e.LeftContext, e.RightContext)
	}
	if e := one(t, doc, 4, found(doc, "q", "c d e f")); e.PassageID != "b:000000" || strings.Join(e.Tags, "") != "OOBI" {
		t.Errorf("of equal parts the first is positive, got %s %v", e.PassageID, e.Tags)
	}
	if e := one(t, doc, 2, found(doc, "q", "b c d e f")); len(e.PassageIDs) != 3 || e.PassageID != "b:000001" {
		t.Errorf("quote over three passages: %v, positive %s", e.PassageIDs, e.PassageID)
	}
}

// Chunks overlap: the first that holds all of the quote is positive.
func TestTripleInOverlappingPassages(t *testing.T) {
	doc := commonplace.Document{ID: "b", Text: "a b c d e f g h i j"}
	var chunks []commonplace.Passage
	for i := range 3 {
		begin := 6 * i
		chunks = append(chunks, commonplace.Passage{
			ID: commonplace.PassageID("b", int64(i)), DocID: "b", Index: int64(i), Begin: int64(begin), End: int64(begin + 7),
			Text: doc.Text[begin : begin+7],
		})
	}
	examples, rejects := Triples(doc, chunks, []commonplace.Alignment{found(doc, "q", "d e f"), found(doc, "r", "c d")}, Defaults())
	if len(rejects) > 0 {
		t.Fatal(rejects)
	}
	if e := examples[1]; e.QuoteID != "q" || e.PassageID != "b:000001" || strings.Join(e.Tags, "") != "BIIO" || len(e.PassageIDs) != 2 {
		t.Errorf("%s %v in %s of %v", e.QuoteID, e.Tags, e.PassageID, e.PassageIDs)
	}
	if e := examples[0]; e.QuoteID != "r" || e.PassageID != "b:000000" || strings.Join(e.Tags, "") != "OOBI" {
		t.Errorf("%s %v in %s of %v", e.QuoteID, e.Tags, e.PassageID, e.PassageIDs)
	}
}

func TestTripleAtTheEndsOfTheBook(t *testing.T) {
	doc := commonplace.Document{ID: "b", Text: "\n  Call me a taxi. Then go."}
	e := one(t, doc, 9, found(doc, "q", "Call me"))
	if e.LeftContext != "" || e.LeftBegin != 3 || e.LeftEnd != 3 || e.Context != "a taxi. Then" {
		t.Errorf("left %q [%d:%d] context %q", e.LeftContext, e.LeftBegin, e.LeftEnd, e.Context)
	}
	e = one(t, doc, 9, found(doc, "q", "go."))
	if e.RightContext != "" || e.RightBegin != e.QuoteEnd || e.RightEnd != e.QuoteEnd || e.Context != "a taxi. Then" {
		t.Errorf("right %q [%d:%d] context %q", e.RightContext, e.RightBegin, e.RightEnd, e.Context)
	}
}

func TestTriplePartlyCoveredWordsAreCovered(t *testing.T) {
	doc := commonplace.Document{ID: "b", Text: "say “to be, or not”—quoth he"}
	e := one(t, doc, 9, found(doc, "q", "o be, or no"))
	if got := strings.Join(e.Tags, ""); got != "OOBIIIIOOOO" {
		t.Errorf("tags %s", got)
	}
	if e.LeftContext != "say “t" || e.RightContext != "t”—quoth he" {
		t.Errorf("contexts %q %q", e.LeftContext, e.RightContext)
	}
}

func TestTriplesOfADerivedText(t *testing.T) {
	doc := commonplace.Document{ID: "b", Text: "a b c d e f g h i j"}
	a := found(doc, "", "b c")
	a.DerivedID, a.DerivedBegin, a.DerivedEnd = "essay", 10, 13
	if e := one(t, doc, 9, a); e.QuoteID != "essay:10-13" || e.Split != Defaults().Split.Of("b") {
		t.Errorf("quote id %q split %q", e.QuoteID, e.Split)
	}
}

func TestTriplesRefuse(t *testing.T) {
	doc := commonplace.Document{ID: "b", Text: "a b c   d e f"}
	good := found(doc, "q", "b c")
	change := func(f func(*commonplace.Alignment)) commonplace.Alignment { a := good; f(&a); return a }
	passages := cut(doc, 3)
	for _, c := range []struct {
		reason   string
		passages []commonplace.Passage
		a        commonplace.Alignment
	}{
		{ReasonDocument, passages, change(func(a *commonplace.Alignment) { a.SourceID = "c" })},
		{ReasonSimilarity, passages, change(func(a *commonplace.Alignment) { a.Similarity = 0.4 })},
		{ReasonSimilarity, passages, change(func(a *commonplace.Alignment) { a.Similarity = math.NaN() })},
		{ReasonSpan, passages, change(func(a *commonplace.Alignment) { a.SourceBegin = -1 })},
		{ReasonSpan, passages, change(func(a *commonplace.Alignment) { a.SourceEnd = 14 })},
		{ReasonSpan, passages, change(func(a *commonplace.Alignment) { a.SourceEnd = a.SourceBegin })},
		{ReasonSpan, passages, change(func(a *commonplace.Alignment) { a.SourceEnd = math.MinInt64 })},
		{ReasonText, passages, change(func(a *commonplace.Alignment) { a.SourceText = "b d" })},
		{ReasonNoPassage, nil, good},
		{ReasonNoPassage, passages, at(doc, "q", 5, 7)},
		{ReasonNoWord, passages, at(doc, "q", 1, 2)},
		{ReasonPassages, passages[1:], good},
		{ReasonPassages, []commonplace.Passage{{ID: "c:0", DocID: "c"}}, good},
		{ReasonPassages, []commonplace.Passage{{DocID: "b", Begin: 0, End: 99}}, good},
		{ReasonPassages, []commonplace.Passage{{DocID: "b", Begin: 0, End: 1, Text: "b"}}, good},
	} {
		o := Defaults()
		o.MinSimilarity = 0.5
		examples, rejects := Triples(doc, c.passages, []commonplace.Alignment{c.a}, o)
		if len(examples) != 0 || len(rejects) != 1 || rejects[0].Reason != c.reason || rejects[0].Detail == "" {
			t.Errorf("want a reject %q, got %d examples and %+v", c.reason, len(examples), rejects)
		}
	}
	examples, rejects := Triples(doc, passages, []commonplace.Alignment{good, good}, Defaults())
	if len(examples) != 1 || len(rejects) != 1 || rejects[0].Reason != ReasonDuplicate {
		t.Errorf("twice the same: %d examples, %+v", len(examples), rejects)
	}
}

// randomBook has words of several scripts, all kinds of white space, and short
// words enough that every boundary is met.
func randomBook(r *rand.Rand, id string, words int) commonplace.Document {
	alphabet := []string{"a", "no", "“yes”", "naïve", "Gött", "愛", "🙂", "of,", "—"}
	spaces := []string{" ", "\n", "\r\n\r\n", "\u00a0", "\u2003", "\x1c", "\u3000 "}
	var b strings.Builder
	for range words {
		b.WriteString(alphabet[r.IntN(len(alphabet))])
		b.WriteString(spaces[r.IntN(len(spaces))])
	}
	return commonplace.Document{ID: id, Text: b.String()}
}

// fields is Python's str.split by its definition, the slow way.
func fields(text string) []string { return strings.FieldsFunc(text, isSpace) }

func TestTriplesAgainstTheObviousWay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		doc := randomBook(r, "b", 1+r.IntN(60))
		text := []rune(doc.Text)
		passages := cut(doc, 1+r.IntN(12))
		var alignments []commonplace.Alignment
		for i := range 20 {
			begin := r.IntN(len(text))
			alignments = append(alignments, at(doc, fmt.Sprint("q", i), begin, begin+1+r.IntN(len(text)-begin)))
		}
		o := Defaults()
		o.ContextWords = r.IntN(6)
		examples, rejects := Triples(doc, passages, alignments, o)
		if len(examples)+len(rejects) != len(alignments) {
			t.Fatalf("%d in, %d + %d out", len(alignments), len(examples), len(rejects))
		}
		for i, e := range examples {
			if i > 0 && (examples[i-1].QuoteBegin > e.QuoteBegin || examples[i-1].QuoteBegin == e.QuoteBegin && examples[i-1].QuoteEnd > e.QuoteEnd) {
				t.Fatal("not in order of the book")
			}
			left, right := fields(string(text[:e.QuoteBegin])), fields(string(text[e.QuoteEnd:]))
			left, right = left[max(0, len(left)-o.ContextWords):], right[:min(o.ContextWords, len(right))]
			if !slices.Equal(fields(e.LeftContext), left) || !slices.Equal(fields(e.RightContext), right) {
				t.Fatalf("contexts %q %q, want %q %q", e.LeftContext, e.RightContext, left, right)
			}
			for _, s := range []struct {
				in         []rune
				begin, end int64
				text       string
			}{
				{text, e.QuoteBegin, e.QuoteEnd, e.Quote},
				{text, e.LeftBegin, e.LeftEnd, e.LeftContext},
				{text, e.RightBegin, e.RightEnd, e.RightContext},
				{[]rune(e.PassageText), e.SpanBegin, e.SpanEnd, e.SpanText},
			} {
				if string(s.in[s.begin:s.end]) != s.text || s.text != strings.TrimFunc(s.text, isSpace) && s.text != e.Quote && s.text != e.SpanText {
					t.Fatalf("[%d:%d] is not %q", s.begin, s.end, s.text)
				}
			}
			if strings.Join(e.Tokens, "") != strings.Join(fields(e.PassageText), "") {
				t.Fatalf("tokens %q", e.Tokens)
			}
			// A token is tagged when a character of it stands in the span.
			at, passage := 0, []rune(e.PassageText)
			for i, token := range e.Tokens {
				for isSpace(passage[at]) {
					at++
				}
				end := at + len([]rune(token))
				if (e.Tags[i] != TagOutside) != (at < int(e.SpanEnd) && end > int(e.SpanBegin)) {
					t.Fatalf("token %q at %d has %s, the span is [%d:%d]", token, at, e.Tags[i], e.SpanBegin, e.SpanEnd)
				}
				at = end
			}
			if got := strings.Trim(strings.Join(e.Tags, ""), "O"); got != "B"+strings.Repeat("I", len(got)-1) {
				t.Fatalf("tags %s", got)
			}
			for _, p := range passages {
				overlap := min(p.End, e.QuoteEnd) - max(p.Begin, e.QuoteBegin)
				if slices.Contains(e.PassageIDs, p.ID) != (overlap > 0) || overlap > e.SpanEnd-e.SpanBegin {
					t.Fatalf("passage %s with %d of the quote; positive %s with %d", p.ID, overlap, e.PassageID, e.SpanEnd-e.SpanBegin)
				}
			}
		}
		slices.Reverse(alignments)
		again, _ := Triples(doc, passages, alignments, o)
		if diff := cmp.Diff(examples, again); diff != "" {
			t.Fatal("the order of the input matters:\n", diff)
		}
	}
}
