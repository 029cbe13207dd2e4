package quotus

import (
	"context"
	"errors"
	"fmt"
	"iter"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// ReadList streams the quotes file, plain or with .gz after its name, as a list
// of quotes: a cluster's id, a full stop and the quote's make the id, the speaker
// is the author and the transcript the work.
func ReadList(ctx context.Context, path, source string, l bounded.Limits) iter.Seq2[commonplace.Quote, error] {
	return func(yield func(commonplace.Quote, error) bool) {
		broken := func(reason string, err error) {
			yield(commonplace.Quote{}, refused("", path, reason, err.Error()))
		}
		r, err := bounded.Open(path, l)
		var gzip *bounded.BrokenGzip
		switch {
		case errors.As(err, &gzip):
			broken("broken gzip", err)
			return
		case err != nil:
			broken("unreadable", err)
			return
		}
		defer r.Close()
		for c, err := range ReadQuotes(ctx, r, path, l) {
			if err != nil {
				if !yield(commonplace.Quote{}, err) {
					return
				}
				continue
			}
			seen := make(map[string]bool, len(c.Quotes))
			for _, q := range c.Quotes {
				var err error
				id := c.ID + "." + q.ID
				if seen[q.ID] {
					err = refused(id, path, "duplicate id", fmt.Sprintf("the cluster %s has two quotes %s", c.ID, q.ID))
				}
				seen[q.ID] = true
				if !yield(commonplace.Quote{ID: id, Text: q.Text, Author: c.Speaker, Work: c.Source, Source: source}, err) {
					return
				}
			}
		}
	}
}
