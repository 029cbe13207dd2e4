package paraphrase

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace"
)

// Best keeps the matches of one derived sentence that have the highest scores, in bounded
// memory: at no time more than twice as many as are asked for. Each source has one match
// at most.
type Best struct {
	Most int // 0: all are kept
	rows []commonplace.ParaphraseMatch
}

// Add takes one match more.
func (b *Best) Add(row commonplace.ParaphraseMatch) {
	if b.rows = append(b.rows, row); b.Most > 0 && len(b.rows)/2 >= b.Most {
		b.cut()
	}
}

// Rows are the matches by their sources. Of equal scores the first source's counts.
func (b *Best) Rows() []commonplace.ParaphraseMatch {
	if b.Most > 0 && len(b.rows) > b.Most {
		b.cut()
	}
	slices.SortFunc(b.rows, func(x, y commonplace.ParaphraseMatch) int { return cmp.Compare(x.SourceID, y.SourceID) })
	return b.rows
}

func (b *Best) cut() {
	slices.SortFunc(b.rows, func(x, y commonplace.ParaphraseMatch) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.SourceID, y.SourceID))
	})
	b.rows = slices.Delete(b.rows, b.Most, len(b.rows)) // which lets their texts go
}
