package reuse

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Images are the places of a document's words on the images of its pages.
type Images struct{ pages []imagePage }

// imagePage is a page with regions that have coordinates, and the span that these are in.
type imagePage struct {
	name       string
	begin, end int64
	regions    []region
}

// NewImages reads the field pages of passim's input; nil if it has another form or no
// coordinates.
func NewImages(pages string) *Images {
	var all []struct {
		ID       any             `json:"id"`
		Sequence json.RawMessage `json:"seq"` // 1000000 is no 1e+06
		Regions  []region        `json:"regions"`
	}
	if json.Unmarshal([]byte(pages), &all) != nil {
		return nil
	}
	var im Images
	for i, p := range all {
		page := imagePage{name: fmt.Sprint("page ", i+1)}
		if seq := strings.Trim(string(p.Sequence), `"`); seq != "" && seq != "null" {
			page.name = "page " + seq
		}
		if id, is := p.ID.(string); is && id != "" {
			page.name = id
		}
		for _, r := range p.Regions {
			if r.Coords == nil {
				continue
			}
			if len(page.regions) == 0 {
				page.begin = r.Start
			}
			page.begin, page.end = min(page.begin, r.Start), max(page.end, r.Start+r.Length)
			page.regions = append(page.regions, r)
		}
		if len(page.regions) > 0 {
			im.pages = append(im.pages, page)
		}
	}
	if len(im.pages) == 0 {
		return nil
	}
	return &im
}

// At is where a span is on the images: of each page that it touches the smallest rectangle
// around its regions, as x,y,width,height, which is how IIIF asks for a part of an image, and
// which page that is.
func (im *Images) At(begin, end int64) string {
	var rectangles []string
	for _, p := range im.pages {
		if p.begin >= end || p.end <= begin {
			continue
		}
		var all *region
		for _, r := range p.regions {
			if r.Start < end && r.Start+r.Length > begin {
				all = around(all, r)
			}
		}
		if all != nil {
			var numbers []string
			for _, n := range []float64{all.Coords.X, all.Coords.Y, all.Coords.W, all.Coords.H} {
				numbers = append(numbers, strconv.FormatFloat(n, 'f', -1, 64))
			}
			rectangles = append(rectangles, strings.Join(numbers, ",")+" of "+p.name)
		}
	}
	return strings.Join(rectangles, " and ")
}
