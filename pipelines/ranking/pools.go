package ranking

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/segment"
	"github.com/commonplace/commonplace/table"
)

// pool is candidates, and the contexts that are to find some among them.
type pool struct {
	docID      string // of the candidates; empty where each context has its own
	candidates []offered
	contexts   []asked
	run        int64   // windows: sentences of a candidate
	search     *search // of the candidates, once somebody asked; pools of the same candidates share it
}

// offered is a candidate.
type offered struct {
	id    string
	index int64
	text  string
	begin int64 // first code point in its document; of passages alone
	end   int64 // code point after the last
	used  int   // replies: how often the training split uses the quotation
}

// asked is a context of any dataset.
type asked struct {
	id, docID, split string
	context          string   // as models read it
	title, body      string   // of queries: the context in its two parts
	words            []string // for retrieval
	answer           string   // the text that is to be found
	right            []string // ids of the candidates that are right
	begin, end       int64    // code points of the document that are quoted; of triples and queries
	span             answerSpan
	paragraph        string // where candidates are cut otherwise than passages: the passage that has most of the answer
	part             string // likewise: what the candidate of span has of it
}

// answerSpan is the place of the answer in the candidate that holds it; triples have one.
type answerSpan struct {
	candidate string // its id
	commonplace.Span
}

// text is what a model that was trained on the context has seen of it.
func (a asked) text() string { return a.context + "\n" + a.answer }

// retrievals are the datasets with contexts that candidates are ranked for, in the
// order of the table, and how their pools are read.
var retrievals = []retrieval{
	{config.DataQueries, []string{"queries", "passages"}, nil, queryPools},
	{config.DataReplies, []string{"replies"}, []string{"replies"}, replyPools},
	{config.DataTriples, []string{"examples", "passages"}, nil, examplePools},
	{config.DataWindows, []string{"windows", "passages"}, nil, windowPools},
}

// retrieval is such a dataset.
type retrieval struct {
	dataset      string
	shard, whole []string // the tables that are read: the shard of a task, and all of one
	pools        func(ctx context.Context, in poolInput, do func(pool) error) error
}

// shardTables are the tables whose shard is read, for contexts that are read so.
func (r retrieval) shardTables(c config.Context) []string {
	if r.dataset == config.DataTriples && c.Paraphrased {
		return slices.Concat(r.shard, []string{"paraphrases"})
	}
	return r.shard
}

// retrievalsOf are those that a config makes.
func retrievalsOf(c *config.Config) []retrieval {
	return slices.DeleteFunc(slices.Clone(retrievals), func(r retrieval) bool { return !config.Makes(r.dataset)(c) })
}

// poolInput is where the pools of a shard are read.
type poolInput struct {
	path  func(table string) string
	paths func(table string) []string
	config.Context
	segment string // triples: how candidates are cut; empty: the passages
}

// ofDocuments joins the passages of documents with their contexts.
func ofDocuments[T any](ctx context.Context, in poolInput, tab *table.Table[T], doc func(*T) string, columns []string, do func(passages []commonplace.Passage, contexts []T) error) error {
	passages := join.Open(ctx, table.Passages, in.path("passages"), func(p *commonplace.Passage) string { return p.DocID }, "passage_id", "doc_id", "index", "begin", "end", "text")
	defer passages.Stop()
	contexts := join.Open(ctx, tab, in.path(tab.Name), doc, columns...)
	defer contexts.Stop()
	err := passages.Each(func(docID string, of []commonplace.Passage) error {
		asking, err := contexts.Of(docID)
		if err != nil || len(asking) == 0 {
			return err
		}
		return do(of, asking)
	})
	if err != nil {
		return err
	}
	return contexts.End()
}

func offeredPassages(passages []commonplace.Passage) []offered {
	out := make([]offered, len(passages))
	for i, p := range passages {
		out[i] = offered{id: p.ID, index: p.Index, begin: p.Begin, end: p.End, text: p.Text}
	}
	return out
}

func (p *pool) sort() {
	slices.SortFunc(p.contexts, func(a, b asked) int { return strings.Compare(a.id, b.id) })
}

// examplePools: the passages of a book, for the contexts of its quotes (RA-MTR).
func examplePools(ctx context.Context, in poolInput, do func(pool) error) error {
	columns := []string{"context_id", "doc_id", "left_context", "right_context", "context", "passage_id", "passage_ids", "quote_begin", "quote_end", "span_begin", "span_end", "span_text", "split"}
	said, stop := in.paraphrases(ctx)
	defer stop()
	return ofDocuments(ctx, in, table.Examples, func(e *commonplace.Example) string { return e.DocID }, columns, func(passages []commonplace.Passage, examples []commonplace.Example) error {
		p := pool{docID: examples[0].DocID, candidates: offeredPassages(passages), search: &search{}}
		var chunks chunked
		if in.segment != "" {
			by, err := segment.Parse(in.segment)
			if err != nil {
				return err
			}
			chunks = intoChunks(passages, by)
			p.candidates = chunks.candidates
		}
		inOtherWords, err := said(p.docID)
		if err != nil {
			return err
		}
		for _, e := range examples {
			text := e.Context
			switch {
			case in.Paraphrased && inOtherWords[e.ID] == "":
				continue
			case in.Paraphrased:
				text = inOtherWords[e.ID]
			case in.Words > 0:
				text = joined(lastWords(e.LeftContext, in.Words), firstWords(e.RightContext, in.Words))
			}
			a := asked{id: e.ID, docID: e.DocID, split: e.Split, context: text, words: wordsOf(text), answer: e.SpanText, right: e.PassageIDs, begin: e.QuoteBegin, end: e.QuoteEnd,
				span: answerSpan{e.PassageID, commonplace.Span{Begin: int(e.SpanBegin), End: int(e.SpanEnd)}}}
			if in.segment != "" {
				a.right, a.span, a.part = chunks.holding(e.QuoteBegin, e.QuoteEnd)
				a.paragraph = textOf(passages, e.PassageID)
			}
			p.contexts = append(p.contexts, a)
		}
		p.sort()
		return do(p)
	})
}

// queryPools: the paragraphs of a transcript, for the articles that quote it
// (context-based quotation recommendation).
func queryPools(ctx context.Context, in poolInput, do func(pool) error) error {
	columns := []string{"query_id", "doc_id", "title", "left_context", "passage_ids", "span", "span_begin", "span_end", "split"}
	return ofDocuments(ctx, in, table.Queries, func(q *commonplace.Query) string { return q.DocID }, columns, func(passages []commonplace.Passage, queries []commonplace.Query) error {
		p := pool{docID: queries[0].DocID, candidates: offeredPassages(passages), search: &search{}}
		for _, q := range queries {
			title, body := "", lastWords(q.LeftContext, in.Words)
			if in.Title {
				title = q.Title
			}
			text := joined(title, body)
			p.contexts = append(p.contexts, asked{id: q.ID, docID: q.DocID, split: q.Split, context: text, title: title, body: body, words: wordsOf(text), answer: q.Span, right: q.PassageIDs, begin: q.SpanBegin, end: q.SpanEnd})
		}
		p.sort()
		return do(p)
	})
}

// windowPools: all runs of n sentences of a work, for the windows that quote n of it (RELiC).
func windowPools(ctx context.Context, in poolInput, do func(pool) error) error {
	columns := []string{"window_id", "source_id", "quote", "first_sentence", "sentences", "left", "right", "split"}
	return ofDocuments(ctx, in, table.Windows, func(w *commonplace.Window) string { return w.SourceID }, columns, func(sentences []commonplace.Passage, windows []commonplace.Window) error {
		byLength := map[int64][]commonplace.Window{}
		for _, w := range windows {
			if w.Sentences < 1 || w.Sentences > int64(len(sentences)) {
				return fmt.Errorf("window %s quotes %d sentences of %d; run again with --force", w.ID, w.Sentences, len(sentences))
			}
			byLength[w.Sentences] = append(byLength[w.Sentences], w)
		}
		var all []asked // in the table's order, whatever their lengths
		pools := map[int64]*pool{}
		for n := range byLength {
			pools[n] = &pool{docID: windows[0].SourceID, candidates: runsOf(sentences, int(n)), run: n, search: &search{}}
		}
		for _, w := range windows {
			left, right := lastN(w.Left, in.Left), firstN(w.Right, in.Right)
			around := strings.Join(append(slices.Clone(left), right...), " ")
			text := strings.Join(slices.Concat(left, []string{infer.Mask}, right), " ")
			a := asked{id: w.ID, docID: w.SourceID, split: w.Split, context: text, words: wordsOf(around), answer: w.Quote, right: []string{sentences[w.FirstSentence].ID}}
			pools[w.Sentences].contexts = append(pools[w.Sentences].contexts, a)
			all = append(all, a)
		}
		// Rows stand in the order of contexts, so neighbours of one length are a pool.
		slices.SortFunc(all, func(a, b asked) int { return strings.Compare(a.id, b.id) })
		length := map[string]int64{}
		for _, w := range windows {
			length[w.ID] = w.Sentences
		}
		return eachRun(all, func(a asked) int64 { return length[a.id] }, func(n int64, of []asked) error {
			p := *pools[n]
			p.contexts = of
			return do(p)
		})
	})
}

// eachRun goes through neighbours that are alike.
func eachRun(all []asked, key func(asked) int64, do func(key int64, of []asked) error) error {
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && key(all[j]) == key(all[i]) {
			j++
		}
		if err := do(key(all[i]), all[i:j]); err != nil {
			return err
		}
		i = j
	}
	return nil
}

// runsOf are all runs of n sentences.
func runsOf(sentences []commonplace.Passage, n int) []offered {
	out := make([]offered, 0, len(sentences)-n+1)
	for i := range len(sentences) - n + 1 {
		texts := make([]string, n)
		for k := range texts {
			texts[k] = sentences[i+k].Text
		}
		out = append(out, offered{id: sentences[i].ID, index: sentences[i].Index, text: strings.Join(texts, " ")})
	}
	return out
}

// replyPools: the closed list of quotations, for the conversations that use one (when
// and what to quote).
func replyPools(ctx context.Context, in poolInput, do func(pool) error) error {
	list, used := map[int64]string{}, map[int64]int{}
	for _, path := range in.paths("replies") {
		for r, err := range table.Replies.Rows(ctx, path, "quotation", "target", "split") {
			if err != nil {
				return err
			}
			if r.Quotation >= 0 {
				list[r.Quotation] = r.Target
				if r.Split == label.Train {
					used[r.Quotation]++
				}
			}
		}
	}
	p := pool{search: &search{}}
	for n := range int64(len(list)) {
		text, there := list[n]
		if !there {
			return fmt.Errorf("the list of quotations has no number %d; run again with --force", n)
		}
		p.candidates = append(p.candidates, offered{id: quotationID(n), index: n, text: text, used: used[n]})
	}
	for r, err := range table.Replies.Rows(ctx, in.path("replies"), "reply_id", "conversation_id", "turns", "target", "label", "quotation", "split") {
		if err != nil {
			return err
		}
		if r.Label != label.Quo {
			continue
		}
		text := lastWords(strings.Join(r.Turns, label.Eos), in.Words)
		p.contexts = append(p.contexts, asked{id: r.ID, docID: r.ConversationID, split: r.Split, context: text, words: wordsOf(strings.ReplaceAll(text, label.Eos, " ")), answer: r.Target, right: []string{quotationID(r.Quotation)}})
	}
	if len(p.contexts) == 0 {
		return nil
	}
	slices.SortFunc(p.contexts, func(a, b asked) int {
		if c := strings.Compare(a.docID, b.docID); c != 0 {
			return c
		}
		return strings.Compare(a.id, b.id)
	})
	return do(p)
}

func quotationID(n int64) string { return fmt.Sprintf("quotation:%06d", n) }

// wordsOf are the words of a text for retrieval.
func wordsOf(text string) []string { return strings.Fields(label.Normalise(text)) }

// lastWords are the last n words of a text; all of it for 0.
func lastWords(text string, n int) string {
	if n <= 0 {
		return text
	}
	words := strings.Fields(text)
	return strings.Join(words[max(0, len(words)-n):], " ")
}

func firstWords(text string, n int) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(n, len(words))], " ")
}

// lastN are the last n; all for a negative n.
func lastN(list []string, n int) []string {
	if n < 0 {
		return list
	}
	return list[max(0, len(list)-n):]
}

func firstN(list []string, n int) []string {
	if n < 0 {
		return list
	}
	return list[:min(n, len(list))]
}

func joined(a, b string) string { return strings.TrimSpace(a + " " + b) }
