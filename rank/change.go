package rank

import (
	"cmp"
	"errors"
	"iter"

	"github.com/commonplace/commonplace"
)

// Kinds of change.
const (
	Risen  = "risen"  // has a better rank
	Fallen = "fallen" // has a worse rank
	Same   = "same"
	New    = "new"  // the passage, or its text, was not there
	Gone   = "gone" // is not there any more
)

// Change is what became of a passage from one ranking to another. The side that
// a new or gone passage does not have is zero.
type Change struct {
	PassageID     string  `json:"passage_id"`
	Kind          string  `json:"kind"`
	RankWas       int64   `json:"rank_was,omitempty"`
	RankIs        int64   `json:"rank_is,omitempty"`
	PercentileWas float64 `json:"percentile_was"`
	PercentileIs  float64 `json:"percentile_is"`
	ScoreWas      float64 `json:"score_was"`
	ScoreIs       float64 `json:"score_is"`
	Text          string  `json:"text"`
}

// Moved is by how much the percentile changed: ranks all shift when passages are
// added, percentiles only where the order did.
func (c Change) Moved() float64 { return c.PercentileIs - c.PercentileWas }

// Changes walks two rankings of one shard, both in the table's order (doc_id,
// index), side by side.
func Changes(was, is iter.Seq2[commonplace.Ranking, error]) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		old, stopOld := iter.Pull2(was)
		defer stopOld()
		now, stopNow := iter.Pull2(is)
		defer stopNow()
		a, errA, moreA := old()
		b, errB, moreB := now()
		for moreA || moreB {
			if errA != nil || errB != nil {
				yield(Change{}, errors.Join(errA, errB))
				return
			}
			order := 0
			switch {
			case !moreA:
				order = 1
			case !moreB:
				order = -1
			default:
				order = cmp.Or(cmp.Compare(a.DocID, b.DocID), cmp.Compare(a.Index, b.Index))
			}
			if order == 0 && a.Text == b.Text {
				if !yield(moved(a, b), nil) {
					return
				}
			} else {
				if order <= 0 && !yield(Change{PassageID: a.PassageID, Kind: Gone, RankWas: a.RankOverall, PercentileWas: a.Percentile, ScoreWas: a.Score, Text: a.Text}, nil) {
					return
				}
				if order >= 0 && !yield(Change{PassageID: b.PassageID, Kind: New, RankIs: b.RankOverall, PercentileIs: b.Percentile, ScoreIs: b.Score, Text: b.Text}, nil) {
					return
				}
			}
			if order <= 0 {
				a, errA, moreA = old()
			}
			if order >= 0 {
				b, errB, moreB = now()
			}
		}
	}
}

func moved(a, b commonplace.Ranking) Change {
	kind := map[int]string{-1: Risen, 0: Same, 1: Fallen}[cmp.Compare(b.RankOverall, a.RankOverall)]
	return Change{
		PassageID: b.PassageID, Kind: kind,
		RankWas: a.RankOverall, RankIs: b.RankOverall,
		PercentileWas: a.Percentile, PercentileIs: b.Percentile,
		ScoreWas: a.Score, ScoreIs: b.Score, Text: b.Text,
	}
}
