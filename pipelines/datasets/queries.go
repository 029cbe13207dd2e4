package datasets

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/pipelines/quotes"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/segment"
	"github.com/commonplace/commonplace/table"
)

// Queries makes queries of what articles quote of transcripts.
type Queries struct{}

func (Queries) Identity() engine.Identity {
	return engine.Identity{
		Name: "query", Table: "queries", Revision: 3, Group: "label",
		Keys:  map[string]string{"": "label.queries"},
		Short: "make queries from articles' quotations of transcripts",
		Unit:  "alignments",
	}
}

func (Queries) Enabled(c *config.Config) bool {
	return c.HasSources() && config.Makes(config.DataQueries)(c)
}

func (Queries) Settings(c *config.Config) any { return c.Label.Queries }

func (Queries) Plan(_ context.Context, p *engine.Planner) (engine.Deps, error) {
	inputs := engine.And(engine.SameShard("passages", "alignments"), engine.Whole("documents"))
	if (quotes.Match{}).Enabled(p.Config) {
		inputs = engine.And(inputs, engine.Whole("matches"))
	}
	return engine.Deps{Inputs: inputs}, nil
}

func (Queries) Check(ctx context.Context, out string, c table.Commit) (engine.Checks, error) {
	return checkQueries(ctx, out, c)
}

func (Queries) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s config.Queries
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	refused, err := refusedArticles(ctx, t, s.Dates())
	if err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Queries, func(o *engine.Output[commonplace.Query]) error {
		return join.EachBatch(ctx, t, func(b *join.Batch) error {
			return makeQueries(o, b, refused, s.Dates())
		})
	})
}

// makeQueries makes the queries of a batch of transcripts. Refused articles, by id,
// make none.
func makeQueries(o *engine.Output[commonplace.Query], b *join.Batch, refused map[string]string, dates label.DateSplit) error {
	clusters := clustersOf(o, b.Sources, refused)
	var rows []commonplace.Query
	err := b.EachPair(func(article commonplace.Document, sentences func() []commonplace.Passage, source *join.Source, alignments []commonplace.Alignment) error {
		if refused[article.ID] != "" {
			return nil
		}
		queries, _, rejects := label.Queries(article, sentences(), source.Doc, source.Passages, alignments, clusters, source.Doc.Date, dates)
		rows = append(rows, queries...)
		for _, r := range rejects {
			o.Reject(r)
		}
		o.In += int64(len(alignments))
		o.Taken += int64(len(queries))
		return nil
	}, segment.BySentences)
	if err != nil {
		return err
	}
	slices.SortFunc(rows, func(a, b commonplace.Query) int {
		return cmp.Or(cmp.Compare(a.DocID, b.DocID), cmp.Compare(a.SpanBegin, b.SpanBegin), cmp.Compare(a.SpanEnd, b.SpanEnd), cmp.Compare(a.ID, b.ID))
	})
	for _, q := range rows {
		o.Count("in_"+q.Split, 1)
		if err := o.Put(q); err != nil {
			return err
		}
	}
	return nil
}

// clustersOf are the clusters of alignments of each transcript, by alignment. What
// refused articles quote is in none, and is counted.
func clustersOf(o *engine.Output[commonplace.Query], sources []*join.Source, refused map[string]string) map[string]string {
	clusters := map[string]string{}
	for _, s := range sources {
		var taken []commonplace.Alignment
		for _, a := range s.Alignments {
			switch refused[a.DerivedID] {
			case "":
				taken = append(taken, a)
			case inTwoSplits:
				o.Count("in_articles_of_two_splits", 1)
			default:
				o.Count("in_refused_articles", 1)
			}
		}
		maps.Copy(clusters, label.Clusters(taken))
	}
	return clusters
}

// articleFacts are what decides whether an article is taken.
type articleFacts struct {
	id         string
	characters int64
	body       [sha256.Size]byte
}

var lastRefused worker.Memo[map[string]string]

// inTwoSplits is why an article is dropped that quotes transcripts of two splits. Its text
// would be in both. The paper chose its days so that there is none.
const inTwoSplits = "quotes transcripts of two splits"

// refusedArticles are the articles that Quotus drops, by id, with the reason.
func refusedArticles(ctx context.Context, t engine.Task, dates label.DateSplit) (map[string]string, error) {
	return lastRefused.Get(ctx, fmt.Sprint(t.InputsKey("documents"), t.InputsKey("matches"), dates), func() (map[string]string, error) {
		located, quoted := map[string]int{}, map[string][]string{}
		for _, path := range t.Paths("matches") {
			for m, err := range table.Matches.Rows(ctx, path, "derived_id", "source_id") {
				if err != nil {
					return nil, err
				}
				located[m.DerivedID]++
				if !slices.Contains(quoted[m.DerivedID], m.SourceID) {
					quoted[m.DerivedID] = append(quoted[m.DerivedID], m.SourceID)
				}
			}
		}
		var all []articleFacts
		splitOf := map[string]string{} // of transcripts whose day is in a split
		var mu sync.Mutex
		err := engine.ForEach(ctx, t.Paths("documents"), func(path string) error {
			for doc, err := range table.Documents.Rows(ctx, path, "doc_id", "text", "characters", "role", "date") {
				if err != nil {
					return err
				}
				if split, err := dates.Of(doc.Date); err == nil {
					mu.Lock()
					splitOf[doc.ID] = split
					mu.Unlock()
				}
				if quotes.Quoting(&doc) {
					facts := articleFacts{doc.ID, doc.Characters, sha256.Sum256([]byte(doc.Text))}
					mu.Lock()
					all = append(all, facts)
					mu.Unlock()
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		slices.SortFunc(all, func(a, b articleFacts) int { return strings.Compare(a.id, b.id) })
		refused := map[string]string{}
		var filter label.ArticleFilter
		for _, a := range all {
			if why := filter.Refuses(a.id, a.characters, a.body, located[a.id]); why != "" {
				refused[a.id] = why
			} else if !oneSplit(quoted[a.id], splitOf) {
				refused[a.id] = inTwoSplits
			}
		}
		return refused, nil
	})
}

// oneSplit says that all transcripts that are in a split are in the same one.
func oneSplit(transcripts []string, splitOf map[string]string) bool {
	first := ""
	for _, id := range transcripts {
		if split := splitOf[id]; split != "" && first != "" && split != first {
			return false
		}
		first = cmp.Or(first, splitOf[id])
	}
	return true
}

// QuotedSpans cuts the queries' spans by paragraph.
type QuotedSpans struct{}

func (QuotedSpans) Identity() engine.Identity {
	return engine.Identity{
		Name: "span", Table: "quoted_spans", Revision: 1, Group: "label",
		Short: "split quoted spans by paragraph",
		Unit:  "queries",
	}
}

func (QuotedSpans) Enabled(c *config.Config) bool { return Queries{}.Enabled(c) }

func (QuotedSpans) Settings(*config.Config) any { return struct{}{} }

func (QuotedSpans) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.SameShard("documents", "passages", "queries")}, nil
}

func (QuotedSpans) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	return engine.WriteShard(ctx, t, table.QuotedSpans, func(o *engine.Output[commonplace.QuotedSpan]) error {
		queries := join.Open(ctx, table.Queries, t.Path("queries"), func(q *commonplace.Query) string { return q.DocID })
		defer queries.Stop()
		passages := join.Open(ctx, table.Passages, t.Path("passages"), func(p *commonplace.Passage) string { return p.DocID })
		defer passages.Stop()
		for doc, err := range table.Documents.Rows(ctx, t.Path("documents"), "doc_id", "text", "characters") {
			if err != nil {
				return err
			}
			cut, err := passages.Of(doc.ID)
			if err != nil {
				return err
			}
			asked, err := queries.Of(doc.ID)
			if err != nil {
				return err
			}
			spans := label.QuotedSpans(doc, cut, asked)
			slices.SortFunc(spans, func(a, b commonplace.QuotedSpan) int { return strings.Compare(a.ID, b.ID) })
			if err := o.PutAll(spans, nil); err != nil {
				return err
			}
			o.In += int64(len(asked)) - 1
			o.Taken += int64(len(asked)) - 1
		}
		if err := queries.End(); err != nil {
			return err
		}
		return passages.End()
	})
}
