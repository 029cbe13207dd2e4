package pipelines

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/language"
	"github.com/commonplace/commonplace/crawl/quality"
	"github.com/commonplace/commonplace/table"
)

// crawlStage reads the sources into documents. A container such as a zip or a
// list holds many documents, so the stage is sharded by document: what a task
// reads are items of all sources, in the order of their ids.
var crawlStage = &stage{
	name: "crawl", table: "documents", revision: 5,
	short:    "read the sources into documents",
	unit:     "inputs",
	wanted:   documented,
	settings: sourceSettings,
	before:   fetchAll,
	outside:  listSources,
	make:     makeDocuments,
}

// sourceSettings are the sources by name, so that one more or one less is no
// change of the others.
func sourceSettings(c *Config) any {
	byName := map[string]Source{}
	for _, s := range c.Sources {
		byName[s.Name] = s
	}
	return byName
}

// listSources names every document with a hash of what it is made from, so that
// a changed, added or removed one rebuilds its shard and nothing else. It keeps
// names: some hundred bytes a document, however long the texts.
func listSources(c *Config) (outside, error) {
	var all []item
	var notes []string
	for i, s := range c.Sources {
		said, err := originOf(c, s).list(context.Background(), s, func(it item) {
			it.Source = s.Name
			all = append(all, it)
		})
		if err != nil {
			return outside{}, fmt.Errorf("%w: %s: sources[%d].%w", ErrConfig, c.where(fmt.Sprintf("sources[%d]", i)), i, err)
		}
		for _, n := range said {
			notes = append(notes, "source "+s.Name+": "+n)
		}
	}
	slices.SortStableFunc(all, func(a, b item) int { return strings.Compare(a.ID, b.ID) })
	markTwins(all)
	byShard := make([][]item, c.Shards)
	for _, it := range all {
		k := table.ShardOf(cmp.Or(it.ID, it.Source+"\x00"+it.Rel), c.Shards) // a broken line has no id
		byShard[k] = append(byShard[k], it)
	}
	return outside{
		notes: notes,
		contents: func(shard, _ int) string {
			var b strings.Builder
			for _, it := range byShard[shard] {
				fmt.Fprintf(&b, "%q %q %q %q %q\n", it.Source, it.ID, it.Rel, it.SHA256, it.Twin)
			}
			return b.String()
		},
		extra: func(shard, _ int) json.RawMessage { return mustJSON(byShard[shard]) },
	}, nil
}

// markTwins finds items whose id an earlier one has. They are sorted by id.
func markTwins(all []item) {
	first := 0
	for i := range all {
		if i == 0 || all[i].ID != all[first].ID || all[first].Reject != nil || all[first].Twin != "" {
			first = i
			continue
		}
		if all[i].ID != "" && all[i].Reject == nil && all[i].Twin == "" {
			all[i].Twin = all[first].Source + ": " + all[first].Rel
		}
	}
}

func makeDocuments(ctx context.Context, t Task) (table.TaskRecord, error) {
	var sources map[string]Source
	if err := t.decode(&sources); err != nil {
		return table.TaskRecord{}, err
	}
	var list []item
	if err := json.Unmarshal(t.Extra, &list); err != nil {
		return table.TaskRecord{}, err
	}
	return output(ctx, t, table.Documents, func(o *out[commonplace.Document]) (err error) {
		readers := openSources(sources, list)
		defer func() {
			for _, r := range readers {
				err = errors.Join(err, r.close())
			}
		}()
		for _, it := range list {
			o.in += 1 + it.Untold
			o.untold += it.Untold
			doc, reject := readItem(ctx, readers[it.Source], sources[it.Source], it)
			if err := ctx.Err(); err != nil {
				return err
			}
			if reject != nil {
				// The path is this machine's: the row names the source and the place in it.
				reject.Location = it.Source + ": " + it.Rel
				o.refuse(*reject)
				continue
			}
			if err := o.put(doc); err != nil {
				return err
			}
			o.taken++
		}
		return nil
	})
}

// openSources gives each source of a task's items its reader.
func openSources(sources map[string]Source, list []item) map[string]reader {
	bySource := map[string][]item{}
	for _, it := range list {
		if it.Twin == "" && it.Reject == nil {
			bySource[it.Source] = append(bySource[it.Source], it)
		}
	}
	readers := map[string]reader{}
	for name, items := range bySource {
		s := sources[name]
		if items[0].Fetched {
			readers[name] = networkReader(networks[s.Kind], s)
			continue
		}
		readers[name] = origins[s.Kind].open(s, items)
	}
	return readers
}

// readItem reads one document and gives it what the source says of all of them.
func readItem(ctx context.Context, r reader, s Source, it item) (commonplace.Document, *commonplace.Reject) {
	switch {
	case it.Reject != nil:
		return commonplace.Document{}, it.Reject
	case it.Twin != "":
		return commonplace.Document{}, &commonplace.Reject{ID: it.ID, Reason: "duplicate id", Detail: it.Twin + " has this id already"}
	}
	doc, reject := r.read(ctx, it)
	if reject != nil {
		return doc, reject
	}
	if doc.ID != it.ID {
		return doc, &commonplace.Reject{ID: it.ID, Reason: "unreadable", Detail: fmt.Sprintf("it was listed under this id and says now that it is %q; run again", doc.ID)}
	}
	doc.Source, doc.Role = s.Name, s.Role
	doc.Rights = cmp.Or(doc.Rights, s.Rights)
	tellLanguage(&doc, s)
	doc.KnownWords = quality.KnownWords(doc.Text)
	return doc, nil
}

// tellLanguage says a document's language, and how it is known: from the source,
// from the config, or from the text.
func tellLanguage(doc *commonplace.Document, s Source) {
	switch {
	case doc.Language != "":
		doc.LanguageReason = "source"
	case s.Language != "":
		doc.Language, doc.LanguageReason = s.Language, "config"
	default:
		if doc.Language = language.Identify(doc.Text); doc.Language != "" {
			doc.LanguageReason = "identified"
		}
	}
}
