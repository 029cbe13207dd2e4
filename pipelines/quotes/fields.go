package quotes

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/table"
)

// mostFields are more names than a message has room for.
const mostFields = 20

// checkFields refuses a field of align.pairs.differ or align.metadata that no document has: a
// wrong name would forbid no pair, and be empty everywhere. It reads documents until each field
// was seen once.
func checkFields(ctx context.Context, cfg *config.Config, c collection) error {
	unseen := map[string]bool{}
	for _, name := range slices.Concat(c.pairs.Differ, c.metadata) {
		if !slices.Contains(columns, name) {
			unseen[name] = true
		}
	}
	there, documents := map[string]bool{}, 0
	for shard := range c.shards {
		if len(unseen) == 0 {
			return nil
		}
		for doc, err := range table.Documents.Rows(ctx, c.path(shard), "metadata") {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			documents++
			for _, f := range doc.Metadata {
				delete(unseen, f.Name)
				there[f.Name] = true
			}
			if len(unseen) == 0 {
				return nil
			}
		}
	}
	if documents == 0 {
		return nil
	}
	key, names := cfg.Written("align.pairs.differ"), c.pairs.Differ
	if !slices.ContainsFunc(names, func(name string) bool { return unseen[name] }) {
		key, names = "align.metadata", c.metadata
	}
	for _, name := range names {
		if unseen[name] {
			return fmt.Errorf("%w: %s: %s: no document has a field %q (the nearest is %q); the fields are %s",
				config.ErrInvalid, cfg.Where(key), key, name, config.Nearest(name, slices.Concat(slices.Sorted(maps.Keys(there)), columns)), fieldsInWords(there))
		}
	}
	return nil
}

// columns are the fields that a document can have whatever its record says.
var columns = describing[:len(describing)-1] // without metadata

func fieldsInWords(there map[string]bool) string {
	names := slices.Sorted(maps.Keys(there))
	if more := len(names) - mostFields; more > 0 {
		names = append(names[:mostFields:mostFields], fmt.Sprintf("%d more", more))
	}
	return strings.Join(slices.Concat(columns, names), ", ")
}
