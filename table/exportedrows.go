package table

import (
	"github.com/commonplace/commonplace"
)

// Rows that are exported as another type than they have in a run: words that are
// classes become numbers, and spans get SQuAD's answers beside them.

// tagNames are the classes of tags, in the order of their numbers.
var tagNames = []string{"O", "B-QUOTE", "I-QUOTE"}

// answers are SQuAD's: answer_start counts code points.
type answers struct {
	Text  []string `parquet:"text,list" doc:"the answers"`
	Start []int64  `parquet:"answer_start,list" doc:"first code point of each in passage_text"`
}

// exportedExample is a row of examples with tags as classes, and SQuAD's answers.
type exportedExample struct {
	ID              string   `parquet:"context_id" doc:"id of the alignment that it was made from"`
	QuoteID         string   `parquet:"quote_id" doc:"quote of the list; between documents, derived_id with offsets"`
	DocID           string   `parquet:"doc_id" doc:"document that holds the quote"`
	Quote           string   `parquet:"quote" doc:"the quote as the document has it: documents.text[quote_begin:quote_end]"`
	QuoteBegin      int64    `parquet:"quote_begin" doc:"first code point in documents.text"`
	QuoteEnd        int64    `parquet:"quote_end" doc:"code point after the last in documents.text"`
	Similarity      float64  `parquet:"similarity" doc:"alignments.similarity"`
	LeftContext     string   `parquet:"left_context" doc:"up to label.context_words words before the quote: documents.text[left_begin:left_end]"`
	LeftBegin       int64    `parquet:"left_begin" doc:"first code point in documents.text"`
	LeftEnd         int64    `parquet:"left_end" doc:"code point after the last in documents.text"`
	RightContext    string   `parquet:"right_context" doc:"up to label.context_words words after the quote: documents.text[right_begin:right_end]"`
	RightBegin      int64    `parquet:"right_begin" doc:"first code point in documents.text"`
	RightEnd        int64    `parquet:"right_end" doc:"code point after the last in documents.text"`
	Context         string   `parquet:"context" doc:"left and right context joined with one space, or the one that is not empty"`
	PassageID       string   `parquet:"passage_id" doc:"positive passage: the one with the largest part of the quote"`
	PassageIDs      []string `parquet:"passage_ids,list" doc:"all passages that the quote touches, in order"`
	CrossesBoundary bool     `parquet:"crosses_boundary" doc:"the quote touches more than one passage"`
	PassageText     string   `parquet:"passage_text" doc:"passages.text of the positive passage"`
	SpanBegin       int64    `parquet:"span_begin" doc:"first code point of the quote's part in passage_text"`
	SpanEnd         int64    `parquet:"span_end" doc:"code point after the last in passage_text"`
	SpanText        string   `parquet:"span_text" doc:"passage_text[span_begin:span_end]"`
	Answers         answers  `parquet:"answers" doc:"the same span as SQuAD has it; passage_text is SQuAD's context, context its question"`
	Tokens          []string `parquet:"tokens,list" doc:"words and punctuation marks of the positive passage, apart at white space and at Unicode's word boundaries (UAX #29); joined, they are the passage without white space"`
	Tags            []int64  `parquet:"tags,list" doc:"one class a token: B-QUOTE first word of the quote, I-QUOTE the rest, O elsewhere"`
	Pieces          []string `parquet:"pieces,list" doc:"word pieces of the tokens by the config's tokenizer; empty without one"`
	PieceTags       []int64  `parquet:"piece_tags,list" doc:"one class a piece: B-QUOTE, I-QUOTE, ... I-QUOTE for a token with B-QUOTE; those of another token repeat its class"`
	Candidates      int64    `parquet:"candidates" doc:"number of candidate passages: all of the document, indexes 0 to candidates-1"`
	Split           string   `parquet:"split" doc:"train, validation or test"`
}

func newExportedExample(e *commonplace.Example) *exportedExample {
	return &exportedExample{
		ID: e.ID, QuoteID: e.QuoteID, DocID: e.DocID, Quote: e.Quote, QuoteBegin: e.QuoteBegin, QuoteEnd: e.QuoteEnd, Similarity: e.Similarity,
		LeftContext: e.LeftContext, LeftBegin: e.LeftBegin, LeftEnd: e.LeftEnd,
		RightContext: e.RightContext, RightBegin: e.RightBegin, RightEnd: e.RightEnd, Context: e.Context,
		PassageID: e.PassageID, PassageIDs: e.PassageIDs, CrossesBoundary: e.CrossesBoundary, PassageText: e.PassageText,
		SpanBegin: e.SpanBegin, SpanEnd: e.SpanEnd, SpanText: e.SpanText, Answers: answers{[]string{e.SpanText}, []int64{e.SpanBegin}},
		Tokens: e.Tokens, Tags: classes(e.Tags), Pieces: e.Pieces, PieceTags: classes(e.PieceTags), Candidates: e.Candidates, Split: e.Split,
	}
}

// classes are tags as their numbers in tagNames.
func classes(tags []string) []int64 {
	numbers := make([]int64, len(tags))
	for i, t := range tags {
		switch t {
		case "B":
			numbers[i] = 1
		case "I":
			numbers[i] = 2
		}
	}
	return numbers
}

// exportedChoice is a row of choices or span_choices with its label as a class.
type exportedChoice struct {
	ContextID   string `parquet:"context_id" doc:"examples.context_id or quoted_spans.part_id"`
	DocID       string `parquet:"doc_id" doc:"document of the passage"`
	PassageID   string `parquet:"passage_id" doc:"passage that is offered"`
	Index       int64  `parquet:"index" doc:"passages.index"`
	Place       int64  `parquet:"place" doc:"number among the context's choices, from 0; those that contain the quote come first"`
	Label       int64  `parquet:"label" doc:"yes when the passage contains a part of the quote, no otherwise"`
	SampledBy   string `parquet:"sampled_by" doc:"positive, near, bm25, uniform, tfidf, position or all"`
	Context     string `parquet:"context" doc:"examples.context, or paraphrases.target_context where recommend.context.paraphrased asks for it; queries.context"`
	PassageText string `parquet:"passage_text" doc:"passages.text"`
	SpanBegin   int64  `parquet:"span_begin" doc:"first code point of the quote's part in passage_text; 0 when label is no"`
	SpanEnd     int64  `parquet:"span_end" doc:"code point after the last; 0 when label is no"`
	Split       string `parquet:"split" doc:"split of the context"`
}

func newExportedChoice(c *commonplace.Choice) *exportedChoice {
	return &exportedChoice{c.ContextID, c.DocID, c.PassageID, c.Index, c.Place, class(c.Label == "yes"), c.SampledBy, c.Context, c.PassageText, c.SpanBegin, c.SpanEnd, c.Split}
}

func class(second bool) int64 {
	if second {
		return 1
	}
	return 0
}

// exportedSpan is a row of quoted_spans with SQuAD's answers.
type exportedSpan struct {
	ID          string  `parquet:"part_id" doc:"query_id, #, and the part's number from 0"`
	QueryID     string  `parquet:"query_id" doc:"query that it is a part of"`
	ClusterID   string  `parquet:"cluster_id" doc:"queries.cluster_id"`
	DocID       string  `parquet:"doc_id" doc:"transcript that is quoted"`
	PassageID   string  `parquet:"passage_id" doc:"paragraph that holds the part"`
	Context     string  `parquet:"context" doc:"queries.context"`
	PassageText string  `parquet:"passage_text" doc:"passages.text"`
	SpanText    string  `parquet:"span_text" doc:"passage_text[span_begin:span_end]"`
	SpanBegin   int64   `parquet:"span_begin" doc:"first code point in passage_text"`
	SpanEnd     int64   `parquet:"span_end" doc:"code point after the last in passage_text"`
	Answers     answers `parquet:"answers" doc:"the same span as SQuAD has it; passage_text is SQuAD's context, context its question"`
	Split       string  `parquet:"split" doc:"queries.split"`
}

func newExportedSpan(q *commonplace.QuotedSpan) *exportedSpan {
	return &exportedSpan{q.ID, q.QueryID, q.ClusterID, q.DocID, q.PassageID, q.Context, q.PassageText, q.SpanText, q.SpanBegin, q.SpanEnd, answers{[]string{q.SpanText}, []int64{q.SpanBegin}}, q.Split}
}

// exportedReply is a row of replies with its label as a class.
type exportedReply struct {
	ID             string   `parquet:"reply_id" doc:"conversation_id, and for ordinary sentences #, the turn and the first unit, from 0"`
	ConversationID string   `parquet:"conversation_id" doc:"conversation that it is of"`
	Turns          []string `parquet:"turns,list" doc:"the turns before the target; the last one may be incomplete"`
	Target         string   `parquet:"target" doc:"what follows the turns: the quotation, one sentence, or up to four words"`
	Label          int64    `parquet:"label" doc:"<quo> when the target is a quotation, <gen> otherwise"`
	Quotation      int64    `parquet:"quotation" doc:"number of the quotation in the list of all quotations of the training split, from 0; -1 for <gen>"`
	Input          string   `parquet:"input" doc:"the turns with <eos> after each, then <mask>"`
	Output         string   `parquet:"output" doc:"label, one space, target"`
	Group          string   `parquet:"group" doc:"first conversation_id, in alphabetical order, of the conversations with nearly the same words; its own if there is no other"`
	Split          string   `parquet:"split" doc:"train, validation or test, by group"`
}

func newExportedReply(r *commonplace.Reply) *exportedReply {
	return &exportedReply{r.ID, r.ConversationID, r.Turns, r.Target, class(r.Label == "<quo>"), r.Quotation, r.Input, r.Output, r.Group, r.Split}
}

// tagsOf are tags by the names of their classes.
func tagsOf(tags []string) []string {
	names := make([]string, len(tags))
	for i, class := range classes(tags) {
		names[i] = tagNames[class]
	}
	return names
}
