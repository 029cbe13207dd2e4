package files

import (
	"context"
	"fmt"
	"strconv"

	"github.com/commonplace/commonplace/crawl/gutenberg"
	"github.com/commonplace/commonplace/storage"
)

// ListMirror lists a mirror of Project Gutenberg: the best file of every
// eBook that is wanted, under the eBook's number as its id. A nil want takes all.
// Read them with [Documents], since some are archives.
func ListMirror(ctx context.Context, root string, want func(ebook int64) bool) ([]File, error) {
	t, err := storage.OpenTree(ctx, root)
	if err != nil {
		return nil, fmt.Errorf("files: %w", err)
	}
	editions, err := gutenberg.Mirror(ctx, t.FS)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", root, err)
	}
	var files []File
	for _, e := range editions {
		if want == nil || want(e.EBook) {
			files = append(files, File{ID: strconv.FormatInt(e.EBook, 10), Path: t.Path(e.Name), Rel: e.Name, Size: e.Size, Encoding: e.Encoding, EBook: e.EBook})
		}
	}
	return files, nil
}
