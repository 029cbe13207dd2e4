package align

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/aligntest"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/match"
)

// bruteForce aligns every word start of the quote with every word start of the
// document and joins what comes out: no seeds, no filters, no diagonals.
func bruteForce(l *QuoteList, doc commonplace.Document) (best *match.Chain, score float64) {
	c := &listSearch{}
	c.begin(l, doc)
	c.view(l, 0)
	c.weigh(l)
	m := &c.m
	var pieces []match.Piece
	for i := range m.DHi - 1 {
		for j := range len(c.f.Sym) - 1 {
			if c.d.Sym[i]&fold.WordStart == 0 || c.f.Sym[j]&fold.WordStart == 0 || c.d.Sym[i] != c.f.Sym[j] || c.d.Sym[i+1]&fold.Mask != c.f.Sym[j+1]&fold.Mask {
				continue
			}
			if p, ok := m.Align(i, int(c.f.Pos[j]), int(c.f.Pos[j]), int(c.f.Pos[j])); ok && p.Bits > 6 {
				pieces = append(pieces, p)
			}
		}
	}
	for _, ch := range m.Chains(pieces) {
		if m.Complete(&ch, c.sum); best == nil || ch.Words() > best.Words() {
			best, score = &ch, ch.Words()+coverBits(m.Missing(&ch))
		}
	}
	return best, score
}

// What brute force finds above the threshold, the list finds, with the same score.
func TestListFindsWhatBruteForceFinds(t *testing.T) {
	c := made()
	r := rand.New(rand.NewPCG(41, 42))
	both, lost := 0, 0
	for range 60 {
		_, q := c.Cut(r, 6+r.IntN(14))
		text := "xaxa xexe xixi " + q + " xoxo xuxu xyxy"
		q = aligntest.Damage(r, q, 12+r.IntN(30))
		doc := document("d", c.books[r.IntN(8)].Text[:800]+text)
		l, err := NewQuoteList([]commonplace.Quote{{ID: "q", Text: q}}, c.stats, Defaults())
		if err != nil {
			t.Fatal(err)
		}
		brute, score := bruteForce(l, doc)
		rows := l.Find(doc)
		if brute == nil || score < l.threshold || float64(brute.Cover()) < minCover*float64(l.texts[0].letters) {
			continue
		}
		if len(rows) == 0 {
			lost++
			continue
		}
		both++
		if math.Abs(rows[0].Score-score) > 1e-9 && rows[0].Score < score {
			t.Errorf("%q scores %.4f, brute force %.4f", q, rows[0].Score, score)
		}
		checkSpans(t, rows[0], q, doc.Text)
	}
	if both < 40 || lost > both/20 {
		t.Errorf("%d found by both, %d lost", both, lost)
	}
}

func TestListFindsExactQuotesOnce(t *testing.T) {
	c := made()
	r := rand.New(rand.NewPCG(51, 52))
	var quotes []commonplace.Quote
	in := map[string]string{}
	for i := range 200 {
		b, q := c.Cut(r, 8+r.IntN(20))
		id := fmt.Sprintf("q%d", i)
		quotes = append(quotes, commonplace.Quote{ID: id, Text: q})
		in[id] = c.books[b].ID
	}
	l, err := NewQuoteList(quotes, c.stats, Defaults())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, b := range c.books {
		last := commonplace.Alignment{}
		for _, a := range l.Find(b) {
			if a.SourceBegin < last.SourceBegin {
				t.Fatal("rows are not in order")
			}
			last = a
			if in[a.QuoteID] == b.ID && a.Kind == commonplace.KindExact {
				found[a.QuoteID]++
			}
			for _, q := range quotes {
				if q.ID == a.QuoteID {
					checkSpans(t, a, q.Text, b.Text)
				}
			}
		}
	}
	for _, q := range quotes {
		if found[q.ID] != 1 {
			t.Errorf("%s was found %d times exactly: %q", q.ID, found[q.ID], q.Text)
		}
	}
}

// Quotes that cannot be found, and texts that are none, cost little and break nothing.
func TestDegenerate(t *testing.T) {
	c := made()
	o := Defaults()
	million := strings.Repeat("a", 1_000_000)
	texts := map[string]string{
		"empty": "", "space": " \n\t ", "points": strings.Repeat("?!… ", 5000), "million": million, "words": strings.Repeat("ha ", 100_000),
		"one": "a", "nul": "a\x00b\x00", "broken": "\xff\xfe\xfd broken bytes \xc3", "no spaces": strings.Repeat("lorumipsumdolor", 4000),
		"chinese": strings.Repeat("子曰學而時習之不亦說乎", 300), "brackets": strings.Repeat("[", 5000), "marks": strings.Repeat("“", 5000) + "“\"'”", "ellipses": strings.Repeat("… ", 5000),
	}
	var quotes []commonplace.Quote
	var docs []commonplace.Document
	stats := NewStats(o)
	for id, text := range texts {
		quotes = append(quotes, commonplace.Quote{ID: id, Text: text})
		docs = append(docs, document(id, text))
		stats.Count(document(id, text))
	}
	quotes = append(quotes, commonplace.Quote{ID: "long", Text: c.books[0].Text + c.books[1].Text})
	l, err := NewQuoteList(quotes, stats, o)
	if err != nil {
		t.Fatal(err)
	}
	p := openPart(t, docs, stats, o)
	for _, d := range docs {
		for _, a := range l.Find(d) {
			checkSpans(t, a, texts[a.QuoteID], d.Text)
		}
		for _, a := range Merge(p.Find(d), o) {
			checkSpans(t, a, d.Text, texts[a.SourceID])
		}
		p.FindMarked(d)
	}
	if l, err := NewQuoteList(nil, stats, o); err != nil || len(l.Find(docs[0])) != 0 {
		t.Errorf("an empty list: %v", err)
	}
}

func TestOtherLanguages(t *testing.T) {
	o := Defaults()
	text := map[string]string{
		"latin":   "Arma virumque cano, Troiae qui primus ab oris Italiam fato profugus Laviniaque venit litora, multum ille et terris iactatus et alto vi superum saevae memorem Iunonis ob iram",
		"greek":   "μῆνιν ἄειδε θεὰ Πηληϊάδεω Ἀχιλῆος οὐλομένην, ἣ μυρί᾽ Ἀχαιοῖς ἄλγε᾽ ἔθηκε, πολλὰς δ᾽ ἰφθίμους ψυχὰς Ἄϊδι προΐαψεν ἡρώων",
		"french":  "Longtemps, je me suis couché de bonne heure. Parfois, à peine ma bougie éteinte, mes yeux se fermaient si vite que je n’avais pas le temps de me dire : « Je m’endors. »",
		"chinese": "子曰學而時習之不亦說乎有朋自遠方來不亦樂乎人不知而不慍不亦君子乎有子曰其爲人也孝弟而好犯上者鮮矣不好犯上而好作亂者未之有也君子務本本立而道生",
		"polish":  "Litwo! Ojczyzno moja! ty jesteś jak zdrowie; ile cię trzeba cenić, ten tylko się dowie, kto cię stracił",
	}
	stats := NewStats(o)
	var quotes []commonplace.Quote
	for id, s := range text {
		stats.Count(document(id, s))
		quotes = append(quotes, commonplace.Quote{ID: id, Text: strings.ToUpper(s[len(s)/4 : len(s)/4*3])})
	}
	l, err := NewQuoteList(quotes, stats, o)
	if err != nil {
		t.Fatal(err)
	}
	for id, s := range text {
		rows := l.Find(document(id, s))
		if len(rows) != 1 || rows[0].QuoteID != id || rows[0].Similarity < 0.97 {
			t.Errorf("%s: %+v", id, rows)
			continue
		}
		for _, q := range quotes {
			if q.ID == id {
				checkSpans(t, rows[0], q.Text, s)
			}
		}
	}
}

func TestExplain(t *testing.T) {
	c := made()
	r := rand.New(rand.NewPCG(61, 62))
	b, q := c.Cut(r, 15)
	for _, x := range []struct {
		text  string
		found bool
		says  string
	}{
		{q, true, "found"},
		{strings.Join(strings.Fields(q)[:2], " "), false, "too few for a collection"},
		{"", false, "no letters"},
		{"qqqq zzzz jjjj", false, "not found"},
	} {
		e, err := Explain(commonplace.Quote{ID: "q", Text: x.text}, c.books[b], c.stats, Defaults())
		if err != nil {
			t.Fatal(err)
		}
		if e.Found != x.found || !strings.Contains(e.Verdict, x.says) {
			t.Errorf("%q: %s", x.text, e.Verdict)
		}
		for _, k := range e.Checks {
			if k.Missed != max(0, k.Needed-k.Got) {
				t.Errorf("%q: %+v", x.text, k)
			}
			if x.found && k.Missed > 0 && !strings.Contains(k.Name, "a document quoted") {
				t.Errorf("%q is found and misses %+v", x.text, k)
			}
		}
	}
	// As a marked quotation, size counts too.
	short := strings.Join(strings.Fields(q)[:6], " ")
	o := Defaults()
	for _, least := range []float64{0.1, 0.9999} {
		o.MinConfidence = least
		e, err := ExplainMarked(commonplace.Quote{ID: "q", Text: short}, c.books[b], c.stats, o)
		if err != nil {
			t.Fatal(err)
		}
		k := e.Checks[len(e.Checks)-1]
		if e.Found != (least < 0.5) || k.Name != "confidence" || k.Got != e.Best.Confidence || (k.Missed > 0) == e.Found || !e.Found && !strings.Contains(e.Verdict, "below min_confidence") {
			t.Errorf("%q at %.4f: %s %+v", short, least, e.Verdict, k)
		}
	}
}

func TestScript(t *testing.T) {
	edits := Script("It is a truth, universally aknowledged that a man", "It is a truth universally acknowledged, that a single man")
	var got []string
	for _, e := range edits {
		got = append(got, e.SourceText+">"+e.DerivedText)
	}
	if strings.Join(got, "|") != "c>|single>" {
		t.Errorf("edits %q", got)
	}
	if n := len(Script("same words", "Same, words!")); n != 0 {
		t.Errorf("%d edits between equal texts", n)
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range [][2]string{{"one two three four", "zero one two three four five"}, {"", ""}, {"ﬃ é", "[x] … “ﬃ” é"}, {"\xff", "\xff\xff"}, {"a b … c d", "a b x y c d"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, quote, text string) {
		c := made()
		o := Defaults()
		o.QuoteChance, o.MinSimilarity = 1e6, 0
		base := c.books[0].Text[:3000]
		doc := document("d", base[:1500]+text+base[1500:])
		l, err := NewQuoteList([]commonplace.Quote{{ID: "q", Text: quote}, {ID: "r", Text: text + quote}}, c.stats, o)
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string]string{"q": quote, "r": text + quote}
		for _, a := range l.Find(doc) {
			checkSpans(t, a, texts[a.QuoteID], doc.Text)
		}
	})
}

// The quotations of Twain that an editor chose by hand, with the works that he
// took them from. The counts are what is found today; fewer is a regression.
func TestTwain(t *testing.T) {
	dir := filepath.Join("..", "..", "shared", "data", "twain")
	names, _ := filepath.Glob(filepath.Join(dir, "*.txt.gz"))
	if len(names) == 0 || testing.Short() {
		t.Skip("no shared data beside the checkout, or a short run")
	}
	o := Defaults()
	stats := NewStats(o)
	works := map[int64]string{2895: "following-the-equator", 3176: "the-innocents-abroad", 245: "life-on-the-mississippi", 102: "pudd-nhead", 76: "huckleberry-finn"}
	var docs []commonplace.Document
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		docs = append(docs, document(filepath.Base(name), string(b)))
		stats.Count(docs[len(docs)-1])
	}
	list, err := os.Open(filepath.Join(dir, "quotes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	var quotes []commonplace.Quote
	for s := bufio.NewScanner(list); s.Scan(); {
		var q commonplace.Quote
		if err := json.Unmarshal(s.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		if works[q.EBook] != "" {
			quotes = append(quotes, q)
		}
	}
	l, err := NewQuoteList(quotes, stats, o)
	if err != nil {
		t.Fatal(err)
	}
	right := map[string]bool{}
	for _, d := range docs {
		for _, a := range l.Find(d) {
			for _, q := range quotes {
				if q.ID == a.QuoteID && strings.Contains(d.ID, works[q.EBook]) {
					right[q.ID] = true
				}
			}
		}
	}
	if len(quotes)-len(right) > 3 {
		t.Errorf("%d of %d quotations found in their works", len(right), len(quotes))
	}
}
