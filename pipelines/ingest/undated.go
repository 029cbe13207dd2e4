package ingest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/pairs"
	"github.com/commonplace/commonplace/table"
)

// undated begins the counters of documents whose date cannot be read, by source.
const undated = "undated: "

// isUndated says that a document has a date and that nobody can tell which.
func isUndated(d *commonplace.Document) bool {
	_, _, known := pairs.Days(d.Date)
	return strings.TrimSpace(d.Date) != "" && !known
}

// Notes says of each source how many documents its conditions leave out, and of how many the
// date cannot be read, with an example.
func (Crawl) Notes(ctx context.Context, out string, c table.Commit) ([]string, error) {
	counts := map[string]int64{}
	for name, n := range c.Counts {
		if source, is := strings.CutPrefix(name, undated); is {
			counts[source] = n
		}
	}
	examples := map[string]commonplace.Document{}
	for _, path := range c.ShardPaths(out) {
		if len(examples) == len(counts) {
			break
		}
		for doc, err := range table.Documents.Rows(ctx, path, "doc_id", "source", "date") {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			if _, there := examples[doc.Source]; !there && isUndated(&doc) {
				examples[doc.Source] = doc
			}
			if len(examples) == len(counts) {
				break
			}
		}
	}
	notes := leftOutNotes(c)
	for _, source := range slices.Sorted(maps.Keys(counts)) {
		d := examples[source]
		which, they := "the dates of %s cannot be read, such as", "these documents count"
		if counts[source] == 1 {
			which, they = "the date of %s cannot be read:", "it counts"
		}
		notes = append(notes, fmt.Sprintf("%s: "+which+" %.60q of %s; %s as undated", source, commonplace.CountOf(counts[source], "document"), d.Date, d.ID, they))
	}
	return notes, nil
}
