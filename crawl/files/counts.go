package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/records"
)

// Count is one line of a list of quote counts.
type Count struct {
	Passage int64  // number of the passage in its document, from 1
	Text    string // of the passage, empty where the list has no such column
	Count   int64
	Known   bool // false where the field is empty: low or unknown, which is not zero
	Line    int  // first line of the record
}

// ReadCounts reads a CSV file with a header line, plain or gzip, into counts by
// document. columns name the file's own column for document, passage, text and
// count. Without passage the lines of a document count on from 1. The first
// line that cannot be understood is the error: half a list would pass for one.
func ReadCounts(ctx context.Context, path string, columns map[string]string, l bounded.Limits) (map[string][]Count, error) {
	r, _, err := openStream(ctx, path, l, io.Discard)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer r.Close()
	in := records.NewQuoteLines(ctx, r, l)
	all := map[string][]Count{}
	budget := bounded.Budget{Most: l.WithDefaults().Memory}
	at := map[string]int{}
	width := 0
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		record, line, err := records.Next(in, ',')
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, line, err)
		}
		if width == 0 {
			width = len(record)
			record[0] = strings.TrimPrefix(record[0], "\ufeff")
			for _, key := range []string{"document", "passage", "text", "count"} {
				name := columns[key]
				if name == "" && (key == "document" || key == "count") {
					name = key
				}
				at[key] = slices.Index(record, name)
				if name != "" && at[key] < 0 {
					return nil, fmt.Errorf("%s has no column %s, only %s; say with columns which one is the %s", path, name, strings.Join(record, ", "), key)
				}
			}
			continue
		}
		if len(record) != width {
			return nil, fmt.Errorf("%s, line %d: %d fields where the header has %d", path, line, len(record), width)
		}
		doc := record[at["document"]]
		if all[doc] == nil {
			doc = strings.Clone(doc) // else it would keep the record
		}
		c := Count{Line: line, Passage: int64(len(all[doc]) + 1)}
		number := func(key string) (n int64, empty bool, err error) {
			field := strings.TrimSpace(record[at[key]])
			if field == "" {
				return 0, true, nil
			}
			if n, err = strconv.ParseInt(field, 10, 64); err != nil || n < 0 {
				return 0, false, fmt.Errorf("%s, line %d: the %s is %q, not a number of 0 or more", path, line, key, field)
			}
			return n, false, nil
		}
		var empty bool
		if c.Count, empty, err = number("count"); err != nil {
			return nil, err
		}
		c.Known = !empty
		if at["passage"] >= 0 {
			if c.Passage, empty, err = number("passage"); err != nil || empty {
				return nil, errors.Join(err, fmt.Errorf("%s, line %d: the passage is %q", path, line, record[at["passage"]]))
			}
		}
		if at["text"] >= 0 {
			c.Text = strings.Clone(record[at["text"]])
		}
		if err := budget.Hold(int64(len(doc)+len(c.Text)) + heldID); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, line, err)
		}
		all[doc] = append(all[doc], c)
	}
}
