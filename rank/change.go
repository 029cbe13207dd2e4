package rank

import (
	"cmp"
	"errors"
	"iter"

	"github.com/commonplace/commonplace"
)

// Kinds of change.
const (
	Risen  = "risen"  // has another score, and is above a greater share of the passages by a thousandth or more
	Fallen = "fallen" // the same of a smaller share
	Same   = "same"   // has its score, or about its place: passages that come and go move all others
	New    = "new"    // the passage, or its text, was not there
	Gone   = "gone"   // is not there any more
)

// Change is what became of a passage from one ranking to another. The side that
// a new or gone passage does not have is zero.
type Change struct {
	PassageID     string  `json:"passage_id"`
	Kind          string  `json:"kind"`
	DocID         string  `json:"doc_id"`
	RankWas       int64   `json:"rank_was,omitempty"`
	RankIs        int64   `json:"rank_is,omitempty"`
	PercentileWas float64 `json:"percentile_was"`
	PercentileIs  float64 `json:"percentile_is"`
	ScoreWas      float64 `json:"score_was"`
	ScoreIs       float64 `json:"score_is"`
	InBookWas     int64   `json:"rank_in_document_was,omitempty"`
	InBookIs      int64   `json:"rank_in_document_is,omitempty"`
	CountWas      int64   `json:"quote_count_was"`
	CountIs       int64   `json:"quote_count_is"`
	Text          string  `json:"text"`
	Line          string  `json:"line,omitempty"` // the one that a reader would copy
}

// noticed is the least change of a percentile that is one. All percentiles move a
// little when passages are added, and a place among thousands says nothing.
const noticed = 0.001

// Entered says that the passage is now among the first n of its book and was not.
func (c Change) Entered(n int64) bool {
	return c.InBookIs > 0 && c.InBookIs <= n && (c.InBookWas == 0 || c.InBookWas > n)
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
				if order <= 0 && !yield(Change{PassageID: a.PassageID, DocID: a.DocID, Kind: Gone, RankWas: a.RankOverall, InBookWas: a.RankInDocument, PercentileWas: a.Percentile, ScoreWas: a.Score, CountWas: a.QuoteCount, Text: a.Text, Line: a.BestText}, nil) {
					return
				}
				if order >= 0 && !yield(Change{PassageID: b.PassageID, DocID: b.DocID, Kind: New, RankIs: b.RankOverall, InBookIs: b.RankInDocument, PercentileIs: b.Percentile, ScoreIs: b.Score, CountIs: b.QuoteCount, Text: b.Text, Line: b.BestText}, nil) {
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
	c := Change{
		PassageID: b.PassageID, DocID: b.DocID, Kind: Same,
		RankWas: a.RankOverall, RankIs: b.RankOverall,
		InBookWas: a.RankInDocument, InBookIs: b.RankInDocument,
		PercentileWas: a.Percentile, PercentileIs: b.Percentile,
		ScoreWas: a.Score, ScoreIs: b.Score,
		CountWas: a.QuoteCount, CountIs: b.QuoteCount, Text: b.Text, Line: b.BestText,
	}
	switch by := c.Moved(); {
	case c.ScoreIs == c.ScoreWas: // others came or went
	case by >= noticed:
		c.Kind = Risen
	case by <= -noticed:
		c.Kind = Fallen
	}
	return c
}
