package ingest

import (
	"context"
	"errors"

	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
)

// listFilesOn is [listFiles], on workers where there are some and the files are many.
func listFilesOn(ctx context.Context, w workers, s config.Source, list []files.File, take func(item)) error {
	cuts := cutsBySize(list)
	if w.run == nil || len(cuts) < 2 {
		return listFiles(ctx, list, optionsOf(s), take)
	}
	return spread(ctx, w, s, list, cuts, func(first int, row listedItem) error {
		it := row.item()
		it.File += first
		take(it)
		return nil
	})
}

// putFiles puts the items of a part's files.
func putFiles(ctx context.Context, p listedPart, put func(row any) error) (err error) {
	list, err := namesOf[files.File](ctx, p)
	if err != nil {
		return err
	}
	failed := listFiles(ctx, list, optionsOf(p.Source), func(it item) {
		if err == nil {
			err = put(listedItemOf(it))
		}
	})
	return errors.Join(failed, err)
}

// listedItem is an item as a worker found it, with what it is only said of while the
// source is listed.
type listedItem struct {
	Item    item   `json:"item"`
	File    int    `json:"file"`
	Changed bool   `json:"changed,omitempty"`
	Whole   string `json:"whole,omitempty"`
	Breaks  bool   `json:"breaks,omitempty"`
}

func listedItemOf(it item) listedItem {
	return listedItem{it, it.File, it.Changed, it.Whole, it.Breaks}
}

func (l listedItem) item() item {
	it := l.Item
	it.File, it.Changed, it.Whole, it.Breaks = l.File, l.Changed, l.Whole, l.Breaks
	return it
}

// cutsBySize are the numbers of the files before which a list is cut: a part has files
// until their bytes reach what one element lists, or so much that the parts are not too many.
func cutsBySize(list []files.File) []int {
	total := int64(0)
	for _, f := range list {
		total += f.Size
	}
	most := max(listedBytes, total/mostListedParts)
	var cuts []int
	held := most
	for i, f := range list {
		if held >= most {
			cuts, held = append(cuts, i), 0
		}
		held += f.Size
	}
	return cuts
}
