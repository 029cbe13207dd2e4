package reuse

import (
	"encoding/json"
	"slices"

	"github.com/commonplace/commonplace"
)

// located limits the fields pages and locs of passim's input to a span, as passim does:
// of a page one region stays, around all that the span touches; of loci their names.
// What has another form stays as it is.
func located(fields []commonplace.Field, begin, end int64) []commonplace.Field {
	out := slices.Clone(fields)
	for i, f := range out {
		var value any
		switch f.Name {
		case "pages":
			value = pagesIn(f.Value, begin, end)
		case "locs":
			value = lociIn(f.Value, begin, end)
		}
		if value == nil {
			continue
		}
		if b, err := json.Marshal(value); err == nil {
			out[i].Value = string(b)
		}
	}
	return out
}

// box is where a region is on the image of its page. B counts down from Y as H does, and
// not all inputs have it.
type box struct {
	X float64  `json:"x"`
	Y float64  `json:"y"`
	W float64  `json:"w"`
	H float64  `json:"h"`
	B *float64 `json:"b,omitempty"`
}

// with is the smallest box around both.
func (a box) with(b box) box {
	x, y := min(a.X, b.X), min(a.Y, b.Y)
	both := box{X: x, Y: y, W: max(a.X+a.W, b.X+b.W) - x, H: max(a.Y+a.H, b.Y+b.H) - y}
	if a.B != nil && b.B != nil {
		down := max(a.Y+*a.B, b.Y+*b.B) - y
		both.B = &down
	}
	return both
}

type region struct {
	Start  int64 `json:"start"`
	Length int64 `json:"length"`
	Coords *box  `json:"coords,omitempty"`
}

// pagesIn are the pages of a span; nil if value has another form.
func pagesIn(value string, begin, end int64) any {
	var pages []map[string]json.RawMessage
	if json.Unmarshal([]byte(value), &pages) != nil {
		return nil
	}
	touched := []map[string]json.RawMessage{}
	for _, p := range pages {
		var regions []region
		if json.Unmarshal(p["regions"], &regions) != nil {
			return nil
		}
		var all *region
		for _, r := range regions {
			if r.Start >= end || r.Start+r.Length <= begin {
				continue
			}
			all = around(all, r)
		}
		if all == nil {
			continue
		}
		b, err := json.Marshal([]region{*all})
		if err != nil {
			return nil
		}
		p["regions"] = b
		touched = append(touched, p)
	}
	return touched
}

// around is the smallest region that has both.
func around(all *region, r region) *region {
	if all == nil {
		return &r
	}
	last := max(all.Start+all.Length, r.Start+r.Length)
	all.Start = min(all.Start, r.Start)
	all.Length = last - all.Start
	if a, b := all.Coords, r.Coords; a != nil && b != nil {
		both := a.with(*b)
		all.Coords = &both
	}
	return all
}

// lociIn are the names of the loci of a span; nil if value has another form.
func lociIn(value string, begin, end int64) any {
	var loci []struct {
		Start  int64  `json:"start"`
		Length int64  `json:"length"`
		Loc    string `json:"loc"`
	}
	if json.Unmarshal([]byte(value), &loci) != nil {
		return nil
	}
	names := []string{}
	for _, l := range loci {
		if l.Start < end && l.Start+l.Length > begin {
			names = append(names, l.Loc)
		}
	}
	return names
}
