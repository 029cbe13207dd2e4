package export

import (
	"fmt"

	"github.com/commonplace/commonplace/table"
)

// figure is a count of a paper beside ours.
type figure struct{ What, Paper, Ours string }

// paper is a publication whose dataset a kind regenerates.
type paper struct {
	Kind    string // that says that it was regenerated
	Name    string
	Title   string
	Authors []string
	figures func(all byName) []figure
}

// papers are the five, with their own counts. Their inputs were other than a
// run's, but for a run of their own, so the figures remind of an order of
// magnitude.
var papers = []paper{
	{table.Examples.Name, "RA-MTR", "RA-MTR: A Retrieval Augmented Multi-Task Reader based Approach for Inspirational Quote Extraction from Long Documents",
		[]string{"Sayantana Adak", "Animesh Mukherjee"}, triplesFigures},
	{table.Queries.Name, "Quotus", "Context-Based Quotation Recommendation",
		[]string{"Ansel MacLaughlin", "Tao Chen", "Burcu Karagol Ayan", "Dan Roth"}, queriesFigures},
	{table.Counted.Name, "Content-based models of quotation", "Content-based Models of Quotation",
		[]string{"Ansel MacLaughlin", "David A. Smith"}, nil},
	{table.Replies.Name, "When and what to quote", "Learning When and What to Quote: A Quotation Recommender System with Mutual Promotion of Recommendation and Generation",
		[]string{"Lingzhi Wang", "Xingshan Zeng", "Kam-Fai Wong"}, repliesFigures},
	{table.Windows.Name, "RELiC", "RELiC: Retrieving Evidence for Literary Claims",
		[]string{"Katherine Thai", "Yapei Chang", "Kalpesh Krishna", "Mohit Iyyer"}, windowsFigures},
}

// byName finds what was gathered of a kind; nothing where it was not exported.
type byName map[string]*gathered

func (all byName) rows(name string) string {
	if g := all[name]; g != nil {
		return thousands(g.Rows())
	}
	return missing
}

func (all byName) keys(name, what string) string {
	if g := all[name]; g != nil {
		for _, k := range g.Keys {
			if k.What == what {
				return thousands(k.Keys())
			}
		}
	}
	return missing
}

func (all byName) middle(name, what string) string {
	if g := all[name]; g != nil {
		for _, d := range g.Distributions {
			if d.What == what {
				return fmt.Sprintf("%s (median %s)", short(d.Mean()), short(d.Median()))
			}
		}
	}
	return missing
}

func (all byName) label(name, what, word string) string {
	if g := all[name]; g != nil {
		for _, t := range g.Tallies {
			if t.What == what {
				return thousands(t.Of[word])
			}
		}
	}
	return missing
}

const missing = "–"

func triplesFigures(all byName) []figure {
	return []figure{
		{"quotes in the list", "6,108 (QuoteR)", all.rows("quotes")},
		{"of them found", "1,708", all.keys("alignments", "quote_id")},
		{"triples", "4,889 (QuoteR in Gutenberg); 737 (Gandhi); 2,698 (Quotus)", all.rows("examples")},
		{"words per quote", "13.51 (median 11)", all.middle("examples", "words per quote")},
		{"paragraphs per source", "551", all.middle("passages", "passages per document")},
		{"words per source", "98,783", all.middle("passages", "words per document")},
	}
}

func queriesFigures(all byName) []figure {
	return []figure{
		{"quotes", "131,507", all.rows("queries")},
		{"transcripts quoted", "3,806", all.keys("queries", "doc_id")},
		{"articles", "66,364", all.keys("queries", "article_id")},
		{"clusters of quotes", "58,040", all.keys("queries", "cluster_id")},
		{"paragraphs per transcript", "71 (median 43)", all.middle("passages", "passages per document")},
		{"words per paragraph", "49 (median 45)", all.middle("passages", "words per passage")},
		{"words per span", "21 (median 17)", all.middle("queries", "words per span")},
		{"share of its paragraph that a span has", "0.32 (median 0.24)", all.middle("quoted_spans", "share of its paragraph's words that a span has")},
	}
}

func repliesFigures(all byName) []figure {
	return []figure{
		{"conversations", "19,081 (Weibo); 44,541 (Reddit)", all.keys("replies", "conversation_id")},
		{"quotations", "1,053; 1,111", all.keys("replies", "quotation")},
		{"ordinary replies that were added", "18,585; 44,085", all.label("replies", "label", "<gen>")},
	}
}

func windowsFigures(all byName) []figure {
	rows := missing
	if g := all["windows"]; g != nil {
		rows = ""
		for i, s := range g.Splits {
			if i > 0 {
				rows += " / "
			}
			rows += thousands(s.Rows)
		}
	}
	return []figure{
		{"windows", "71,395 / 9,036 / 9,034", rows},
		{"primary sources", "79", all.keys("windows", "source_id")},
		{"secondary sources", "9,127", all.keys("windows", "derived_id")},
		{"words per query", "154.1", all.middle("windows", "words per query")},
		{"words per quote", "45.5 (candidates)", all.middle("windows", "words per quote")},
	}
}
