package table

import (
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table/check"
)

// The tables of a run, in the order in which it makes them.
//
// A new table is an entry here. Its documentation, verify, inspect, the report,
// the export and its card follow: run `go test ./table -run Docs -update`.
var (
	Documents = register(Entry[commonplace.Document]{
		Name: "documents", Order: []string{"doc_id"}, Shard: "doc_id",
		Holds:  "what was read",
		About:  "Every text that was read, as it was decoded. `text` does not include the Project Gutenberg frame. `frame_start` and `frame_end` say where the text is in the file: `file[frame_start:frame_end] == text`.",
		Verify: check.Document,
		Export: &Export[commonplace.Document]{
			Row: "a text as it was read", Ground: 5,
			Texts:   []string{"text", "metadata", "frame_markers", "pages.head", "pages.foot"},
			Allowed: ofDocument(func(d *commonplace.Document) string { return d.ID }),
			Watch: func(s Statistics, d *commonplace.Document) {
				s.Measure("characters per document", float64(d.Characters))
			},
		},
	})
	Quotes = register(Entry[commonplace.Quote]{
		Name: "quotes", Order: []string{"quote_id"}, Shard: "quote_id",
		Holds: "what was read",
		About: "The entries of quote lists, as the lists give them.",
		Export: &Export[commonplace.Quote]{
			Row: "an entry of a quote list", Ground: 3,
			Texts:   []string{"text"},
			Allowed: func(r Rights, q *commonplace.Quote) bool { return r.Quote(q.ID) },
			Watch: func(s Statistics, q *commonplace.Quote) {
				s.Measure("words per listed quote", float64(words(q.Text)))
			},
		},
	})
	Conversations = register(Entry[commonplace.Conversation]{
		Name: "conversations", Order: []string{"conversation_id"}, Shard: "conversation_id",
		Holds: "what was read",
		About: "Conversations up to where a quotation is used, as their file gives them. The table exists only if the config names `conversations`.",
		Export: &Export[commonplace.Conversation]{
			Row: "a conversation, and the quotation that it ends with", Ground: 4,
			Texts:   []string{"turns", "quotation"},
			Allowed: ofConversations[commonplace.Conversation],
			Watch: func(s Statistics, c *commonplace.Conversation) {
				s.Measure("turns per conversation", float64(len(c.Turns)))
			},
		},
	})
	Passages = register(Entry[commonplace.Passage]{
		Name: "passages", Order: []string{"doc_id", "index"}, Shard: "doc_id",
		Holds:    "pieces of documents",
		About:    "The pieces of documents that are counted, scored and ranked. Passages of a document are in order, do not overlap and are numbered from 0.",
		Sequence: check.Passages,
		Export: &Export[commonplace.Passage]{
			Row: "a passage, and its place in its document's structure", Default: 6, Ground: 2,
			Texts:   []string{"text", "speaker", "places.title"},
			Allowed: ofDocument(func(p *commonplace.Passage) string { return p.DocID }),
			Watch: func(s Statistics, p *commonplace.Passage) {
				s.Measure("words per passage", float64(p.Words))
				s.PerDocument(p.DocID, "passages per document", 1)
				s.PerDocument(p.DocID, "words per document", float64(p.Words))
			},
		},
	})
	// Spans are places that a file says are quoted.
	Spans = register(Entry[commonplace.GivenSpan]{
		Name: "spans", Order: []string{"doc_id", "begin", "end", "source", "line"}, Shard: "doc_id",
		Holds: "what was read",
		About: "Located spans: places of documents that files say are quoted, each checked against its document. The table exists only with `spans` in the config.",
		Verify: func(c *check.Row, r *commonplace.GivenSpan) {
			c.Span(r.DocID, "text", r.Begin, r.End, r.Text)
			c.Hold(r.Begin < r.End && r.Count >= 0, "[%d:%d] is quoted %d times", r.Begin, r.End, r.Count)
		},
	})
	// Matches are alignments between documents before they are partitioned by source.
	Matches = register(Entry[commonplace.Alignment]{
		Name: "matches", Order: []string{"derived_id", "derived_begin", "derived_end", "source_id", "source_begin", "source_end"}, Shard: "derived_id",
		Holds:  "quotations, by quoting document and by source",
		About:  "What derived documents quote from the sources, sorted and sharded by the derived document. A derived span may match several sources; only the best matches become rows. The `align` stage then sorts these rows by source. To see what is quoted, query `alignments`. The table is empty if no source has the role `derived` or `both`.",
		Verify: check.Match,
	})
	Alignments = register(Entry[commonplace.Alignment]{
		Name: "alignments", Order: []string{"source_id", "source_begin", "source_end", "quote_id", "derived_id", "derived_begin"}, Shard: "source_id",
		Holds:     "quotations, by quoting document and by source",
		About:     "Where the words of a quote or of another document are found in a source. Either `quote_id` or `derived_id` is set. The derived offsets are offsets in the text of that quote or that document.",
		Verify:    check.Alignment,
		Elsewhere: check.AlignmentSides,
		Export: &Export[commonplace.Alignment]{
			Row: "a place where one text repeats another", Ground: 1,
			Texts: []string{"source_text", "derived_text", "source_metadata", "derived_metadata"},
			Allowed: func(r Rights, a *commonplace.Alignment) bool {
				if a.QuoteID != "" {
					return r.Quote(a.QuoteID) && r.Documents(a.SourceID)
				}
				return r.Documents(a.SourceID, a.DerivedID)
			},
			Keys:  []Key[commonplace.Alignment]{{Watched{What: "quote_id", Weak: true}, func(a *commonplace.Alignment) string { return a.QuoteID }}},
			Watch: watchAlignment,
		},
	})
	SentenceVectors = register(Entry[commonplace.SentenceVector]{
		Name: "sentence_vectors", Order: []string{"doc_id", "begin"}, Shard: "doc_id",
		Holds: "quotations, by quoting document and by source",
		About: "The sentences of all documents with their vectors, for the search for paraphrases. Sentences of fewer than `paraphrases.min_words` words and headings are left out. The table exists only if the config names `paraphrases.model`.",
		Verify: func(c *check.Row, r *commonplace.SentenceVector) {
			c.Span(r.DocID, "text", r.Begin, r.End, r.Text)
		},
	})
	ParaphraseMatches = register(Entry[commonplace.ParaphraseMatch]{
		Name: "paraphrase_matches", Order: []string{"derived_id", "derived_begin", "source_id"}, Shard: "derived_id",
		Holds: "quotations, by quoting document and by source",
		About: "Sentences of derived documents that say in other words what a sentence of a source says: in each source the most similar one, if its score is high enough. Rows are likely, not certain ([alignment.md](alignment.md#paraphrases)). Where `matches` has words of both sentences there is no row. No other table counts these rows.",
		Verify: func(c *check.Row, r *commonplace.ParaphraseMatch) {
			c.Span(r.DerivedID, "derived_text", r.DerivedBegin, r.DerivedEnd, r.DerivedText)
			c.Hold(r.DerivedID != r.SourceID, "%s paraphrases itself", r.DerivedID)
			c.Finite("score", r.Score)
		},
		Elsewhere: check.ParaphraseSides,
		Export: &Export[commonplace.ParaphraseMatch]{
			Row: "a sentence that says the same as one of another text", Ground: 7,
			Texts:   []string{"source_text", "derived_text"},
			Allowed: func(r Rights, m *commonplace.ParaphraseMatch) bool { return r.Documents(m.SourceID, m.DerivedID) },
			Watch: func(s Statistics, m *commonplace.ParaphraseMatch) {
				s.Measure("score of paraphrases", m.Score)
			},
		},
	})
	Clusters = register(Entry[commonplace.Cluster]{
		Name: "clusters", Order: []string{"doc_id", "begin", "end", "cluster"}, Shard: "doc_id",
		Holds: "quotations, by quoting document and by source",
		About: "The copies of passages that several documents have. All copies with the same `cluster` are copies of one passage: each is matched with another one, directly or through others. Two places of one document are one copy if they share at least two thirds of the longer place, or if they overlap and both are copies of the same third place. The table exists only if `label.datasets` has `clusters`.",
		Verify: func(c *check.Row, r *commonplace.Cluster) {
			c.Span(r.DocID, "text", r.Begin, r.End, r.Text)
			c.Hold(r.Copies >= 2 && r.Documents >= 2 && r.Documents <= r.Copies, "%d copies in %d documents", r.Copies, r.Documents)
			c.Hold(r.SourceBy == "" || slices.Contains(commonplace.SourceBys, r.SourceBy), "source_by is %q", r.SourceBy)
			c.Hold(r.LikelySource == (r.SourceBy != "" && r.SourceBy != commonplace.Undecided), "likely_source is %v by %q", r.LikelySource, r.SourceBy)
		},
		Export: &Export[commonplace.Cluster]{
			Row: "a copy of a passage that several documents have", Ground: 7,
			Texts:   []string{"text", "metadata"},
			Allowed: ofDocument(func(c *commonplace.Cluster) string { return c.DocID }),
			Watch: func(s Statistics, c *commonplace.Cluster) {
				s.Measure("documents per copy's cluster", float64(c.Documents))
			},
		},
	})
	Works = register(Entry[commonplace.Work]{
		Name: "works", Order: []string{"doc_id"}, Shard: "doc_id",
		Holds: "what must not cross splits",
		About: "Which source documents are editions of one work.",
		Verify: func(c *check.Row, r *commonplace.Work) {
			c.Hold(r.Work <= r.DocID, "work %q comes after its edition", r.Work)
			c.Hold(r.Editions >= 1, "%d editions", r.Editions)
		},
	})
	Groups = register(Entry[commonplace.Group]{
		Name: "groups", Order: []string{"doc_id", "source_begin", "source_end", "alignment_id"}, Shard: "doc_id",
		Holds: "what must not cross splits",
		About: "Which alignments must be in the same split. [datasets.md](datasets.md#what-stays-together) has the rule.",
		Verify: func(c *check.Row, r *commonplace.Group) {
			c.Hold(r.Group != "" && r.Work != "", "group is %q, work is %q", r.Group, r.Work)
		},
	})
	Examples = register(Entry[commonplace.Example]{
		Name: "examples", Order: []string{"doc_id", "quote_begin", "quote_end", "context_id"}, Shard: "doc_id",
		Holds:  "dataset `triples`",
		About:  "Training examples made from alignments: a context, the passage to find for it, and the words to find in the passage.",
		Verify: check.Example,
		Export: &Export[commonplace.Example]{
			Row:   "a quote in a book: its contexts, the paragraph that holds it, that paragraph's tags",
			Tasks: []string{"token-classification", "question-answering"}, Default: 4,
			Split:   func(e *commonplace.Example) string { return e.Split },
			Texts:   []string{"quote", "left_context", "right_context", "context", "passage_text", "span_text", "tokens", "pieces"},
			Allowed: ofDocument(func(e *commonplace.Example) string { return e.DocID }),
			Form:    writtenAs(map[string][]string{"tags": tagNames, "piece_tags": tagNames}, newExportedExample),
			Keys: []Key[commonplace.Example]{
				{Watched{What: "quote_id", Why: "no quote is in two splits (RA-MTR)", SplitBy: "quote"}, func(e *commonplace.Example) string { return e.QuoteID }},
				{Watched{What: "doc_id", Why: "no document is in two splits", SplitBy: "document"}, func(e *commonplace.Example) string { return e.DocID }},
			},
			Watch: func(s Statistics, e *commonplace.Example) {
				s.Measure("words per quote", float64(words(e.Quote)))
				s.Count("the quote crosses a paragraph's end", yes(e.CrossesBoundary))
			},
			SQuAD: func(e *commonplace.Example) Question {
				return Question{e.DocID, e.PassageID, e.PassageText, e.ID, e.Context, e.SpanText, e.SpanBegin}
			},
			CoNLL: func(e *commonplace.Example) (words, tags []string) { return e.Tokens, tagsOf(e.Tags) },
		},
	})
	// Choices are offered to the contexts of examples, SpanChoices to those of quoted spans.
	Choices = register(Entry[commonplace.Choice]{
		Name: "choices", Order: []string{"doc_id", "context_id", "place"}, Shard: "doc_id",
		Holds:  "dataset `triples`",
		About:  "Labelled candidates for the context of an example: the passages that contain its quote, and the negatives that `label.negatives` selects. To train a listwise ranker, use all rows of one context together. To train a reranker, use each row alone.",
		Verify: check.Choice,
		Export: exportChoices("a paragraph offered to a ranker with an example's context, right or wrong", ofDocument(documentOfChoice)),
	})
	Paraphrases = register(Entry[commonplace.Paraphrase]{
		Name: "paraphrases", Order: []string{"doc_id", "context_id"}, Shard: "doc_id",
		Holds: "dataset `triples`",
		About: "Contexts paraphrased by a language model that the config names. The table exists only with `label.paraphrase`.",
		Verify: func(c *check.Row, r *commonplace.Paraphrase) {
			c.Hold(r.Target != "" && r.Overlap >= 0 && r.Overlap <= 1, "overlap is %v", r.Overlap)
			c.Hold(r.Faithfulness == nil || *r.Faithfulness >= 0 && *r.Faithfulness <= 1, "faithfulness is not from 0 to 1")
		},
		Export: &Export[commonplace.Paraphrase]{
			Row:     "an example's context in other words, by a language model",
			Split:   func(p *commonplace.Paraphrase) string { return p.Split },
			Texts:   []string{"context", "target_context"},
			Allowed: ofDocument(func(p *commonplace.Paraphrase) string { return p.DocID }),
			Watch: func(s Statistics, p *commonplace.Paraphrase) {
				s.Share("share of words that paraphrase and context share", p.Overlap)
			},
		},
	})
	Queries = register(Entry[commonplace.Query]{
		Name: "queries", Order: []string{"doc_id", "span_begin", "span_end", "query_id"}, Shard: "doc_id",
		Holds: "dataset `queries`",
		About: "Quotations of transcripts in news articles, and the text of the article before the quotation. The table exists only with the dataset `queries`.",
		Verify: func(c *check.Row, r *commonplace.Query) {
			c.Span(r.DocID, "span", r.SpanBegin, r.SpanEnd, r.Span)
			c.Hold(len(r.PassageIDs) > 0, "no passage holds the span")
		},
		Elsewhere: check.QuerySides,
		Export: &Export[commonplace.Query]{
			Row:   "a quotation that an article makes of a transcript, and what was written before it",
			Tasks: []string{"text-retrieval"}, Default: 3,
			Split:   func(q *commonplace.Query) string { return q.Split },
			Texts:   []string{"title", "left_context", "context", "before", "after", "quote", "span"},
			Allowed: func(r Rights, q *commonplace.Query) bool { return r.Documents(q.ArticleID, q.DocID) },
			Keys: []Key[commonplace.Query]{
				{Watched{What: "doc_id", Why: "no transcript is in two splits (Quotus)"}, func(q *commonplace.Query) string { return q.DocID }},
				{Watched{What: "cluster_id", Why: "no cluster of quotes is in two splits (Quotus)"}, func(q *commonplace.Query) string { return q.ClusterID }},
				{Watched{What: "article_id", Weak: true}, func(q *commonplace.Query) string { return q.ArticleID }},
			},
			Day: func(q *commonplace.Query) string { return q.Date },
			Watch: func(s Statistics, q *commonplace.Query) {
				s.Measure("words per span", float64(words(q.Span)))
			},
		},
	})
	QuotedSpans = register(Entry[commonplace.QuotedSpan]{
		Name: "quoted_spans", Order: []string{"doc_id", "part_id"}, Shard: "doc_id",
		Holds: "dataset `queries`",
		About: "The spans that queries quote. Each row is the part of a span in one paragraph. The table has no negatives.",
		Verify: func(c *check.Row, r *commonplace.QuotedSpan) {
			c.Slice(commonplace.NewOffsets(r.PassageText), "passage_text", "span_text", r.SpanBegin, r.SpanEnd, r.SpanText)
		},
		Export: &Export[commonplace.QuotedSpan]{
			Row:     "the part of a query's span that one paragraph holds",
			Tasks:   []string{"question-answering"},
			Split:   func(q *commonplace.QuotedSpan) string { return q.Split },
			Texts:   []string{"context", "passage_text", "span_text"},
			Allowed: ofHiddenArticle(func(q *commonplace.QuotedSpan) string { return q.DocID }),
			Form:    writtenAs(nil, newExportedSpan),
			Watch: func(s Statistics, q *commonplace.QuotedSpan) {
				if n := words(q.PassageText); n > 0 {
					s.Share("share of its paragraph's words that a span has", float64(words(q.SpanText))/float64(n))
				}
			},
			SQuAD: func(q *commonplace.QuotedSpan) Question {
				return Question{q.DocID, q.PassageID, q.PassageText, q.ID, q.Context, q.SpanText, q.SpanBegin}
			},
		},
	})
	SpanChoices = register(Entry[commonplace.Choice]{
		Name: "span_choices", Order: []string{"doc_id", "context_id", "place"}, Shard: "doc_id",
		Holds:  "dataset `queries`",
		About:  "Labelled candidates for the context of each quoted span: the part's own paragraph, then negatives from the same transcript. To train a listwise ranker, or a reader with shared normalisation, use all rows of one context together.",
		Verify: check.Choice,
		Export: exportChoices("a paragraph offered to a ranker with a query's context, right or wrong", ofHiddenArticle(documentOfChoice)),
	})
	Agreements = register(Entry[commonplace.Agreement]{
		Name: "agreements", Order: []string{"doc_id", "quote_id"}, Shard: "doc_id",
		Holds: "dataset `queries`",
		About: "The alignments in the Quotus file, compared with ours. The table exists only if a quote list has alignments.",
		Verify: func(c *check.Row, r *commonplace.Agreement) {
			c.Span(r.DocID, "given_text", r.GivenBegin, r.GivenEnd, r.GivenText)
		},
		Export: &Export[commonplace.Agreement]{
			Row:     "a quote that the Quotus file aligned, beside our alignment",
			Texts:   []string{"text", "given_text"},
			Allowed: func(r Rights, a *commonplace.Agreement) bool { return r.Quote(a.QuoteID) && r.Documents(a.DocID) },
			Watch:   func(s Statistics, a *commonplace.Agreement) { s.Count("our alignment beside the file's", a.Verdict) },
		},
	})
	Windows = register(Entry[commonplace.Window]{
		Name: "windows", Order: []string{"source_id", "source_begin", "source_end", "derived_id", "derived_begin", "derived_end"}, Shard: "source_id",
		Holds: "datasets `windows`, `replies`",
		About: "Quotations of whole sentences with the sentences around them. The table exists only with the dataset `windows`.",
		Verify: func(c *check.Row, r *commonplace.Window) {
			c.Span(r.SourceID, "quote", r.SourceBegin, r.SourceEnd, r.Quote)
			c.Hold(r.LeftEnd <= r.DerivedBegin && r.DerivedBegin < r.DerivedEnd && r.DerivedEnd <= r.RightBegin, "contexts overlap the quotation")
			c.Hold(r.Sentences >= 1 && r.FirstSentence < r.Candidates, "sentence %d and %d more of a source with %d candidates", r.FirstSentence, r.Sentences-1, r.Candidates)
		},
		Elsewhere: check.WindowSides,
		Export: &Export[commonplace.Window]{
			Row:   "whole sentences quoted in a secondary source, with the sentences around them",
			Tasks: []string{"text-retrieval"}, Default: 2,
			Split:   func(w *commonplace.Window) string { return w.Split },
			Texts:   []string{"quote", "left", "right"},
			Allowed: func(r Rights, w *commonplace.Window) bool { return r.Documents(w.SourceID, w.DerivedID) },
			Keys: []Key[commonplace.Window]{
				{Watched{What: "source_id", Why: "no primary source is in two splits (RELiC)"}, func(w *commonplace.Window) string { return w.SourceID }},
				{Watched{What: "derived_id", Weak: true}, func(w *commonplace.Window) string { return w.DerivedID }},
			},
			Watch: watchWindow,
		},
	})
	Replies = register(Entry[commonplace.Reply]{
		Name: "replies", Order: []string{"conversation_id", "reply_id"}, Shard: "conversation_id",
		Holds: "datasets `windows`, `replies`",
		About: "For models that decide when and what to quote: the turns of a conversation, and what follows. The table exists only with the dataset `replies`.",
		Verify: func(c *check.Row, r *commonplace.Reply) {
			c.Hold((r.Label == "<quo>") == (r.Quotation >= 0), "label %s and quotation %d", r.Label, r.Quotation)
			c.Hold(r.Group != "", "no group")
		},
		Export: &Export[commonplace.Reply]{
			Row:   "what was said in a conversation, and how it went on: a quotation or not",
			Tasks: []string{"text-generation"}, Default: 1,
			Split:   func(r *commonplace.Reply) string { return r.Split },
			Texts:   []string{"turns", "target", "input", "output"},
			Allowed: ofConversations[commonplace.Reply],
			Form:    writtenAs(map[string][]string{"label": {"<gen>", "<quo>"}}, newExportedReply),
			Keys: []Key[commonplace.Reply]{
				{Watched{What: "conversation_id", Why: "no conversation is in two splits (when and what to quote)"}, func(r *commonplace.Reply) string { return r.ConversationID }},
				{Watched{What: "quotation", Weak: true}, quotationOf},
				{Watched{What: "group", Why: "no conversations that say the same are in two splits"}, func(r *commonplace.Reply) string { return r.Group }},
			},
			Watch: func(s Statistics, r *commonplace.Reply) {
				s.Count("label", r.Label)
				s.Measure("turns per reply", float64(len(r.Turns)))
			},
		},
	})
	QuoteCounts = register(Entry[commonplace.QuoteCount]{
		Name: "quote_counts", Order: []string{"doc_id", "index"}, Shard: "doc_id",
		Holds: "how often passages are quoted",
		About: "How often each passage was quoted. If `quotes[].by` and `spans[].by` say who quotes, it also says how often by readers and by editors. Every passage has a row. `count.overlap` says when a quotation counts for a passage.",
		Verify: func(c *check.Row, r *commonplace.QuoteCount) {
			c.PassageID(r.PassageID, r.DocID, r.Index)
			c.Hold(r.Readers >= 0 && r.Editors >= 0 && r.Readers+r.Editors <= r.Count, "count is %d, %d by readers and %d by editors", r.Count, r.Readers, r.Editors)
		},
		Export: &Export[commonplace.QuoteCount]{
			Row: "a passage, and how often it was quoted", Textless: true,
			Watch: func(s Statistics, c *commonplace.QuoteCount) { s.Measure("quotations per passage", float64(c.Count)) },
		},
	})
	Counted = register(Entry[commonplace.Counted]{
		Name: "counted", Order: []string{"doc_id", "index"}, Shard: "doc_id",
		Holds: "dataset `counts`",
		About: "Labelled passages with positional tokens and quote counts. A model can learn from each row alone. This table and the next three exist only with the dataset `counts`.",
		Verify: func(c *check.Row, r *commonplace.Counted) {
			c.PassageID(r.PassageID, r.DocID, r.Index)
			c.Hold(r.Count >= 0 && r.Fold >= 0, "count is %d, fold %d", r.Count, r.Fold)
		},
		Export: &Export[commonplace.Counted]{
			Row:   "a passage with positional tokens, and how often it was quoted",
			Tasks: []string{"text-classification"}, Default: 5,
			Split:   func(c *commonplace.Counted) string { return fold(c.Fold) },
			Texts:   []string{"marked"},
			Allowed: ofDocument(func(c *commonplace.Counted) string { return c.DocID }),
			Keys:    oneFold(func(c *commonplace.Counted) string { return c.DocID }),
		},
	})
	Sequences = register(Entry[commonplace.Sequence]{
		Name: "sequences", Order: []string{"doc_id", "sequence_id"}, Shard: "doc_id",
		Holds: "dataset `counts`",
		About: "Runs of neighbouring passages. Each run has as many passages as fit into one model input. A passage that the tokenizer [refuses](limits.md#texts-that-a-tokenizer-refuses) is in `rejects` instead, and the run continues with the next passage.",
		Verify: func(c *check.Row, r *commonplace.Sequence) {
			c.Hold(len(r.PassageIDs) == len(r.Marked) && len(r.Marked) == len(r.Counts), "%d passages, %d texts, %d counts", len(r.PassageIDs), len(r.Marked), len(r.Counts))
		},
		Export: &Export[commonplace.Sequence]{
			Row:     "a run of neighbouring passages, and how often each was quoted",
			Split:   func(s *commonplace.Sequence) string { return fold(s.Fold) },
			Texts:   []string{"marked"},
			Allowed: ofDocument(func(s *commonplace.Sequence) string { return s.DocID }),
			Keys:    oneFold(func(s *commonplace.Sequence) string { return s.DocID }),
			Watch: func(s Statistics, r *commonplace.Sequence) {
				s.Measure("passages per sequence", float64(len(r.Counts)))
			},
		},
	})
	Pairs = register(Entry[commonplace.Pair]{
		Name: "pairs", Order: []string{"doc_id", "more_id", "less_id"}, Shard: "doc_id",
		Holds: "dataset `counts`",
		About: "Pairs of passages of one document. The first is quoted more often than the second.",
		Verify: func(c *check.Row, r *commonplace.Pair) {
			c.Hold(r.MoreCount > r.LessCount, "%d is not more than %d", r.MoreCount, r.LessCount)
		},
		Export: &Export[commonplace.Pair]{
			Row:     "two passages of a document of which the first is quoted more",
			Tasks:   []string{"text-ranking"},
			Split:   func(p *commonplace.Pair) string { return fold(p.Fold) },
			Texts:   []string{"more_marked", "less_marked"},
			Allowed: ofDocument(func(p *commonplace.Pair) string { return p.DocID }),
			Keys:    oneFold(func(p *commonplace.Pair) string { return p.DocID }),
		},
	})
	// Attributes are of the whole run: one shard.
	Attributes = register(Entry[commonplace.Attribute]{
		Name: "attributes", Order: []string{"number"}, Shard: "feature",
		Holds: "dataset `counts`",
		About: "How the most quoted passages differ from the least quoted, feature by feature.",
		Verify: func(c *check.Row, r *commonplace.Attribute) {
			c.Hold(r.P >= 0 && r.P <= 1, "p is %v", r.P)
		},
		Export: &Export[commonplace.Attribute]{Row: "a feature, compared between the most and the least quoted passages", Textless: true},
	})
	// Language is of the whole run: one shard.
	Language = register(Entry[commonplace.NGram]{
		Name: "language", Order: []string{"term", "fold"}, Shard: "term",
		Holds: "dataset `counts`",
		About: "Term weights: how much likelier each word, and each pair of words, is in quoted text. They come from language models of what is quoted and of all text. The table exists only with `label.counts.language`.\n\nFor a passage of fold k use the rows of fold k. Their weights are computed without the quotations of that fold's documents. One exception remains: a document of another fold may contain the same words and be quoted for them. The list of terms comes from the text of all folds. For a new text use the rows of fold -1.",
		Verify: func(c *check.Row, r *commonplace.NGram) {
			c.Hold(r.Fold >= -1 && r.Passages >= 1 && r.Background >= 0 && r.Quotable >= 0, "fold %d, %d passages, %d times, %v quotable", r.Fold, r.Passages, r.Background, r.Quotable)
			c.Finite("weight", r.Weight)
		},
		Export: &Export[commonplace.NGram]{
			Row:     "a word or a pair of words, in quoted text and in all text, with one fold left out or none",
			Texts:   []string{"term"},
			Allowed: func(r Rights, n *commonplace.NGram) bool { return n.Passages >= ofMany || r.AllDocuments() },
		},
	})
	Scores = register(Entry[commonplace.Score]{
		Name: "scores", Order: []string{"doc_id", "index"}, Shard: "doc_id",
		Holds: "what models say",
		About: "The score that a model gives each passage, and why. A passage that the model's tokenizer [refuses](limits.md#texts-that-a-tokenizer-refuses) is in `rejects` instead, and has no rank.",
		Verify: func(c *check.Row, r *commonplace.Score) {
			c.PassageID(r.PassageID, r.DocID, r.Index)
			c.Finite("score", r.Score)
			c.Line(r.DocID, r.BestBegin, r.BestEnd, r.BestText, r.BestScore)
		},
	})
	Rankings = register(Entry[commonplace.Ranking]{
		Name: "rankings", Order: []string{"doc_id", "index"}, Shard: "doc_id",
		Holds:  "what models say",
		About:  "The passages with their ranks. Rows are in the order of the documents, not of the ranks. Sort by `rank_overall` to see the best first. Sort by `rank_balanced` to see the best passage of every book first, then the second best of every book, and so on ([rankings.md](rankings.md#over-a-library)).\n\n`commonplace diff` compares them with those of the [version before](operation.md#what-readers-get).",
		Verify: check.Ranking,
	})
	// Recommendations are candidates for the contexts of a dataset.
	Recommendations = register(Entry[commonplace.Recommendation]{
		Name: "recommendations", Order: []string{"dataset", "doc_id", "context_id", "place"}, Shard: "doc_id",
		Holds:    "what models say",
		About:    "For configs with `recommend`: for each context of a dataset, its candidates, best first. Contexts are those of `examples`, `queries`, `windows` and the `<quo>` rows of `replies`. `parts` has each model's own score, so that weights can be changed without running a model again. `commonplace tune` finds good weights. A context or candidate that the tokenizer of a model [refuses](limits.md#texts-that-a-tokenizer-refuses) is in `rejects` instead.",
		Sequence: check.Recommendation,
	})
	QuotePredictions = register(Entry[commonplace.QuotePrediction]{
		Name: "quote_predictions", Order: []string{"conversation_id", "reply_id"}, Shard: "conversation_id",
		Holds: "what models say",
		About: "For configs with `recommend.when`: how likely a quotation follows each conversation, for all rows of `replies`. A reply that the model's tokenizer [refuses](limits.md#texts-that-a-tokenizer-refuses) is in `rejects` instead.",
		Verify: func(c *check.Row, r *commonplace.QuotePrediction) {
			c.Hold(0 <= r.Probability && r.Probability <= 1, "probability is %v", r.Probability)
			c.Hold(r.Label == "<quo>" || r.Label == "<gen>", "label is %s", r.Label)
		},
	})
	// Evaluations are of the whole run: one shard.
	Evaluations = register(Entry[commonplace.Evaluation]{
		Name: "evaluations", Order: []string{"number"}, Shard: "system",
		Holds: "what models say",
		About: "For configs with `evaluate`: how good the rankings and recommendations are, by the metrics of each dataset's paper, beside baselines and the paper's own figures. Each has an interval and a test. What taught a model is left out or said. `commonplace eval` prints the table.",
		Verify: func(c *check.Row, r *commonplace.Evaluation) {
			c.Hold((r.Value == nil) == (r.Low == nil) && (r.Low == nil) == (r.High == nil), "value, low and high are not all there or all null")
			if r.Value != nil {
				c.Finite("value", *r.Value)
				c.Hold(*r.Low <= *r.High && r.N > 0, "interval [%v, %v] of %d", *r.Low, *r.High, r.N)
			}
			c.Hold(r.P == nil || *r.P >= 0 && *r.P <= 1+1e-9, "p is %v", r.P)
		},
		Export: &Export[commonplace.Evaluation]{Row: "a figure: a system, a dataset, a metric", Textless: true},
	})
	// Rejects are sharded as the task that refused them, and two may be equal.
	Rejects = register(Entry[commonplace.Reject]{
		Name: "rejects", Order: []string{"stage", "id", "location", "reason", "detail"}, Duplicates: true,
		Holds: "what was refused",
		About: "What was rejected, in one folder for each stage: `rejects/crawl`, `rejects/align` and so on. The reasons are in [rejects.md](rejects.md). For every stage, in = out + rejected; the [commit record](#records) has the numbers. Read one stage's folder, or `rejects` for all of them. Two rows may be equal. A file of very many broken lines gets a thousand rows for each reason, and one that says how many more there are ([limits.md](limits.md#many-rejects)).",
	})
)
