package align

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/edit"
	"github.com/commonplace/commonplace/align/fold"
)

// strange is what real texts have between and within their words.
var strange = []string{"e\u0301", "ﬁ", "ﬃ", "ß", "ſ", "İ", "ı", "æ", "中", "文", "שלום", "\u200f", "\x00", "\r\n\r\n", "…", "...", ". . .", "[…]", "[...]", "[x]", "[", "]", "“", "”", "\"", "'",
	"‘", "’", "«", "»", "„", "—", "-\n", "-\r\n", ":", "\n\n    ", "\n> ", "𝔘", "ＡＢ", "ﷺ", "ς", "ŉ", "ǆ", "क्षि", "한국", "\u0301", "\u00ad", "\ufeff", "३", "½", "_"}

// strew puts strange things into a text and leaves words out, here and there.
func strew(r *rand.Rand, text string) string {
	words := strings.Fields(text)
	var b strings.Builder
	rate := 3 + r.IntN(20)
	for i := 0; i < len(words); i++ {
		w := words[i]
		more := strange[r.IntN(len(strange))]
		switch r.IntN(rate) {
		case 0:
			w += more
		case 1:
			w = more + w
		case 2:
			runes := []rune(w)
			k := r.IntN(len(runes) + 1)
			w = string(runes[:k]) + more + string(runes[k:])
		case 3:
			i += r.IntN(8)
			w += []string{" ... ", "…", " . . . ", " [...] ", " […] "}[r.IntN(5)]
		}
		b.WriteString(w + []string{" ", " ", " ", "\n", "\r\n", "\t"}[r.IntN(6)])
	}
	return b.String()
}

// Whatever characters stand in the texts: spans and parts are what they say, no
// end leaves a letter without its accent, and the edits make one text into the other.
func TestAnyCharacters(t *testing.T) {
	c := made()
	o := Defaults()
	o.QuoteChance, o.DocumentChance, o.MinSimilarity, o.MinWords, o.MinConfidence = 1e3, 1e7, 0.3, 0, 0
	found := 0
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 5))
		source := document("source", strew(r, c.books[seed%8].Text[:6000]))
		runes := []rune(source.Text)
		part := func() string {
			k := r.IntN(len(runes) - 700)
			return strew(r, string(runes[k:k+60+r.IntN(600)]))
		}
		text := ""
		var quotes []commonplace.Quote
		texts := map[string]string{}
		for k := range 4 {
			text += strings.ToValidUTF8(c.books[(seed+1)%8].Text[:300], "") + []string{" “", "\n\n    ", " ", ": ‘"}[r.IntN(4)] + part() + []string{"” ", "\n\n", " ", "’ "}[r.IntN(4)]
			quotes = append(quotes, commonplace.Quote{ID: fmt.Sprint(k), Text: part()})
			texts[quotes[k].ID] = quotes[k].Text
		}
		derived := document("derived", text)
		texts[""] = text
		p := openPart(t, []commonplace.Document{source}, c.stats, o)
		l, err := NewQuoteList(quotes, c.stats, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range slices.Concat(Merge(p.Find(derived), o), MergeMarked(p.FindMarked(derived), o), l.Find(source)) {
			found++
			d := texts[a.QuoteID]
			checkSpans(t, a, d, source.Text)
			for _, end := range []struct {
				text string
				at   int64
			}{{d, a.DerivedEnd}, {source.Text, a.SourceEnd}} {
				if text := []rune(end.text); end.at < int64(len(text)) && unicode.Is(unicode.M, text[end.at]) && fold.IsLetter(text[end.at-1]) {
					t.Errorf("seed %d: %s ends before %q", seed, a.ID, text[end.at])
				}
			}
			end := a.SourceBegin
			for _, p := range a.Parts {
				if p.SourceBegin < end || p.SourceEnd <= p.SourceBegin || p.SourceEnd > a.SourceEnd {
					t.Errorf("seed %d: part %+v of %s", seed, p, a.ID)
				}
				end = p.SourceEnd
			}
			checkScript(t, a.DerivedText, a.SourceText)
		}
	}
	if found < 100 {
		t.Errorf("%d finds only", found)
	}
}

// checkScript fails unless the edits make source into derived.
func checkScript(t testing.TB, derived, source string) {
	t.Helper()
	d, s := []rune(derived), []rune(source)
	made := ""
	at := commonplace.Span{}
	for _, e := range Script(derived, source) {
		if e.Source.Begin < at.Begin || e.Derived.Begin < at.End || string(s[e.Source.Begin:e.Source.End]) != e.SourceText || string(d[e.Derived.Begin:e.Derived.End]) != e.DerivedText {
			t.Errorf("edit %+v of %q and %q", e, derived, source)
			return
		}
		made += string(s[at.Begin:e.Source.Begin]) + " " + e.DerivedText + " "
		at = commonplace.Span{Begin: e.Source.End, End: e.Derived.End}
	}
	if made += string(s[at.Begin:]); edit.Similarity(made, derived) != 1 {
		t.Errorf("the edits make %q of %q, not %q", made, source, derived)
	}
}

// A character that folds to several letters is edited whole.
func TestScriptHasWholeCharacters(t *testing.T) {
	for _, c := range [][3]string{{"ﬁx", "fax", "fa>ﬁ"}, {"groß", "gros", "s>ß"}, {"gros", "groß", "ß>s"}, {"eﬃe", "efe", "f>ﬃ"}, {"aﬁnd", "afind", ""}, {"ﬁﬁ", "fifi", ""}} {
		var got []string
		for _, e := range Script(c[0], c[1]) {
			got = append(got, e.SourceText+">"+e.DerivedText)
		}
		if strings.Join(got, "|") != c[2] {
			t.Errorf("%q from %q: %q, want %q", c[0], c[1], got, c[2])
		}
		checkScript(t, c[0], c[1])
	}
}
