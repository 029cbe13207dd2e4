package merge

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace"
)

// NearlyAs is the fraction of the best score that another occurrence needs to be reported beside it.
const NearlyAs = 0.92

// sameWords is the fraction of the longer span that two matches of one quotation have in common.
const sameWords = 0.8

// Documents makes the candidates of one derived document final.
func Documents(candidates []Candidate, o Limits) []commonplace.Alignment {
	var order, together []Candidate
	for _, c := range candidates {
		if c.Reordered {
			together = append(together, c)
		} else {
			order = append(order, c)
		}
	}
	slices.SortFunc(order, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.SourceID, b.SourceID),
			cmp.Compare(a.SourceBegin, b.SourceBegin), cmp.Compare(a.SourceEnd, b.SourceEnd), cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd))
	})
	groups := groupCandidates(order, o, func(a *commonplace.Alignment) float64 { return a.Score }).all
	out := make([]commonplace.Alignment, 0, len(groups))
	for _, g := range groups {
		rows := make([]commonplace.Alignment, 0, len(g.matches))
		for _, f := range g.matches {
			if !f.dropped {
				rows = append(rows, f.Alignment)
			}
		}
		out = append(out, reported(rows, o)...)
	}
	sortRows(out)
	return reorder(out, together)
}

// sortRows sorts the final rows of one derived document.
func sortRows(rows []commonplace.Alignment) {
	slices.SortFunc(rows, func(a, b commonplace.Alignment) int {
		return cmp.Or(cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceBegin, b.SourceBegin))
	})
}

// reported is the rows of a group to report, best first, with Group and Places set.
func reported(rows []commonplace.Alignment, o Limits) []commonplace.Alignment {
	found, shared := int64(len(rows)), int64(0)
	for _, a := range rows {
		shared = max(shared, a.Places)
	}
	if shared > 1 { // boilerplate, by the counts
		rows, found = rows[:1], max(found, shared)
	}
	name := ""
	if found > 1 {
		name = rows[0].ID
	}
	if o.Places > 0 {
		rows = rows[:min(len(rows), o.Places)]
	}
	for i := range rows {
		rows[i].Group, rows[i].Places = name, found
	}
	return rows
}

// Marked makes the candidates for the marked quotations of one derived document final.
func Marked(candidates []Candidate, o Limits) []commonplace.Alignment {
	order := slices.Clone(candidates)
	value := func(a *commonplace.Alignment) float64 { return a.Score * a.Similarity }
	slices.SortFunc(order, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(value(&b.Alignment), value(&a.Alignment)), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceBegin, b.SourceBegin),
			cmp.Compare(a.SourceEnd, b.SourceEnd), cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd),
			cmp.Compare(b.Confidence, a.Confidence)) // an occurrence may match a quotation and one around it
	})
	groups := groupCandidates(order, o, value)
	near := groups.neighbours()
	var out []commonplace.Alignment
	for i, g := range groups.all {
		var rows []commonplace.Alignment
		for _, f := range g.matches {
			a := f.Alignment
			if near.beside(i, &a) {
				a.Confidence = logistic(logit(min(a.Confidence, 1-1e-12)) + nearBonus)
			}
			if a.Confidence >= o.MinConfidence {
				rows = append(rows, a)
			}
		}
		if len(rows) > 0 {
			out = append(out, reported(rows, o)...)
		}
	}
	sortRows(out)
	return out
}
