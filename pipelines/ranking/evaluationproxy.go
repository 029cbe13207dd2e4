package ranking

import (
	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/rank"
)

// proxyAccuracy is RELiC's proxy task (section 4): the share of windows for which a system has
// the right run before the two best wrong ones of BM25. BM25 itself is not judged by it, and
// windows of works with fewer than two wrong runs are left out.
const proxyAccuracy = "proxy accuracy"

// proxy judges what recommend has ranked. It says nothing of a window where recommend.keep has
// left out what would decide.
func (f *tally) proxy(s evaluateSettings, p pool, a asked, rows []commonplace.Recommendation) {
	if f.dataset != config.DataWindows || s.System == eval.Recommended+config.RetrieveBM25 {
		return
	}
	kept, right := 0, commonplace.Recommendation{}
	places := map[string]int64{} // candidates that are better, by the ids of those that are kept
	for _, r := range rows {
		places[r.PassageID] = r.Better
		if r.Place == int64(kept+1) {
			kept++
		}
		if r.Label == "yes" {
			right = r
		}
	}
	all := int64(len(rows)) == rows[0].Ranked
	if right.PassageID == "" { // it was not retrieved, and stands behind all
		right.Better, right.Tied = rows[0].Ranked, rows[0].Candidates-rows[0].Ranked
	}
	wrong := s.wrongByBM25(p, a)
	if len(wrong) < 2 {
		return
	}
	alike, unknown := 1, false
	for _, id := range wrong {
		better, there := places[id]
		switch {
		case there:
		case all: // not retrieved
			better = rows[0].Ranked
		case right.Better+right.Tied <= int64(kept):
			better = int64(kept)
		default:
			unknown = true
			continue
		}
		if better < right.Better {
			f.value(s.System, proxyAccuracy, 0)
			return
		}
		if better == right.Better {
			alike++
		}
	}
	if unknown {
		f.unknownProxy = true
		return
	}
	f.value(s.System, proxyAccuracy, 1/float64(alike))
}

// proxyOf judges a baseline, which has a score for every candidate.
func (f *tally) proxyOf(system string, s evaluateSettings, scores []float64, p pool, a asked) {
	if f.dataset != config.DataWindows || system == config.RetrieveBM25 {
		return
	}
	wrong := s.wrongByBM25(p, a)
	if len(wrong) < 2 {
		return
	}
	of := map[string]float64{}
	for i, c := range p.candidates {
		of[c.id] = scores[i]
	}
	three := []float64{of[a.right[0]]}
	for _, id := range wrong {
		three = append(three, of[id])
	}
	f.value(system, proxyAccuracy, eval.StandingOf(three, func(i int) bool { return i == 0 }).AccuracyAt(1))
}

// wrongByBM25 are the two best wrong runs of BM25, of equal ones the earlier.
func (s evaluateSettings) wrongByBM25(p pool, a asked) (ids []string) {
	for _, i := range rank.BestFirst(baseline(config.RetrieveBM25, s.BM25, p, a), 3) {
		if id := p.candidates[i].id; id != a.right[0] && len(ids) < 2 {
			ids = append(ids, id)
		}
	}
	return ids
}
