package report

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/table"
)

// Options say what the page holds. Zero values are the defaults.
type Options struct {
	Title string // "Lines of" and the folder's name
	Top   int    // passages by rank that can be searched and read; 5,000
	Books int    // books with a strip, those with most quotations first; 200

	// Judge says what is said of the ranking, where it is given. It is called while the
	// tables are read, because both take long.
	Judge func(context.Context) (Judgement, error)

	// Part writes a file of data beside the page, which gives the address that the
	// page loads it from. Without it, all data is in the page, however large.
	Part     func(content []byte) (address string, err error)
	PageSize int // bytes of a page with files beside it; 2,000,000

	// Of a page of text reuse. Texts puts the whole texts of its documents into files beside
	// it; TextsAt is the address at which a server gives them ([Texts]). Open says by a
	// document's rights whether its words may be shown; nil: all may.
	Texts   bool
	TextsAt string
	Open    func(rights string) bool

	// Figure gets the charts of the page, each as SVG and as CSV, where it is given.
	Figure func(name string, content []byte) error

	Progress func(step string, done, of int) // called now and then, where given
}

// Judgement is what a page says of a ranking.
type Judgement struct {
	Ranks    *eval.Result          // shown where given
	Features *eval.AttributeResult // shown where given
	Note     string                // why there are no features, or of how many passages they are
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
	o.Title = cmp.Or(o.Title, "Lines of "+filepath.Base(table.Home(dir)))
	o.Top = cmp.Or(o.Top, 5000)
	o.Books = cmp.Or(o.Books, 200)
	o.PageSize = cmp.Or(o.PageSize, 2_000_000)
	var judged Judgement
	both, ctx := errgroup.WithContext(ctx)
	if o.Judge != nil {
		both.Go(func() (err error) {
			judged, err = o.Judge(ctx)
			return err
		})
	}
	var p *page
	both.Go(func() (err error) {
		g := gatherer{ctx: ctx, dir: dir, options: o}
		if p, err = g.gather(); err == nil && o.Judge != nil && o.Progress != nil {
			o.Progress("evaluating the ranks", 0, 1) // which may take longer
		}
		return err
	})
	if err := both.Wait(); err != nil {
		return err
	}
	if p.Sought { // else nobody can have been quoted
		p.Evaluation, p.Attributes, p.Note = judged.Ranks, judged.Features, judged.Note
	}
	if err := p.share(o.PageSize, o.Part); err != nil {
		return err
	}
	if err := p.figures(o.Figure); err != nil {
		return err
	}
	return p.write(w)
}
