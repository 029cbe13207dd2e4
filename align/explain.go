package align

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/index"
	"github.com/commonplace/commonplace/align/match"
	"github.com/commonplace/commonplace/align/merge"
)

// Explanation reports why a quote was or was not found in a document.
type Explanation struct {
	QuoteID  string `json:"quote_id"`
	SourceID string `json:"source_id"`
	Found    bool   `json:"found"`
	Verdict  string `json:"verdict"` // one sentence

	Letters   int     `json:"letters"`    // letters and digits of the quote
	WholeBits float64 `json:"whole_bits"` // evidence of the whole quote
	Seeds     int     `json:"seeds"`      // seeds of the quote that are rare enough to be looked up
	Hits      int     `json:"hits"`       // their occurrences in the document

	// The best match, found or not.
	Best          *commonplace.Alignment `json:"best,omitempty"`
	Pieces        int                    `json:"pieces"`         // pieces of that match
	Cover         float64                `json:"cover"`          // fraction of the letters of the quote in it
	Missing       int                    `json:"missing"`        // words of the quote that are not in it
	Words         int                    `json:"words"`          // words of the document that it spans
	Bits          float64                `json:"bits"`           // its evidence
	Threshold     float64                `json:"threshold"`      // evidence needed
	MinCover      float64                `json:"min_cover"`      // cover needed
	MinSimilarity float64                `json:"min_similarity"` // similarity needed
	Checks        []Check                `json:"checks"`         // every threshold, in order
	Edits         []Edit                 `json:"edits,omitempty"`
}

// Check is one threshold and the value of the best match.
type Check struct {
	Name   string  `json:"name"`
	Got    float64 `json:"got"`
	Needed float64 `json:"needed"`
	Missed float64 `json:"missed"` // Needed - Got, or 0 where it is reached

	Elsewhere bool `json:"elsewhere,omitempty"` // it holds for words of a document without marks, and not for this search
}

func (e *Explanation) check(name string, got, needed float64) {
	e.Checks = append(e.Checks, Check{Name: name, Got: got, Needed: needed, Missed: max(0, needed-got)})
}

// ExplainMarked is [Explain] for words between quotation marks or in a
// block quote of a derived document, with the confidence of
// [Part.FindMarked]. It runs that search in an index part of doc
// only. Another quotation of the same source near by would add to the confidence.
func ExplainMarked(quote commonplace.Quote, doc commonplace.Document, stats *Stats, o Options) (Explanation, error) {
	o = o.orDefaults()
	e, err := Explain(quote, doc, stats, o)
	if err != nil || e.Letters == 0 {
		return e, err
	}
	found, err := findMarkedIn(quote, doc, stats, o)
	if err != nil {
		return e, err
	}
	if len(found) > 0 {
		slices.SortFunc(found, merge.BestFirst)
		e.Best, e.Bits, e.Pieces = &found[0], found[0].Score, max(1, len(found[0].Parts))
		e.Cover = float64(fold.Letters(e.Best.DerivedText)) / float64(e.Letters)
		e.Edits = Script(e.Best.DerivedText, e.Best.SourceText)
	} else if e.Best == nil {
		return e, nil
	} else {
		e.Best.Confidence = merge.MarkedConfidence(e.Bits-e.Threshold, e.Best.Similarity, min(1, e.Cover), int(e.Best.MatchedWords))
	}
	confidence := e.Best.Confidence
	e.check("confidence", confidence, o.MinConfidence)
	was := e.Found
	switch e.Found = len(found) > 0 && confidence >= o.MinConfidence; {
	case e.Found:
		e.Verdict = e.verdict()
	case confidence < o.MinConfidence && (was || len(found) > 0):
		e.Verdict = fmt.Sprintf("not found: confidence %.3f is %.3f below min_confidence (%d words matched, %.2f of the letters, %.1f bits over the threshold, similarity %.3f)",
			confidence, o.MinConfidence-confidence, e.Best.MatchedWords, e.Cover, e.Bits-e.Threshold, e.Best.Similarity)
	case was:
		e.Verdict = "not found: too few runs of undamaged letters lead from the quote to this document; as a quote of a list, of which every word is looked up, it would be found"
	}
	return e, nil
}

// findMarkedIn are the matches of [Part.FindMarked] for a marked quotation in a part of doc only.
func findMarkedIn(quote commonplace.Quote, doc commonplace.Document, stats *Stats, o Options) ([]commonplace.Alignment, error) {
	p, err := memoryPart([]commonplace.Document{doc}, stats, o)
	if err != nil {
		return nil, err
	}
	derived := commonplace.Document{ID: quote.ID, Text: "“" + quote.Text + "”"}
	c := &search{of: map[int][]int32{}}
	c.begin(p, derived)
	c.own = index.Source{} // a quote and a document may have one id
	found := c.markedSpans(p, derived, []commonplace.Span{{Begin: 0, End: len(c.f.Sym)}})
	points := int64(utf8.RuneCountInString(quote.Text))
	within := func(n int64) int64 { return min(max(0, n-1), points) } // without the mark before it
	for i := range found {
		a := &found[i]
		a.QuoteID, a.DerivedID = quote.ID, ""
		a.DerivedBegin, a.DerivedEnd = within(a.DerivedBegin), within(a.DerivedEnd)
		a.DerivedText = commonplace.Slice(quote.Text, commonplace.Span{Begin: int(a.DerivedBegin), End: int(a.DerivedEnd)})
		for k := range a.Parts {
			a.Parts[k].DerivedBegin, a.Parts[k].DerivedEnd = within(a.Parts[k].DerivedBegin), within(a.Parts[k].DerivedEnd)
		}
		a.ID = merge.ID(a)
	}
	return found, nil
}

// Explain reports why the quote was or was not found in doc, with the stats and
// options of the run. For a span of a derived document give its text as a quote.
func Explain(quote commonplace.Quote, doc commonplace.Document, stats *Stats, o Options) (Explanation, error) {
	o = o.orDefaults()
	if o.Match == MatchExact {
		return explainExact(quote, doc, stats, o)
	}
	e, _, err := explain(quote, doc, stats, o)
	return e, err
}

// explain is Explain for similar matches, with the best match before any threshold, or nil.
func explain(quote commonplace.Quote, doc commonplace.Document, stats *Stats, o Options) (Explanation, *match.Chain, error) {
	o.MaxFalse = 0 // a quote alone has no habit
	l, err := NewQuoteList([]commonplace.Quote{quote}, stats, o)
	if err != nil {
		return Explanation{}, nil, err
	}
	e := Explanation{QuoteID: quote.ID, SourceID: doc.ID, Letters: int(l.texts[0].letters), Seeds: l.index.Len(),
		MinCover: minCover, MinSimilarity: o.MinSimilarity}
	if e.Letters == 0 {
		e.Verdict = "not found: the quote has no letters or digits"
		return e, nil, nil
	}
	found := l.Find(doc)
	c := &listSearch{}
	c.begin(l, doc)
	c.view(l, 0)
	c.weigh(l)
	e.Threshold = c.need
	e.WholeBits = stats.counts.ContextBits(&c.d, 0, e.Letters, false)
	c.m.Slack, c.m.Around = 1e9, 0 // follow everything
	c.scan(l)
	e.Hits = c.hitCount
	m := &c.m
	pieces := c.of[0]
	if len(pieces) == 0 {
		// No seed occurs in it: try the first words against every word.
		if p, ok := m.Lookup(match.Bounds{DHi: m.DHi, SHi: len(doc.Text)}, 1, c.sum); ok {
			pieces = append(pieces, p)
		}
	}
	var best *match.Chain
	for _, ch := range m.Chains(pieces) {
		if m.Complete(&ch, c.sum); best == nil || ch.Words() > best.Words() {
			best = &ch
		}
	}
	if best != nil {
		off, q := commonplace.NewOffsets(doc.Text), commonplace.NewOffsets(quote.Text)
		a := m.Row(best, func(b int) int64 { return int64(q.Point(b)) }, func(b int) int64 { return int64(off.Point(b)) })
		e.Missing, _ = m.Missing(best)
		a.Score, a.Marked, a.QuoteID, a.SourceID = best.Words()+coverBits(m.Missing(best)), false, quote.ID, doc.ID
		a.Attributed = c.attributed(l.quotes[0].by)
		a.ID = merge.ID(&a)
		e.Best, e.Pieces, e.Bits, e.Words = &a, len(best.Pieces), a.Score, best.Touched()
		e.Cover = float64(best.Cover()) / float64(e.Letters)
	}
	if len(found) > 0 {
		slices.SortFunc(found, merge.BestFirst)
		e.Found, e.Best = true, &found[0]
		e.Bits = e.Best.Score
	}
	e.check("evidence of the whole quote, bits", e.WholeBits+wholeBits, e.Threshold)
	if e.Best != nil {
		e.check("evidence, bits", e.Bits, e.Threshold)
		e.check("letters of the quote in the match", e.Cover, e.MinCover)
		e.check("similarity", e.Best.Similarity, e.MinSimilarity)
		e.check("evidence if a document quoted it without marks, bits", e.Bits, stats.DocumentThreshold(o))
		e.check("words if a document quoted it without marks", float64(e.Words), float64(o.MinWords))
		last := e.Checks[len(e.Checks)-2:]
		last[0].Elsewhere, last[1].Elsewhere = true, true
		e.Edits = Script(e.Best.DerivedText, e.Best.SourceText)
	}
	e.Verdict = e.verdict()
	return e, best, nil
}

// ExplainUnmarked is [Explain] for words of a derived document that are not marked as a
// quotation, with the thresholds of [Part.Find]. It runs that search in an index part of doc only.
func ExplainUnmarked(quote commonplace.Quote, doc commonplace.Document, stats *Stats, o Options) (Explanation, error) {
	o = o.orDefaults()
	o.Match, o.Apart = MatchSimilar, true
	e, best, err := explain(quote, doc, stats, o)
	if err != nil || e.Letters == 0 {
		return e, err
	}
	e.Found, e.Threshold, e.MinCover, e.Checks = false, stats.DocumentThreshold(o), 0, nil
	if e.Best == nil {
		e.Verdict = e.verdict()
		return e, nil
	}
	p, err := memoryPart([]commonplace.Document{doc}, stats, o)
	if err != nil {
		return e, err
	}
	if found := Merge(p.Find(commonplace.Document{ID: quote.ID, Text: quote.Text}), o); len(found) > 0 {
		slices.SortFunc(found, merge.BestFirst)
		a := found[0]
		a.QuoteID, a.DerivedID = quote.ID, ""
		e.Found, e.Best, e.Bits, e.Pieces = true, &a, a.Score, max(1, len(a.Parts))
		e.Words = max(e.Words, o.MinWords)
		e.Edits = Script(a.DerivedText, a.SourceText)
	}
	e.check("evidence, bits", e.Bits, e.Threshold)
	e.check("similarity", e.Best.Similarity, e.MinSimilarity)
	e.check("words", float64(e.Words), float64(o.MinWords))
	switch {
	case !e.Found && o.Ignore != nil && p.finds(quote.Text, nil):
		e.Verdict = "not found: its words are phrases that never count (ignore)"
	case !e.Found && e.Bits >= e.Threshold && e.Words < o.MinWords:
		e.Verdict = fmt.Sprintf("not found: between documents a match needs min_words, %d words, and the best one has %d", o.MinWords, e.Words)
	case !e.Found && e.Bits >= e.Threshold && best.Skeleton():
		e.Verdict = "not found: too many words between those that agree are replaced by others"
	case !e.Found && e.Bits < e.Threshold:
		e.Verdict = fmt.Sprintf("not found: without quotation marks a document's words need %.1f bits of evidence, and the best match gives %.1f, %.1f too few (similarity %.3f)", e.Threshold, e.Bits, e.Threshold-e.Bits, e.Best.Similarity)
	default:
		e.Verdict = e.verdict()
	}
	return e, nil
}

// finds says whether a search for the words of a derived document finds anything if
// these phrases are ignored.
func (p *Part) finds(text string, phrases *Ignored) bool {
	q := &Part{o: p.o, stats: p.stats, file: p.file}
	q.o.Ignore = phrases
	q.ignore = q.o.phrases()
	return len(Merge(q.Find(commonplace.Document{Text: text}), q.o)) > 0
}

// explainExact is Explain for exact matches. Where the string itself is not in doc, the best match is the most similar place.
func explainExact(quote commonplace.Quote, doc commonplace.Document, stats *Stats, o Options) (Explanation, error) {
	l, err := NewQuoteList([]commonplace.Quote{quote}, stats, o)
	if err != nil {
		return Explanation{}, err
	}
	o.Match = MatchSimilar
	e, err := Explain(quote, doc, stats, o)
	if err != nil {
		return e, err
	}
	found := l.Find(doc)
	if e.Found = len(found) > 0; e.Found {
		e.Best, e.Edits = &found[0], nil
		e.Bits, e.Pieces, e.Cover = found[0].Score, 1, 1
		e.Verdict = fmt.Sprintf("found: the document has the string itself %d times", len(found))
		return e, nil
	}
	e.Verdict = "not found: match is exact, and the document does not have the string itself"
	if e.Best != nil {
		e.Verdict += fmt.Sprintf("; the best match has similarity %.3f", e.Best.Similarity)
	}
	return e, nil
}

func (e *Explanation) verdict() string {
	switch {
	case e.Found:
		return fmt.Sprintf("found: %.1f bits of evidence where %.1f are needed, similarity %.3f", e.Best.Score, e.Threshold, e.Best.Similarity)
	case e.Best == nil:
		return "not found: the document has none of the quote's runs of letters, and nothing that resembles its first words"
	case max(e.WholeBits+wholeBits, e.Bits) < e.Threshold: // copies in the collection make a rare quote look common
		return fmt.Sprintf("not found: the whole quote gives %.1f bits of evidence, %.1f too few for a collection of this size; its words are too common or too few", e.WholeBits+wholeBits, e.Threshold-e.WholeBits-wholeBits)
	case e.Bits < e.Threshold:
		return fmt.Sprintf("not found: the best match gives %.1f bits of evidence, %.1f too few (similarity %.3f, %.2f of the letters, words missing %d)", e.Bits, e.Threshold-e.Bits, e.Best.Similarity, e.Cover, e.Missing)
	case e.Cover < e.MinCover:
		return fmt.Sprintf("not found: the best match has %.2f of the quote's letters, %.2f too little", e.Cover, e.MinCover-e.Cover)
	case e.Best.Similarity < e.MinSimilarity:
		return fmt.Sprintf("not found: similarity %.3f is %.3f below min_similarity", e.Best.Similarity, e.MinSimilarity-e.Best.Similarity)
	}
	return "not found: the match reaches every threshold, but the search left it out early because too few of its letters follow each other undamaged"
}
