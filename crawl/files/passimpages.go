package files

import (
	"encoding/json"
	"math"
	"strings"

	commonplace "github.com/commonplace/commonplace"
)

// passimPage is a page of a record in passim's form: the regions of the text that
// stand on it. Their coordinates on the image stay in the field pages.
type passimPage struct {
	ID      json.RawMessage `json:"id"`
	Seq     int64           `json:"seq"`
	Regions []struct {
		Start  int64 `json:"start"`
		Length int64 `json:"length"`
	} `json:"regions"`
}

// pagesOf are the pages that a record in passim's form gives. There are none if it
// has another form, or if pages are not in the order of the text or lie outside it.
func pagesOf(raw json.RawMessage, characters int64) []commonplace.Page {
	var list []passimPage
	if len(raw) == 0 || json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var pages []commonplace.Page
	last := int64(0)
	for i, p := range list {
		begin, end := int64(math.MaxInt64), int64(-1)
		for _, r := range p.Regions {
			if r.Start < 0 || r.Length < 0 || r.Start > characters || r.Length > characters-r.Start {
				return nil
			}
			begin, end = min(begin, r.Start), max(end, r.Start+r.Length)
		}
		if len(p.Regions) == 0 {
			begin, end = last, last
		}
		if begin < last {
			return nil
		}
		last = end
		label, _ := jsonText(p.ID, true)
		sequence := p.Seq
		if sequence <= 0 {
			sequence = int64(i + 1)
		}
		pages = append(pages, commonplace.Page{Sequence: sequence, Label: strings.TrimSpace(label), Begin: begin, End: end})
	}
	return pages
}
