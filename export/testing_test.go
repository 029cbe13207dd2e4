package export

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// commit writes a table of so many shards.
func commit[T any](t *testing.T, dir string, tbl *table.Table[T], config string, shardOf func(T) string, shards int, rows ...T) {
	t.Helper()
	var tasks []table.TaskRecord
	for k := range shards {
		w, err := tbl.Create(t.Context(), table.Dir(dir, tbl.Name), k, shards)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if table.ShardOf(shardOf(r), shards) != k {
				continue
			}
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		shard, err := w.Close()
		if err != nil {
			t.Fatal(err)
		}
		tasks = append(tasks, table.TaskRecord{Table: tbl.Name, Shard: shard})
	}
	c, err := table.NewCommit(tbl.Name, "stage-of-"+tbl.Name, 1, []byte(config), map[string]string{}, tasks)
	if err != nil {
		t.Fatal(err)
	}
	if tbl.Name == table.Examples.Name {
		c.Checks = map[string]int64{"quoted texts_in_one_split": 30, "stretches_in_one_split": 29}
	}
	if tbl.Name == table.QuoteCounts.Name {
		c.Counts = map[string]int64{"boilerplate": 1234, "of_adaptations": 5, "given": 6}
	}
	if err := table.WriteCommit(t.Context(), storage.Default, dir, c); err != nil {
		t.Fatal(err)
	}
}

// sentence of a book, with what harms Markdown, JSON and CoNLL when it is not
// escaped.
func sentence(id string, i int) string {
	return fmt.Sprintf("Sentence %d of “%s” | has <b>naïve</b> \\ words,\u2028 \t𝔘nicode & an 🙂 end.", i, id)
}

// testRun writes a run with every table that is exported: three sources of
// forty sentences, one of unknown rights, two texts that quote them, a list of
// quotations, transcripts and conversations.
func testRun(t *testing.T) string {
	t.Helper()
	const shards = 2
	dir := t.TempDir() + "/a | run"
	var documents []commonplace.Document
	var passages []commonplace.Passage
	var counts []commonplace.QuoteCount
	var counted []commonplace.Counted
	var sequences []commonplace.Sequence
	var pairs []commonplace.Pair
	texts := map[string]string{}
	for n, id := range []string{"alpha", "beta", "essay", "gamma", "zeitung"} {
		var text strings.Builder
		length := 0
		for i := range 40 {
			if i > 0 {
				text.WriteByte(' ')
				length++
			}
			s := sentence(id, i)
			begin := length
			text.WriteString(s)
			length += len([]rune(s))
			p := commonplace.Passage{ID: commonplace.PassageID(id, int64(i)), DocID: id, Index: int64(i), Begin: int64(begin), End: int64(length), Text: s, Words: words(s), By: "sentences",
				Speaker: "HAMLET", Places: []commonplace.Place{{Kind: commonplace.PlaceDocument, Count: 1}, {Kind: commonplace.PlaceChapter, Title: "The *first* chapter"}}}
			passages = append(passages, p)
			counts = append(counts, commonplace.QuoteCount{PassageID: p.ID, DocID: id, Index: p.Index, Count: int64(i % 4)})
			counted = append(counted, commonplace.Counted{PassageID: p.ID, DocID: id, Index: p.Index, Marked: "[Book@1] " + s, Count: int64(i % 4), Fold: int64(n)})
		}
		sequences = append(sequences, commonplace.Sequence{ID: id + ":000000-000001", DocID: id, PassageIDs: []string{passages[len(passages)-40].ID}, Marked: []string{"[Book@1]"}, Counts: []int64{1}, Fold: int64(n)})
		pairs = append(pairs, commonplace.Pair{DocID: id, MoreID: "a", LessID: "b", MoreMarked: "more", LessMarked: "less", MoreCount: 3, Fold: int64(n)})
		texts[id] = text.String()
		documents = append(documents, commonplace.Document{ID: id, Source: map[bool]string{true: "papers", false: "books"}[id == "essay" || id == "zeitung"], Title: "The " + id, Language: "en",
			Rights: map[string]string{"alpha": "CC0", "beta": "", "essay": "Public domain in the USA.", "gamma": "CC0", "zeitung": "© the *paper* | all <rights> reserved"}[id], Date: "2011-02-03",
			Text: text.String(), Characters: int64(length), FrameMarkers: "*** START", Pages: []commonplace.Page{{Sequence: 1, Head: "a head"}}})
	}
	of := func(id string, i int) commonplace.Passage {
		return passages[slices.IndexFunc(passages, func(p commonplace.Passage) bool { return p.DocID == id && p.Index == int64(i) })]
	}
	var alignments []commonplace.Alignment
	var examples []commonplace.Example
	var choices []commonplace.Choice
	var paraphrases []commonplace.Paraphrase
	var queries []commonplace.Query
	var spans []commonplace.QuotedSpan
	var spanChoices []commonplace.Choice
	var windows []commonplace.Window
	var agreements []commonplace.Agreement
	for _, id := range []string{"alpha", "beta", "gamma"} {
		for i := 4; i < 34; i += 3 {
			p := of(id, i)
			begin := p.Begin + 9
			text := commonplace.Slice(texts[id], commonplace.Span{Begin: int(begin), End: int(p.End)})
			q := fmt.Sprintf("q%02d-%s", i, id)
			split := []string{"train", "validation", "test"}[i/3%3]
			a := commonplace.Alignment{ID: fmt.Sprintf("%s:%d", q, begin), Kind: "exact", QuoteID: q, DerivedEnd: p.End - begin, DerivedText: text, SourceID: id, SourceBegin: begin, SourceEnd: p.End, SourceText: text,
				Similarity: 1 - float64(i)/100, MatchedWords: words(text) - int64(i%3), Confidence: 1}
			tags := make([]string, words(p.Text))
			for k := range tags {
				tags[k] = map[bool]string{true: "O", false: map[bool]string{true: "B", false: "I"}[k == 1]}[k == 0]
			}
			e := commonplace.Example{ID: a.ID, QuoteID: q, DocID: id, Quote: text, QuoteBegin: begin, QuoteEnd: p.End, Similarity: a.Similarity,
				LeftContext: commonplace.Slice(texts[id], commonplace.Span{Begin: 3, End: 20}), LeftBegin: 3, LeftEnd: 20, RightBegin: p.End, RightEnd: p.End, Context: "the context", PassageID: p.ID, PassageIDs: []string{p.ID}, PassageText: p.Text,
				SpanBegin: 9, SpanEnd: p.End - p.Begin, SpanText: text, Tokens: strings.Fields(p.Text), Tags: tags, Candidates: 40, Split: split}
			alignments, examples = append(alignments, a), append(examples, e)
			choices = append(choices, commonplace.Choice{ContextID: e.ID, DocID: id, PassageID: p.ID, Label: "yes", SampledBy: "positive", Context: e.Context, PassageText: p.Text, SpanBegin: 9, SpanEnd: e.SpanEnd, Split: split},
				commonplace.Choice{ContextID: e.ID, DocID: id, PassageID: of(id, i+1).ID, Place: 1, Label: "no", SampledBy: "near", Context: e.Context, PassageText: of(id, i+1).Text, Split: split})
			paraphrases = append(paraphrases, commonplace.Paraphrase{ContextID: e.ID, DocID: id, Context: e.Context, Target: "in other words", Overlap: 0.2, Model: "m", Split: split})
			if id == "gamma" {
				continue
			}
			w := commonplace.Window{ID: "w" + a.ID, DerivedID: "essay", DerivedBegin: 10, DerivedEnd: 20, SourceID: id, SourceBegin: p.Begin, SourceEnd: p.End, Quote: p.Text, FirstSentence: int64(i), Sentences: int64(1 + i/6),
				Covered: 1, Similarity: 1, Left: []string{sentence("essay", 1)}, Right: []string{}, Candidates: 40, Split: map[string]string{"alpha": "train", "beta": "test"}[id]}
			windows = append(windows, w)
			article := map[string]string{"alpha": "essay", "beta": "zeitung"}[id]
			query := commonplace.Query{ID: a.ID, ClusterID: id, ArticleID: article, DocID: id, Date: map[string]string{"alpha": "2011-02-03", "beta": "2014-05-06"}[id], Title: "A title", Quote: commonplace.Slice(texts[article], commonplace.Span{Begin: 5, End: 25}), QuoteBegin: 5, QuoteEnd: 25, Span: text, SpanBegin: begin, SpanEnd: p.End, PassageIDs: []string{p.ID}, Split: w.Split}
			queries = append(queries, query)
			spans = append(spans, commonplace.QuotedSpan{ID: a.ID + "#0", QueryID: a.ID, ClusterID: id, DocID: id, PassageID: p.ID, Context: "A title left", PassageText: p.Text, SpanText: text, SpanBegin: 9, SpanEnd: e.SpanEnd, Split: w.Split})
			spanChoices = append(spanChoices, commonplace.Choice{ContextID: a.ID + "#0", DocID: id, PassageID: p.ID, Label: "yes", SampledBy: "positive", Context: "A title left", PassageText: p.Text, SpanBegin: 9, SpanEnd: e.SpanEnd, Split: w.Split})
			agreements = append(agreements, commonplace.Agreement{QuoteID: q, DocID: id, Text: text, GivenBegin: begin, GivenEnd: p.End, GivenText: text, OursBegin: -1, OursEnd: -1, Verdict: "not found"})
		}
	}
	alignments = append(alignments, commonplace.Alignment{ID: "between", Kind: "ellipsis", DerivedID: "essay", DerivedEnd: 8, DerivedText: texts["essay"][:8], SourceID: "zeitung", SourceEnd: 8, SourceText: texts["zeitung"][:8], Similarity: 0.7, Marked: true,
		Parts: []commonplace.Part{{SourceEnd: 3, DerivedEnd: 3}, {SourceBegin: 5, SourceEnd: 8, DerivedBegin: 5, DerivedEnd: 8}}})
	var quotes []commonplace.Quote
	for _, a := range alignments {
		if a.QuoteID != "" {
			quotes = append(quotes, commonplace.Quote{ID: a.QuoteID, Text: a.DerivedText, Source: "list", Rights: "CC0"})
		}
	}
	slices.SortFunc(quotes, func(a, b commonplace.Quote) int { return strings.Compare(a.ID, b.ID) })

	ofChoice := func(c commonplace.Choice) string { return c.DocID }
	commit(t, dir, table.Documents, "{}", func(d commonplace.Document) string { return d.ID }, shards, documents...)
	commit(t, dir, table.Quotes, "{}", func(commonplace.Quote) string { return "" }, 1, quotes...)
	commit(t, dir, table.Passages, "{}", func(p commonplace.Passage) string { return p.DocID }, shards, passages...)
	commit(t, dir, table.Alignments, "{}", func(a commonplace.Alignment) string { return a.SourceID }, shards, alignments...)
	commit(t, dir, table.Examples, `{"split":{"by":"quote"}}`, func(e commonplace.Example) string { return e.DocID }, shards, examples...)
	commit(t, dir, table.Choices, "{}", ofChoice, shards, choices...)
	commit(t, dir, table.Paraphrases, "{}", func(p commonplace.Paraphrase) string { return p.DocID }, shards, paraphrases...)
	commit(t, dir, table.Queries, "{}", func(q commonplace.Query) string { return q.DocID }, shards, queries...)
	commit(t, dir, table.QuotedSpans, "{}", func(q commonplace.QuotedSpan) string { return q.DocID }, shards, spans...)
	commit(t, dir, table.SpanChoices, "{}", ofChoice, shards, spanChoices...)
	commit(t, dir, table.Agreements, "{}", func(a commonplace.Agreement) string { return a.DocID }, shards, agreements...)
	commit(t, dir, table.Windows, "{}", func(w commonplace.Window) string { return w.SourceID }, shards, windows...)
	commit(t, dir, table.QuoteCounts, "{}", func(c commonplace.QuoteCount) string { return c.DocID }, shards, counts...)
	commit(t, dir, table.Counted, "{}", func(c commonplace.Counted) string { return c.DocID }, shards, counted...)
	commit(t, dir, table.Sequences, "{}", func(s commonplace.Sequence) string { return s.DocID }, shards, sequences...)
	commit(t, dir, table.Pairs, "{}", func(p commonplace.Pair) string { return p.DocID }, shards, pairs...)
	commit(t, dir, table.Attributes, "{}", func(commonplace.Attribute) string { return "" }, 1, commonplace.Attribute{Name: "length", Arrows: "↑↑", T: 2.5, P: 0.01})
	commit(t, dir, table.Conversations, "{}", func(c commonplace.Conversation) string { return c.ID }, shards, commonplace.Conversation{ID: "c1", Turns: []string{"Why?", "说得好"}, Quotation: "Because."})
	commit(t, dir, table.Replies, "{}", func(r commonplace.Reply) string { return r.ConversationID }, shards,
		commonplace.Reply{ID: "c1", ConversationID: "c1", Turns: []string{"Why?", "说得好"}, Target: "Because.", Label: "<quo>", Input: "Why? <eos> <mask>", Output: "<quo> Because.", Group: "c1", Split: "train"},
		commonplace.Reply{ID: "c1#1.0", ConversationID: "c1", Turns: []string{"Why?"}, Target: "说得好", Label: "<gen>", Quotation: -1, Input: "Why? <eos> <mask>", Output: "<gen> 说得好", Group: "c1", Split: "train"})
	var works []commonplace.Work
	for _, d := range documents {
		works = append(works, commonplace.Work{DocID: d.ID, Work: d.ID, Editions: 1})
	}
	commit(t, dir, table.Works, "{}", func(w commonplace.Work) string { return w.DocID }, shards, works...)
	commit(t, dir, table.Rankings, "{}", func(r commonplace.Ranking) string { return r.DocID }, shards)
	return dir
}

// words is the number of runs between white space.
func words(text string) int64 { return int64(len(strings.Fields(text))) }
