package files

import (
	"context"
	"strconv"

	"github.com/commonplace/commonplace/crawl/gutenberg"
)

// ListMirror lists a local mirror of Project Gutenberg: the best file of every
// eBook that is wanted, under the eBook's number as its id. A nil want takes all.
// Read them with [Documents], since some are archives.
func ListMirror(ctx context.Context, root string, want func(ebook int64) bool) ([]File, error) {
	editions, err := gutenberg.Mirror(ctx, root)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, e := range editions {
		if want == nil || want(e.EBook) {
			files = append(files, File{ID: strconv.FormatInt(e.EBook, 10), Path: e.Path, Rel: e.Rel, Size: e.Size, Encoding: e.Encoding, EBook: e.EBook})
		}
	}
	return files, nil
}
