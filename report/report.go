package report

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"path/filepath"

	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/table"
)

// Options say what the page holds. Zero values are the defaults.
type Options struct {
	Title string // the folder's name
	Top   int    // passages by rank that can be searched and read; 5,000
	Books int    // books with a strip, those with most quotations first; 200

	Evaluation *eval.Result          // shown where given
	Attributes *eval.AttributeResult // shown where given
}

// IsPage tells whether a file begins as the pages of this program do.
func IsPage(from io.Reader) bool {
	head, err := io.ReadAll(io.LimitReader(from, 4<<10))
	return err == nil && (bytes.Contains(head, []byte(`<meta name="generator" content="Commonplace">`)) ||
		bytes.Contains(head, []byte(" – Commonplace</title>"))) // as version 0.1.0 wrote them
}

// perBook is the number of passages marked on a book's strip.
const perBook = 10

// Write reads the tables of a run and writes its page. The same tables and
// options give the same bytes.
func Write(ctx context.Context, w io.Writer, dir string, o Options) error {
	o.Title = cmp.Or(o.Title, filepath.Base(table.Home(dir)))
	o.Top = cmp.Or(o.Top, 5000)
	o.Books = cmp.Or(o.Books, 200)
	g := gatherer{ctx: ctx, dir: dir, options: o}
	p, err := g.gather()
	if err != nil {
		return err
	}
	return p.write(w)
}
