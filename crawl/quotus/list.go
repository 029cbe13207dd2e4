package quotus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// ReadList streams the quotes file, plain or with .gz after its name, as a list
// of quotes: a cluster's id, a full stop and the quote's make the id, the speaker
// is the author and the transcript the work.
func ReadList(ctx context.Context, path, source string, l bounded.Limits) iter.Seq2[commonplace.Quote, *commonplace.Reject] {
	return func(yield func(commonplace.Quote, *commonplace.Reject) bool) {
		broken := func(reason string, err error) {
			yield(commonplace.Quote{}, &commonplace.Reject{Reason: reason, Detail: strings.ToValidUTF8(err.Error(), "\uFFFD"), Location: path})
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
		for c, reject := range ReadQuotes(ctx, r, path, l) {
			if reject != nil {
				if !yield(commonplace.Quote{}, reject) {
					return
				}
				continue
			}
			seen := make(map[string]bool, len(c.Quotes))
			for _, q := range c.Quotes {
				var reject *commonplace.Reject
				id := c.ID + "." + q.ID
				if seen[q.ID] {
					reject = &commonplace.Reject{ID: id, Reason: "duplicate id", Detail: fmt.Sprintf("the cluster %s has two quotes %s", c.ID, q.ID), Location: path}
				}
				seen[q.ID] = true
				if !yield(commonplace.Quote{ID: id, Text: q.Text, Author: c.Speaker, Work: c.Source, Source: source}, reject) {
					return
				}
			}
		}
	}
}
