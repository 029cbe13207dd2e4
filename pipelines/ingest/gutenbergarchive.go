package ingest

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/crawl/gutenberg"
	"github.com/commonplace/commonplace/storage"
)

// listArchive lists a tar archive that holds what a mirror does, such as Project
// Gutenberg's weekly txt-files.tar.zip: the best file of every eBook that is wanted, under
// the eBook's number as its id. number is that of the archive, and there gets those of the
// eBooks.
func listArchive(ctx context.Context, f files.File, number int, opts files.Options, wanted func(int64) bool, there map[int64]bool, take func(item)) error {
	type choice struct {
		item    item
		quality int
		name    string
	}
	best, budget := map[int64]choice{}, bounded.Budget{Most: opts.Limits.WithDefaults().Memory}
	var over error
	any, broken, changed := false, false, false
	err := listFile(ctx, f, opts, func(it item) {
		it.File = number
		if it.Changed {
			changed = true
			return
		}
		if it.Reject != nil {
			broken = broken || it.Breaks
			take(it)
			return
		}
		at, err := it.place()
		if err != nil {
			take(it) // it is read as it is, and the reader says so
			return
		}
		name := at.Entry.Name
		n, quality := gutenberg.Judge(name)
		if any = any || quality > 0; quality == 0 || !wanted(n) || over != nil {
			return
		}
		was, known := best[n]
		if known && (was.quality > quality || was.quality == quality && was.name <= name) {
			return
		}
		id := strconv.FormatInt(n, 10)
		at.File.EBook, at.Entry.EBook, at.Entry.Encoding, at.Entry.ID = n, n, gutenberg.EncodingOf(name), id
		it = newItem(id, it)
		it.At = storage.MustJSON(at)
		if !known { // the others have names of about the same length
			over = budget.Hold(ItemBytes + int64(len(it.At)+len(it.Rel)+len(name)))
		}
		best[n] = choice{it, quality, name}
	})
	switch {
	case err != nil || broken: // nothing is taken of it
		return err
	case over != nil:
		it := refusedItem(commonplace.Reject{ID: f.ID, Reason: files.ReasonFileLimit, Detail: "nothing is taken of the archive: " + over.Error(), Location: f.Path}, f.Rel)
		it.File, it.Breaks, it.Whole = number, true, f.Rel
		take(it)
		return nil
	case !any:
		return fmt.Errorf("%s: the archive has no file such as cache/epub/12345/pg12345.txt", path.Base(f.Path))
	}
	for _, n := range slices.Sorted(maps.Keys(best)) {
		there[n] = true
		take(best[n].item)
	}
	if changed {
		take(item{Changed: true, File: number})
	}
	return nil
}
