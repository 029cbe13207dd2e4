package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"

	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/warc"
	"github.com/commonplace/commonplace/storage"
)

// Trail are the addresses that a target was or would be asked for: its own, and those
// to which the kept answers lead on.
func (a *Archive) Trail(w Target) []crawl.Address {
	var all []crawl.Address
	for _, address := range w.Addresses {
		for seen := map[crawl.Address]bool{}; address.Valid() && !seen[address]; address = a.known(address).answer.To {
			seen[address], all = true, append(all, address)
		}
	}
	return all
}

var temporaryAnswers = regexp.MustCompile(`^\.\d{5,}-.+\.warc\.gz(\.index)?\.[0-9a-f]{12}\.tmp$`)

// Remove takes all records of some addresses out of the archive's files, each of which is
// replaced in one step, and tells how many they were. Read the archive anew afterwards.
func (a *Archive) Remove(ctx context.Context, gone map[crawl.Address]bool) (records int, err error) {
	names, err := storage.List(ctx, a.dir)
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		switch {
		case temporaryAnswers.MatchString(name): // of a run that was killed here
			err = storage.Remove(ctx, filepath.Join(a.dir, name))
		case filepath.Ext(name) == ".gz":
			var n int
			n, err = a.removeFrom(ctx, name, gone)
			records += n
		}
		if err != nil {
			return records, err
		}
	}
	return records, nil
}

// removeFrom copies the records of a file that stay, as they are.
func (a *Archive) removeFrom(ctx context.Context, name string, gone map[crawl.Address]bool) (records int, err error) {
	path := filepath.Join(a.dir, name)
	f, err := storage.Local.Open(ctx, path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var stay []Entry
	for record, broken := range warc.Scan(ctx, io.NewSectionReader(f, 0, f.Size()), 0, 0, warc.Own) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if broken != nil && broken.Over { // what a killed run left half-written goes, too
			if err := warc.Torn(f, broken.Offset); err != nil {
				return 0, fmt.Errorf("%s: %w", path, err)
			}
			break
		}
		e, ok := Describe(record, name, maxBody)
		if ok && gone[e.URL] {
			records++
			continue
		}
		if e.End > e.Offset {
			stay = append(stay, e)
		}
	}
	if records == 0 {
		return 0, nil
	}
	if err := storage.Remove(ctx, indexOf(path)); err != nil {
		return 0, err
	}
	err = storage.WriteWith(ctx, storage.Local, path, func(w storage.Writer) error {
		end := int64(0)
		for i := range stay {
			e := &stay[i]
			n, err := io.Copy(w, io.NewSectionReader(f, e.Offset, e.End-e.Offset))
			if err != nil {
				return err
			}
			e.Offset, e.End = end, end+n
			end += n
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	err = storage.WriteWith(ctx, storage.Local, indexOf(path), func(w storage.Writer) (err error) {
		for _, e := range stay {
			err = errors.Join(err, writeLine(w, e))
		}
		return err
	})
	return records, err
}
