package quotus

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	commonplace "github.com/commonplace/commonplace"
	"github.com/klauspost/compress/gzip"
)

// ReadList streams the quotes file, plain or with .gz after its name, as a list
// of quotes: a cluster's id, a full stop and the quote's make the id, the speaker
// is the author and the transcript the work.
func ReadList(ctx context.Context, path, source string) iter.Seq2[commonplace.Quote, *commonplace.Reject] {
	return func(yield func(commonplace.Quote, *commonplace.Reject) bool) {
		broken := func(reason string, err error) {
			yield(commonplace.Quote{}, &commonplace.Reject{Reason: reason, Detail: strings.ToValidUTF8(err.Error(), "\uFFFD"), Location: path})
		}
		f, err := os.Open(path)
		if err != nil {
			broken("unreadable", err)
			return
		}
		defer f.Close()
		var r io.Reader = bufio.NewReaderSize(f, 1<<16)
		if strings.HasSuffix(strings.ToLower(path), ".gz") {
			if r, err = gzip.NewReader(r); err != nil {
				broken("broken gzip", err)
				return
			}
		}
		for c, reject := range ReadQuotes(ctx, r, path) {
			if reject != nil {
				if !yield(commonplace.Quote{}, reject) {
					return
				}
				continue
			}
			for i, q := range c.Quotes {
				var reject *commonplace.Reject
				id := c.ID + "." + q.ID
				for _, before := range c.Quotes[:i] {
					if before.ID == q.ID {
						reject = &commonplace.Reject{ID: id, Reason: "duplicate id", Detail: fmt.Sprintf("the cluster %s has two quotes %s", c.ID, q.ID), Location: path}
					}
				}
				if !yield(commonplace.Quote{ID: id, Text: q.Text, Author: c.Speaker, Work: c.Source, Source: source}, reject) {
					return
				}
			}
		}
	}
}
