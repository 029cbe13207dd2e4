package label

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
)

// paragraphs cuts at blank lines.
func paragraphs(doc commonplace.Document) []commonplace.Passage {
	var out []commonplace.Passage
	at := 0
	for text := range strings.SplitSeq(doc.Text, "\n\n") {
		begin := len([]rune(doc.Text[:at]))
		out = append(out, commonplace.Passage{
			ID: commonplace.PassageID(doc.ID, int64(len(out))), DocID: doc.ID, Index: int64(len(out)),
			Begin: int64(begin), End: int64(begin + len([]rune(text))), Text: text,
		})
		at += len(text) + 2
	}
	return out
}

var speech = commonplace.Document{ID: "speech", Text: `Good evening. My fellow citizens.

We will not tire. We will not “falter”;

and we will not fail. Thank you.

God bless the café.`}

func news(text string) commonplace.Document {
	return commonplace.Document{ID: "news", Title: "The Speech", Text: text}
}

func TestQueryOverTwoParagraphs(t *testing.T) {
	article := news("It rained. He came… late. “We will not falter, and we will not fail,” he said. They clapped.")
	a := between(article, speech, "We will not falter, and we will not fail", "We will not “falter”;\n\nand we will not fail")
	queries, spans, rejects := Queries(article, sentences(article), speech, paragraphs(speech),
		[]commonplace.Alignment{a}, Clusters([]commonplace.Alignment{a}), "2013-01-02", QuotusDates)
	if len(rejects) != 0 || len(queries) != 1 || len(spans) != 2 {
		t.Fatal(queries, spans, rejects)
	}
	q := queries[0]
	if q.LeftContext != "It rained. He came… late." || q.Context != "The Speech It rained. He came… late." {
		t.Errorf("left context %q, context %q", q.LeftContext, q.Context)
	}
	if q.Before != "It rained. He came… late. “" || q.After != ",” he said. They clapped." {
		t.Errorf("words before %q and after %q", q.Before, q.After)
	}
	if !slices.Equal(q.PassageIDs, []string{"speech:000001", "speech:000002"}) || q.Split != Validation || q.ClusterID != spanID("speech", q.SpanBegin, q.SpanEnd) {
		t.Errorf("%+v", q)
	}
	for i, want := range []string{"We will not “falter”;", "and we will not fail"} {
		s := spans[i]
		if s.SpanText != want || commonplace.Slice(s.PassageText, commonplace.Span{Begin: int(s.SpanBegin), End: int(s.SpanEnd)}) != want || s.ID != fmt.Sprint(q.ID, "#", i) {
			t.Errorf("part %d: %+v", i, s)
		}
	}
	for _, s := range []struct {
		doc        commonplace.Document
		begin, end int64
		text       string
	}{{article, q.LeftBegin, q.LeftEnd, q.LeftContext}, {article, q.QuoteBegin, q.QuoteEnd, q.Quote}, {speech, q.SpanBegin, q.SpanEnd, q.Span}} {
		if got := commonplace.Slice(s.doc.Text, commonplace.Span{Begin: int(s.begin), End: int(s.end)}); got != s.text {
			t.Errorf("[%d:%d] is %q, want %q", s.begin, s.end, got, s.text)
		}
	}

	// Each part is a listwise example of its own; the other part is neither yes nor no.
	sampler := NewSpanSampler(paragraphs(speech), queries, 1)
	for i, s := range spans {
		rows, err := sampler.SpanChoices(s, []Pick{{Uniform, 9}})
		if err != nil || len(rows) != 3 || rows[0].PassageID != q.PassageIDs[i] || rows[0].SpanEnd != s.SpanEnd || rows[0].Context != q.Context {
			t.Fatalf("part %d: %+v, %v", i, rows, err)
		}
		for _, row := range rows[1:] {
			if slices.Contains(q.PassageIDs, row.PassageID) || row.Label != "no" || row.SpanEnd != 0 {
				t.Errorf("part %d: %+v", i, row)
			}
		}
	}
}

func TestQueryGivesNothingOfTheQuotesSentenceAway(t *testing.T) {
	article := news("He said that they will not tire. Then more.")
	a := between(article, speech, "will not tire", "will not tire")
	queries, _, _ := Queries(article, sentences(article), speech, paragraphs(speech), []commonplace.Alignment{a}, nil, "2009-01-01", QuotusDates)
	q := queries[0]
	if q.LeftContext != "" || q.LeftBegin != 0 || q.LeftEnd != 0 || q.Context != "The Speech" || q.Split != Train {
		t.Errorf("%+v", q)
	}
	second := news("It rained. They will not tire, he said.")
	queries, _, _ = Queries(second, sentences(second), speech, paragraphs(speech), []commonplace.Alignment{between(second, speech, "will not tire", "will not tire")}, nil, "2009-01-01", QuotusDates)
	if queries[0].LeftContext != "It rained." {
		t.Errorf("left context %q", queries[0].LeftContext)
	}
	article.Title = ""
	queries, _, _ = Queries(article, sentences(article), speech, paragraphs(speech), []commonplace.Alignment{a}, nil, "2009-01-01", QuotusDates)
	if queries[0].Context != "" {
		t.Errorf("context %q", queries[0].Context)
	}
}

func TestQueriesAreRefused(t *testing.T) {
	article := news("We will not tire.")
	a := between(article, speech, "We will not tire", "We will not tire")
	for _, c := range []struct {
		reason, date string
		change       func(*commonplace.Alignment)
	}{
		{ReasonDate, "2015-01-01", func(*commonplace.Alignment) {}},
		{ReasonDate, "", func(*commonplace.Alignment) {}},
		{ReasonDocument, "2012-01-01", func(a *commonplace.Alignment) { a.SourceID = "other" }},
		{ReasonNoPassage, "2012-01-01", func(a *commonplace.Alignment) { a.SourceBegin, a.SourceEnd = 33, 35 }},
	} {
		b := a
		c.change(&b)
		queries, spans, rejects := Queries(article, sentences(article), speech, paragraphs(speech), []commonplace.Alignment{b}, nil, c.date, QuotusDates)
		if len(queries)+len(spans) != 0 || len(rejects) != 1 || rejects[0].Reason != c.reason {
			t.Errorf("%s: %v %v", c.reason, queries, rejects)
		}
	}
}

func TestArticleFilter(t *testing.T) {
	long := strings.Repeat("é", ArticleCharacters)
	var f ArticleFilter
	for _, c := range []struct {
		id, text string
		located  int
		want     string
	}{
		{"a", long, 0, "no quote located"}, {"a", long, 2, ""}, {"b", long, 2, "duplicate of a"},
		{"c", long[2:], 2, "body of 99 characters, wanted 100"}, {"d", long + ".", 1, ""},
	} {
		if got := f.Refuses(c.id, int64(utf8.RuneCountInString(c.text)), sha256.Sum256([]byte(c.text)), c.located); got != c.want {
			t.Errorf("%s: %q, want %q", c.id, got, c.want)
		}
	}
}
