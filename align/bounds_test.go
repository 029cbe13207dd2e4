package align

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/ngrams"
)

// degenerate are texts that could make work grow faster than they do themselves,
// and ordinary ones in languages that the tables were not made for.
func degenerate() []commonplace.Document {
	r := rand.New(rand.NewPCG(41, 43))
	letters := make([]byte, 60_000)
	for i := range letters {
		letters[i] = byte('a' + r.IntN(26))
	}
	language := func(text string) string { // shuffled words, 60 kB
		parts := strings.SplitAfter(text, " ")
		var b strings.Builder
		for b.Len() < 60_000 {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		return b.String()
	}
	return []commonplace.Document{
		document("a repeated character", strings.Repeat("a", 1_000_000)),
		document("a repeated word", strings.Repeat("ha ", 100_000)),
		document("a repeated sentence", strings.Repeat("Out, out, brief candle! Life is but a walking shadow. ", 2000)),
		document("a repeated paragraph", strings.Repeat(made().books[1].Text[:3000], 40)),
		document("punctuation", strings.Repeat("?!… “”—() [", 30_000)),
		document("no spaces", string(letters)),
		document("no spaces, repeated", strings.Repeat("lorumipsumdolor", 6000)),
		document("latin", language("arma virumque cano troiae qui primus ab oris italiam fato profugus laviniaque venit litora multum ille et terris iactatus et alto vi superum saevae memorem iunonis ob iram ")),
		document("greek", language("μῆνιν ἄειδε θεὰ Πηληϊάδεω Ἀχιλῆος οὐλομένην ἣ μυρί᾽ Ἀχαιοῖς ἄλγε᾽ ἔθηκε πολλὰς δ᾽ ἰφθίμους ψυχὰς Ἄϊδι προΐαψεν ἡρώων ")),
		document("french", language("longtemps je me suis couché de bonne heure parfois à peine ma bougie éteinte mes yeux se fermaient si vite que je n’avais pas le temps de me dire je m’endors ")),
		document("chinese", strings.Repeat("子曰學而時習之不亦說乎", 2000)),
		document("open marks", strings.Repeat("“ha ", 20_000)),
		document("open brackets", strings.Repeat("[ha ", 20_000)),
		document("ellipses", strings.Repeat("ha … ", 20_000)),
		document("empty", ""),
	}
}

// ellipses is a document of quotations that each leave out what follows, without
// a point, so that what stands beside a mark has no end.
func ellipses() (derived commonplace.Document, sources []commonplace.Document) {
	r := rand.New(rand.NewPCG(45, 47))
	plain := func(s string) string { return strings.NewReplacer(".", "", "“", "", "”", "").Replace(s) }
	for _, b := range made().books[:4] {
		sources = append(sources, document("plain "+b.ID, plain(b.Text)))
	}
	derived.ID = "quotations with ellipses"
	for range 150 {
		w := strings.Fields(sources[r.IntN(len(sources))].Text)
		at := r.IntN(len(w) - 40)
		derived.Text += strings.Join(w[at:at+14], " ") + " … " + plain(essay(r, made(), 0).Text)[:80] + " "
	}
	return derived, sources
}

// The work grows with the text, whatever stands in it: the places compared for
// every word that is read, and the cells of all tables for every letter. What is
// counted is the same on every machine.
func TestWorkIsBounded(t *testing.T) {
	const (
		mostHits  = quoteLong + 10 // of a word: only rare seeds are in an index, and a quote list's stand at quoteLong places at most
		mostCells = 150            // of a letter: 150 quotations with ellipses take 117, a paragraph that is repeated 40 times 106, the made books 5 to 9
	)
	o := Defaults()
	quoting, plain := ellipses()
	docs := append(append(degenerate(), made().books...), plain...)
	stats := NewStats(o)
	for _, d := range docs {
		stats.Count(d)
	}
	p := openPart(t, docs, stats, o)
	var quotes []commonplace.Quote
	longest := commonplace.Quote{ID: "longer than every book"}
	for _, d := range docs {
		quotes = append(quotes, commonplace.Quote{ID: d.ID, Text: d.Text[:min(len(d.Text), 2000)]})
		longest.Text += d.Text
	}
	l, err := NewQuoteList(append(quotes, longest, commonplace.Quote{ID: "none"}), stats, o)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what, id string, letters, words, hits, cells int) {
		t.Logf("%-9s %-24s %8d letters %7d words: %6.2f hits a word, %6.2f cells a letter", what, id, letters, words, float64(hits)/float64(max(1, words)), float64(cells)/float64(max(1, letters)))
		if hits > mostHits*(words+100) || cells > mostCells*(letters+1000) {
			t.Errorf("%s, %s: %d hits of %d words, %d cells for %d letters", what, id, hits, words, cells, letters)
		}
	}
	for _, d := range append(docs, quoting) {
		c := &search{of: map[int][]int32{}}
		c.begin(p, d)
		hits := 0
		threshold := stats.DocumentThreshold(o)
		for words := c.words; len(words) > 0; {
			n := min(ngrams.Batch, len(words))
			c.scanWords(p, words[:n], threshold)
			hits += len(c.Hits)
			words = words[n:]
		}
		c.rows(p, d)
		check("document", d.ID, len(c.f.Sym), len(c.words), hits, c.m.Cells())

		for what, text := range map[string]string{
			"marked":    d.Text,                                   // what it has of marks
			"in marks":  "“" + d.Text + "”",                       // one quotation
			"of quotes": strings.ReplaceAll(d.Text, ". ", ".” “"), // one after another
		} {
			if what == "of quotes" && text == d.Text {
				continue
			}
			marked := &search{of: map[int][]int32{}}
			marked.marked(p, document(d.ID, text))
			check(what, d.ID, len(marked.f.Sym), len(marked.words), 0, marked.m.Cells())
		}

		q := &listSearch{}
		q.begin(l, d)
		q.scan(l)
		q.rows(l, d)
		check("list", d.ID, len(q.f.Sym), len(c.words), q.hitCount, q.m.Cells())
	}
}
