package export

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/commonplace/commonplace/chart"
)

// plot is one drawing of the card.
type plot struct{ File, Title, Caption string }

// plots draws what there is of quote lengths, paragraphs a source, quotations a
// passage, similarity and noise.
func (j *job) plots(all byName) ([]plot, error) {
	var done []plot
	for _, p := range []struct {
		file, title, axis string
		kinds             []string
		what, of          string
	}{
		{"quote-lengths", "Length of quotes", "words", []string{"examples", "windows"}, "words per quote", "quotes"},
		{"quote-lengths", "Length of quoted spans", "words", []string{"queries"}, "words per span", "spans"},
		{"paragraphs-per-source", "Passages per document", "passages", []string{"passages"}, "passages per document", "documents"},
		{"quotes-per-passage", "How often passages are quoted", "quotations", []string{"quote_counts"}, "quotations per passage", ""},
		{"similarity", "Similarity of quotation and source", "share of words and letters that is equal", []string{"alignments"}, "similarity", "alignments"},
		{"noise", "Noise", "share of the source's words that the quotation changes or leaves out", []string{"alignments"}, "noise", "alignments without an ellipsis"},
	} {
		d := all.distribution(p.kinds, p.what)
		if d == nil || slices.ContainsFunc(done, func(q plot) bool { return q.File == "plots/"+p.file+".svg" }) {
			continue
		}
		bars, caption := d.bars(p.axis, p.of)
		if p.file == "quotes-per-passage" {
			if d.Most() == 0 {
				continue
			}
			bars, caption = d.tally(p.axis)
		}
		svg, err := bars.SVG(chart.Paper)
		if err != nil {
			return nil, fmt.Errorf("plot %s: %w", p.file, err)
		}
		file := "plots/" + p.file + ".svg"
		if err := j.folder.write(file, svg+"\n"); err != nil {
			return nil, err
		}
		done = append(done, plot{file, p.title, caption})
	}
	return done, nil
}

// distribution finds the first of that name in the kinds.
func (all byName) distribution(kinds []string, what string) *distribution {
	for _, k := range kinds {
		if g := all[k]; g != nil {
			for _, d := range g.Distributions {
				if d.What == what && d.N > 0 {
					return d
				}
			}
		}
	}
	return nil
}

// bars is a histogram from 0, or from the lowest similarity, to where all but
// one in a hundred are.
func (d *distribution) bars(axis, of string) (chart.Bars, string) {
	var h *chart.Histogram
	if d.Scale > 1 {
		low := math.Floor(d.Least()*10) / 10
		if low == 1 {
			low = 0.9
		}
		h = chart.NewHistogram(low, 1, int(math.Round((1-low)*50)))
	} else {
		h = histogramTo(d.quantile(0.99))
	}
	for _, x := range slices.Sorted(maps.Keys(d.Counts)) {
		h.AddMany(float64(x)/float64(d.Scale), d.Counts[x])
	}
	caption := fmt.Sprintf("%s %s, mean %s, median %s", thousands(d.N), of, short(d.Mean()), short(d.Median()))
	if h.Over > 0 {
		caption += fmt.Sprintf("; %s above %s are in the last bar", thousands(h.Over), short(h.High))
	}
	return h.Bars(axis), caption
}

// histogramTo has bins of one, two or five times a power of ten, forty at most.
func histogramTo(high float64) *chart.Histogram {
	for unit := 1.0; ; unit *= 10 {
		for _, width := range []float64{unit, 2 * unit, 5 * unit} {
			if n := max(1, math.Ceil((high+1)/width)); n <= 40 {
				return chart.NewHistogram(0, n*width, int(n))
			}
		}
	}
}

func (d *distribution) tally(axis string) (chart.Bars, string) {
	var t chart.Tally
	for x, n := range d.Counts {
		t.Add(x, n)
	}
	quoted := d.N - d.Counts[0]
	return t.Bars(axis), fmt.Sprintf("%s of %s passages are quoted, %s never", thousands(quoted), thousands(d.N), thousands(d.Counts[0]))
}

// quantile is the least number that so large a share of the others do not exceed.
func (d *distribution) quantile(share float64) float64 {
	rank := int64(math.Ceil(share * float64(d.N)))
	for _, x := range slices.Sorted(maps.Keys(d.Counts)) {
		if rank -= d.Counts[x]; rank <= 0 {
			return float64(x) / float64(d.Scale)
		}
	}
	return d.Most()
}
