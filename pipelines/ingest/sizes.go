package ingest

import (
	"context"
	"strings"

	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
)

// Sizes are how much text a source holds, in bytes, as its files say before any is
// read. Packed text is taken to be 2.7 times as long, as books are.
type Sizes struct {
	Text    int64
	Largest int64 // of one document, as far as files are documents
	Guessed bool  // it is still to be fetched, or the catalogue chooses among the files
	Unknown bool  // nothing says how much will be fetched
}

const (
	packed   = 2.7
	bookSize = 450_000 // bytes of an eBook that nobody has fetched yet
)

// SizesOf looks at a source's files.
func SizesOf(ctx context.Context, s config.Source) (Sizes, error) {
	if s.Fetched() && len(s.Gutenberg.IDs) == 0 {
		return Sizes{Unknown: true}, nil
	}
	if s.Fetched() {
		return Sizes{Text: bookSize * int64(len(s.Gutenberg.IDs)), Largest: 4 * bookSize, Guessed: true}, nil
	}
	found, err := files.ListAll(ctx, s.Files)
	if err != nil {
		return Sizes{}, err
	}
	size := Sizes{Guessed: s.Kind != config.KindFiles}
	for _, f := range found.Files {
		n := f.Size
		if strings.HasSuffix(f.Path, ".gz") || strings.HasSuffix(f.Path, ".zip") || f.IsPackedTar() {
			n = int64(packed * float64(n))
		}
		size.Text += n
		size.Largest = max(size.Largest, n)
	}
	return size, nil
}
