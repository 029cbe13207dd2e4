package export

import (
	"fmt"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// kinds are the tables that are exported, in the order of the card.
func kinds() []anyKind {
	return slices.Concat(triples(), transcripts(), []anyKind{windows, replies}, counts(), ground())
}

// The kind that readers get when they name none: the first of these that has
// rows.
var mostWanted = []string{"replies", "windows", "queries", "examples", "counted", "passages"}

// triples are the rows of RA-MTR.
func triples() []anyKind {
	return []anyKind{
		kind[commonplace.Example, example]{
			table: table.Examples, row: newExample,
			labels: map[string][]string{"tags": tagNames, "piece_tags": tagNames},
			split:  func(e *commonplace.Example) string { return e.Split },
			texts:  func(r *rights, e *commonplace.Example) bool { return r.allows(e.DocID) },
			withhold: func(e *commonplace.Example) {
				e.Quote, e.LeftContext, e.RightContext, e.Context, e.PassageText, e.SpanText = "", "", "", "", "", ""
				e.Tokens, e.Pieces = nil, nil
			},
			keys: exampleKeys,
			watch: func(g *gathered, e *commonplace.Example) {
				for _, k := range g.Keys {
					k.add(map[string]string{"quote_id": e.QuoteID, "doc_id": e.DocID}[k.What], e.Split)
				}
				g.measure("words per quote", float64(words(e.Quote)))
				g.count("the quote crosses a paragraph's end", yes(e.CrossesBoundary))
			},
			squad: func(e *commonplace.Example) question {
				return question{e.DocID, e.PassageID, e.PassageText, e.ID, e.Context, e.SpanText, e.SpanBegin}
			},
			conll: func(e *commonplace.Example) ([]string, []string) { return e.Tokens, e.Tags },
		},
		kind[commonplace.Choice, choice]{
			table: table.Choices, row: newChoice, labels: map[string][]string{"label": choiceNames},
			split:    func(c *commonplace.Choice) string { return c.Split },
			texts:    func(r *rights, c *commonplace.Choice) bool { return r.allows(c.DocID) },
			withhold: withholdChoice, watch: watchChoice,
		},
		kind[commonplace.Paraphrase, commonplace.Paraphrase]{
			table: table.Paraphrases, row: whole[commonplace.Paraphrase],
			split:    func(p *commonplace.Paraphrase) string { return p.Split },
			texts:    func(r *rights, p *commonplace.Paraphrase) bool { return r.allows(p.DocID) },
			withhold: func(p *commonplace.Paraphrase) { p.Context, p.Target = "", "" },
			watch: func(g *gathered, p *commonplace.Paraphrase) {
				g.share("share of words that paraphrase and context share", p.Overlap)
			},
		},
	}
}

// exampleKeys are what the run was asked to keep together: quotes, or documents.
func exampleKeys(j *job) []*key {
	by := j.splitBy()
	return []*key{
		{What: "quote_id", Why: "no quote is in two splits (RA-MTR)", Weak: by != "quote"},
		{What: "doc_id", Why: "no document is in two splits", Weak: by != "document"},
	}
}

func withholdChoice(c *commonplace.Choice) { c.Context, c.PassageText = "", "" }

func watchChoice(g *gathered, c *commonplace.Choice) {
	g.count("label", c.Label)
	g.count("sampled by", c.SampledBy)
}

// transcripts are the rows of context-based quotation recommendation.
func transcripts() []anyKind {
	return []anyKind{
		kind[commonplace.Query, commonplace.Query]{
			table: table.Queries, row: whole[commonplace.Query],
			split: func(q *commonplace.Query) string { return q.Split },
			texts: func(r *rights, q *commonplace.Query) bool { return r.allows(q.ArticleID, q.DocID) },
			withhold: func(q *commonplace.Query) {
				q.Title, q.LeftContext, q.Context, q.Before, q.After, q.Quote, q.Span = "", "", "", "", "", "", ""
			},
			keys: func(*job) []*key {
				return []*key{
					{What: "doc_id", Why: "no transcript is in two splits (Quotus)"},
					{What: "cluster_id", Why: "no cluster of quotes is in two splits (Quotus)"},
					{What: "article_id", Weak: true},
				}
			},
			watch: func(g *gathered, q *commonplace.Query) {
				g.Keys[0].add(q.DocID, q.Split)
				g.Keys[1].add(q.ClusterID, q.Split)
				g.Keys[2].add(q.ArticleID, q.Split)
				g.Dates.add(q.Split, q.Date)
				g.measure("words per span", float64(words(q.Span)))
			},
		},
		kind[commonplace.QuotedSpan, quotedSpan]{
			table: table.QuotedSpans, row: newQuotedSpan,
			split:    func(q *commonplace.QuotedSpan) string { return q.Split },
			texts:    func(r *rights, q *commonplace.QuotedSpan) bool { return r.allowsAll() && r.allows(q.DocID) }, // it does not name the article
			withhold: func(q *commonplace.QuotedSpan) { q.Context, q.PassageText, q.SpanText = "", "", "" },
			watch: func(g *gathered, q *commonplace.QuotedSpan) {
				if n := words(q.PassageText); n > 0 {
					g.share(shareOfParagraph, float64(words(q.SpanText))/float64(n))
				}
			},
			squad: func(q *commonplace.QuotedSpan) question {
				return question{q.DocID, q.PassageID, q.PassageText, q.ID, q.Context, q.SpanText, q.SpanBegin}
			},
		},
		kind[commonplace.Choice, choice]{
			table: table.SpanChoices, row: newChoice, labels: map[string][]string{"label": choiceNames},
			split:    func(c *commonplace.Choice) string { return c.Split },
			texts:    func(r *rights, c *commonplace.Choice) bool { return r.allowsAll() && r.allows(c.DocID) }, // it does not name the article
			withhold: withholdChoice, watch: watchChoice,
		},
		kind[commonplace.Agreement, commonplace.Agreement]{
			table: table.Agreements, row: whole[commonplace.Agreement],
			texts:    func(r *rights, a *commonplace.Agreement) bool { return r.allowsQuote(a.QuoteID) && r.allows(a.DocID) },
			withhold: func(a *commonplace.Agreement) { a.Text, a.GivenText = "", "" },
			watch:    func(g *gathered, a *commonplace.Agreement) { g.count("our alignment beside the file's", a.Verdict) },
		},
	}
}

// windows are the rows of RELiC.
var windows anyKind = kind[commonplace.Window, commonplace.Window]{
	table: table.Windows, row: whole[commonplace.Window],
	split:    func(w *commonplace.Window) string { return w.Split },
	texts:    func(r *rights, w *commonplace.Window) bool { return r.allows(w.SourceID, w.DerivedID) },
	withhold: func(w *commonplace.Window) { w.Quote, w.Left, w.Right = "", nil, nil },
	keys: func(*job) []*key {
		return []*key{{What: "source_id", Why: "no primary source is in two splits (RELiC)"}, {What: "derived_id", Weak: true}}
	},
	watch: func(g *gathered, w *commonplace.Window) {
		g.Keys[0].add(w.SourceID, w.Split)
		g.Keys[1].add(w.DerivedID, w.Split)
		n := int64(0)
		for _, s := range slices.Concat(w.Left, w.Right) {
			n += words(s)
		}
		g.measure("words per query", float64(n))
		g.measure("words per quote", float64(words(w.Quote)))
		g.measure("sentences per quote", float64(w.Sentences))
	},
}

// replies are the rows of when and what to quote.
var replies anyKind = kind[commonplace.Reply, reply]{
	table: table.Replies, row: newReply, labels: map[string][]string{"label": replyNames},
	split:    func(r *commonplace.Reply) string { return r.Split },
	texts:    func(r *rights, _ *commonplace.Reply) bool { return r.conversations },
	withhold: func(r *commonplace.Reply) { r.Turns, r.Target, r.Input, r.Output = nil, "", "", "" },
	keys: func(*job) []*key {
		return []*key{{What: "conversation_id", Why: "no conversation is in two splits (when and what to quote)"}, {What: "quotation", Weak: true}, {What: "group", Why: "no conversations that say the same are in two splits"}}
	},
	watch: func(g *gathered, r *commonplace.Reply) {
		g.Keys[0].add(r.ConversationID, r.Split)
		g.Keys[2].add(r.Group, r.Split)
		if r.Quotation >= 0 {
			g.Keys[1].add(fmt.Sprint(r.Quotation), r.Split)
		}
		g.count("label", r.Label)
		g.measure("turns per reply", float64(len(r.Turns)))
	},
}

// counts are the rows of content-based models of quotation.
func counts() []anyKind {
	const why = "no document is in two folds (content-based models of quotation)"
	documents := func(*job) []*key { return []*key{{What: "doc_id", Why: why}} }
	return []anyKind{
		kind[commonplace.QuoteCount, commonplace.QuoteCount]{
			table: table.QuoteCounts, row: whole[commonplace.QuoteCount],
			watch: func(g *gathered, c *commonplace.QuoteCount) { g.measure("quotations per passage", float64(c.Count)) },
		},
		kind[commonplace.Counted, commonplace.Counted]{
			table: table.Counted, row: whole[commonplace.Counted], keys: documents,
			split:    func(c *commonplace.Counted) string { return fold(c.Fold) },
			texts:    func(r *rights, c *commonplace.Counted) bool { return r.allows(c.DocID) },
			withhold: func(c *commonplace.Counted) { c.Marked = "" },
			watch:    func(g *gathered, c *commonplace.Counted) { g.Keys[0].add(c.DocID, fold(c.Fold)) },
		},
		kind[commonplace.Sequence, commonplace.Sequence]{
			table: table.Sequences, row: whole[commonplace.Sequence], keys: documents,
			split:    func(s *commonplace.Sequence) string { return fold(s.Fold) },
			texts:    func(r *rights, s *commonplace.Sequence) bool { return r.allows(s.DocID) },
			withhold: func(s *commonplace.Sequence) { s.Marked = nil },
			watch: func(g *gathered, s *commonplace.Sequence) {
				g.Keys[0].add(s.DocID, fold(s.Fold))
				g.measure("passages per sequence", float64(len(s.Counts)))
			},
		},
		kind[commonplace.Pair, commonplace.Pair]{
			table: table.Pairs, row: whole[commonplace.Pair], keys: documents,
			split:    func(p *commonplace.Pair) string { return fold(p.Fold) },
			texts:    func(r *rights, p *commonplace.Pair) bool { return r.allows(p.DocID) },
			withhold: func(p *commonplace.Pair) { p.MoreMarked, p.LessMarked = "", "" },
			watch:    func(g *gathered, p *commonplace.Pair) { g.Keys[0].add(p.DocID, fold(p.Fold)) },
		},
		kind[commonplace.Attribute, commonplace.Attribute]{table: table.Attributes, row: whole[commonplace.Attribute]},
		kind[commonplace.NGram, commonplace.NGram]{
			table: table.Language, row: whole[commonplace.NGram],
			texts:    func(r *rights, n *commonplace.NGram) bool { return n.Passages >= ofMany || r.allowsAll() },
			withhold: func(n *commonplace.NGram) { n.Term = "" },
		},
	}
}

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

// ground is what all datasets are made from: every offset of theirs counts in
// one of these.
func ground() []anyKind {
	return []anyKind{
		kind[commonplace.Alignment, commonplace.Alignment]{
			table: table.Alignments, row: whole[commonplace.Alignment],
			texts: func(r *rights, a *commonplace.Alignment) bool {
				if a.QuoteID != "" {
					return r.allowsQuote(a.QuoteID) && r.allows(a.SourceID)
				}
				return r.allows(a.SourceID, a.DerivedID)
			},
			withhold: func(a *commonplace.Alignment) { a.SourceText, a.DerivedText = "", "" },
			keys:     func(*job) []*key { return []*key{{What: "quote_id", Weak: true}} },
			watch: func(g *gathered, a *commonplace.Alignment) {
				if a.QuoteID != "" {
					g.Keys[0].add(a.QuoteID, "train")
				}
				g.count("kind", a.Kind)
				g.share("similarity", a.Similarity)
				if n := words(a.SourceText); n > 0 && a.Kind != commonplace.KindEllipsis {
					g.share("noise", max(0, 1-float64(a.MatchedWords)/float64(n)))
				}
				if a.DerivedID != "" {
					g.count("between quotation marks", yes(a.Marked))
				}
			},
		},
		kind[commonplace.Passage, commonplace.Passage]{
			table: table.Passages, row: whole[commonplace.Passage],
			texts: func(r *rights, p *commonplace.Passage) bool { return r.allows(p.DocID) },
			withhold: func(p *commonplace.Passage) {
				p.Text, p.Speaker = "", ""
				for i := range p.Places {
					p.Places[i].Title = ""
				}
			},
			watch: func(g *gathered, p *commonplace.Passage) {
				g.measure("words per passage", float64(p.Words))
				g.perDocument(p.DocID, "passages per document", 1)
				g.perDocument(p.DocID, "words per document", float64(p.Words))
			},
		},
		kind[commonplace.Quote, commonplace.Quote]{
			table: table.Quotes, row: whole[commonplace.Quote],
			texts:    func(r *rights, q *commonplace.Quote) bool { return r.allowsQuote(q.ID) },
			withhold: func(q *commonplace.Quote) { q.Text = "" },
			watch:    func(g *gathered, q *commonplace.Quote) { g.measure("words per listed quote", float64(words(q.Text))) },
		},
		kind[commonplace.Conversation, commonplace.Conversation]{
			table: table.Conversations, row: whole[commonplace.Conversation],
			texts:    func(r *rights, _ *commonplace.Conversation) bool { return r.conversations },
			withhold: func(c *commonplace.Conversation) { c.Turns, c.Quotation = nil, "" },
			watch: func(g *gathered, c *commonplace.Conversation) {
				g.measure("turns per conversation", float64(len(c.Turns)))
			},
		},
		kind[commonplace.Document, commonplace.Document]{
			table: table.Documents, row: whole[commonplace.Document],
			texts: func(r *rights, d *commonplace.Document) bool { return r.allows(d.ID) },
			withhold: func(d *commonplace.Document) {
				d.Text, d.FrameMarkers = "", ""
				for i := range d.Pages {
					d.Pages[i].Head, d.Pages[i].Foot = "", ""
				}
			},
			watch: func(g *gathered, d *commonplace.Document) {
				g.measure("characters per document", float64(d.Characters))
			},
		},
	}
}

const shareOfParagraph = "share of its paragraph's words that a span has"
