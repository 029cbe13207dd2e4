package datasets

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/label/group"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// noLeak refuses a table in which what must stay together is in two splits.
func noLeak(h engine.Checks, checks ...*label.LeakCheck) (engine.Checks, error) {
	for _, c := range checks {
		if err := c.Err(); err != nil {
			return nil, err
		}
		h[c.What()+"s_in_one_split"] = int64(c.Keys())
	}
	return h, nil
}

// checkExamples: no quote, no group, and no character of a source in two splits.
func checkExamples(ctx context.Context, out string, c table.Commit) (engine.Checks, error) {
	var s triplesSettings
	if err := json.Unmarshal(c.Config, &s); err != nil {
		return nil, err
	}
	if s.Split.By == label.ByExample {
		return engine.Checks{}, nil // as the paper does: leaks are part of it
	}
	documents, works := label.NewLeakCheck("document"), label.NewLeakCheck("work")
	quotes, texts, groups := label.NewLeakCheck("quote"), label.NewLeakCheck("quoted text"), label.NewLeakCheck("group")
	spans := label.NewSpanCheck()
	look := func(doc string, grouped []commonplace.Group, examples []commonplace.Example) {
		byID := make(map[string]commonplace.Group, len(grouped))
		for _, g := range grouped {
			byID[g.AlignmentID] = g
		}
		for _, e := range examples {
			if s.Split.By == label.ByDocument {
				documents.Add(doc, e.Split)
				works.Add(byID[e.ID].Work, e.Split)
				continue
			}
			quotes.Add(e.QuoteID, e.Split)
			groups.Add(byID[e.ID].Group, e.Split)
			if text := label.Normalise(e.Quote); text != "" { // marks alone are equal to nothing
				texts.Add(text, e.Split)
			}
			spans.Add(doc, e.QuoteBegin, e.QuoteEnd, e.Split)
		}
	}
	grouped, err := engine.CommitOf(ctx, out, table.Groups.Name)
	if err != nil {
		return nil, err
	}
	if len(grouped.Shards) != len(c.Shards) {
		return nil, fmt.Errorf("table %s has %d shards where %d are wanted", table.Groups.Name, len(grouped.Shards), len(c.Shards))
	}
	groupedPaths := grouped.ShardPaths(out)
	for k, path := range c.ShardPaths(out) {
		if c.Shards[k].Rows == 0 {
			continue
		}
		if err := lookAtExamples(ctx, path, groupedPaths[k], look); err != nil {
			return nil, err
		}
	}
	if s.Split.By == label.ByDocument {
		return noLeak(engine.Checks{}, documents, works)
	}
	h, err := noLeak(engine.Checks{}, quotes, groups, texts)
	if err == nil {
		err = spans.Err()
	}
	if err != nil {
		return nil, err
	}
	h["stretches_in_one_split"] = int64(spans.Regions())
	return h, nil
}

// lookAtExamples looks at the examples of each document of a shard with their groups.
func lookAtExamples(ctx context.Context, examples, groups string, look func(doc string, grouped []commonplace.Group, examples []commonplace.Example)) error {
	made := join.Open(ctx, table.Examples, examples, func(e *commonplace.Example) string { return e.DocID }, "context_id", "quote_id", "doc_id", "quote", "quote_begin", "quote_end", "split")
	defer made.Stop()
	of := join.Open(ctx, table.Groups, groups, func(g *commonplace.Group) string { return g.DocID }, "alignment_id", "doc_id", "group", "work")
	defer of.Stop()
	err := of.Each(func(doc string, rows []commonplace.Group) error {
		found, err := made.Of(doc)
		if err == nil {
			look(doc, rows, found)
		}
		return err
	})
	if err != nil {
		return err
	}
	return made.End()
}

// rowsOf reads one shard of another table of the run.
func rowsOf[T any](ctx context.Context, t *table.Table[T], out string, k, of int, columns ...string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		c, err := engine.CommitOf(ctx, out, t.Name)
		if err == nil && len(c.Shards) != of {
			err = fmt.Errorf("table %s has %d shards where %d are wanted", t.Name, len(c.Shards), of)
		}
		if err != nil {
			yield(none, err)
			return
		}
		for row, err := range t.Rows(ctx, storage.Join(out, c.Folder(), c.Shards[k].File), columns...) {
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// committedWorks are the works of the documents of a shard.
func committedWorks(ctx context.Context, out string, k, of int) (map[string]string, error) {
	byID := map[string]string{}
	for w, err := range rowsOf(ctx, table.Works, out, k, of, "doc_id", "work") {
		if err != nil {
			return nil, err
		}
		byID[w.DocID] = w.Work
	}
	return byID, nil
}

// checkFolds holds a table of passage counts: no document and no work in two folds.
func checkFolds[T any](ctx context.Context, t *table.Table[T], of func(*T) (docID string, fold int64)) func(string, table.Commit) (engine.Checks, error) {
	return func(out string, c table.Commit) (engine.Checks, error) {
		documents, works := label.NewLeakCheck("document"), label.NewLeakCheck("work")
		folds := map[int64]bool{}
		for k, path := range c.ShardPaths(out) {
			byID, err := committedWorks(ctx, out, k, len(c.Shards))
			if err != nil {
				return nil, err
			}
			for row, err := range t.Rows(ctx, path, "doc_id", "fold") {
				if err != nil {
					return nil, err
				}
				doc, fold := of(&row)
				folds[fold] = true
				documents.Add(doc, fmt.Sprint("fold ", fold))
				works.Add(byID[doc], fmt.Sprint("fold ", fold))
			}
		}
		return noLeak(engine.Checks{"folds": int64(len(folds))}, documents, works)
	}
}

// checkCounted: with folds by author no author in two folds, either. Here an author
// is all words of the name in alphabetical order, which Charles Dickens and Dickens,
// Charles, 1812-1870 share.
func checkCounted(ctx context.Context, out string, c table.Commit) (engine.Checks, error) {
	h, err := checkFolds(ctx, table.Counted, func(r *commonplace.Counted) (string, int64) { return r.DocID, r.Fold })(out, c)
	var s markSettings
	if err == nil {
		err = json.Unmarshal(c.Config, &s)
	}
	if err != nil || s.FoldsBy != config.FoldsByAuthor {
		return h, err
	}
	authors := label.NewLeakCheck("author")
	for k, path := range c.ShardPaths(out) {
		byID := map[string]string{}
		for d, err := range rowsOf(ctx, table.Documents, out, k, len(c.Shards), "doc_id", "author") {
			if err != nil {
				return nil, err
			}
			words := strings.FieldsFunc(strings.ToLower(d.Author), func(r rune) bool { return !unicode.IsLetter(r) })
			slices.Sort(words)
			byID[d.ID] = strings.Join(words, " ")
		}
		for row, err := range table.Counted.Rows(ctx, path, "doc_id", "fold") {
			if err != nil {
				return nil, err
			}
			if author := byID[row.DocID]; author != "" && len(group.AuthorNames(author)) > 0 { // various are nobody
				authors.Add(author, fmt.Sprint("fold ", row.Fold))
			}
		}
	}
	return noLeak(h, authors)
}

// checkQueries: no transcript, no cluster and no article in two splits, and the splits'
// days follow one another.
func checkQueries(ctx context.Context, out string, c table.Commit) (engine.Checks, error) {
	documents, clusters, articles := label.NewLeakCheck("document"), label.NewLeakCheck("cluster"), label.NewLeakCheck("article")
	days := label.NewDayCheck()
	for _, path := range c.ShardPaths(out) {
		for q, err := range table.Queries.Rows(ctx, path, "doc_id", "cluster_id", "article_id", "date", "split") {
			if err != nil {
				return nil, err
			}
			documents.Add(q.DocID, q.Split)
			clusters.Add(q.ClusterID, q.Split)
			articles.Add(q.ArticleID, q.Split)
			days.Add(q.Date, q.Split)
		}
	}
	h, err := noLeak(engine.Checks{}, documents, clusters, articles)
	if err == nil {
		err = days.Err()
	}
	if err != nil {
		return nil, err
	}
	h["days_in_one_split"] = int64(days.Days())
	return h, nil
}

// checkWindows: no primary source and no work in two splits.
func checkWindows(ctx context.Context, out string, c table.Commit) (engine.Checks, error) {
	sources, works := label.NewLeakCheck("primary source"), label.NewLeakCheck("work")
	for k, path := range c.ShardPaths(out) {
		byID, err := committedWorks(ctx, out, k, len(c.Shards))
		if err != nil {
			return nil, err
		}
		for w, err := range table.Windows.Rows(ctx, path, "source_id", "split") {
			if err != nil {
				return nil, err
			}
			sources.Add(w.SourceID, w.Split)
			works.Add(byID[w.SourceID], w.Split)
		}
	}
	return noLeak(engine.Checks{}, sources, works)
}

// checkReplies: no conversation, no group of them, and nothing that was said word
// for word, in two splits.
func checkReplies(ctx context.Context, out string, c table.Commit) (engine.Checks, error) {
	conversations, groups, texts := label.NewLeakCheck("conversation"), label.NewLeakCheck("conversation group"), label.NewLeakCheck("conversation text")
	for _, path := range c.ShardPaths(out) {
		for r, err := range table.Replies.Rows(ctx, path, "conversation_id", "turns", "label", "group", "split") {
			if err != nil {
				return nil, err
			}
			conversations.Add(r.ConversationID, r.Split)
			groups.Add(r.Group, r.Split)
			if text := label.Normalise(strings.Join(r.Turns, " ")); text != "" && r.Label == label.Quo { // else a greeting that many begin with
				texts.Add(text, r.Split)
			}
		}
	}
	return noLeak(engine.Checks{}, conversations, groups, texts)
}
