package report

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/commonplace/commonplace/chart"
)

// drawing is one chart with what it says in words.
type drawing struct {
	Title, Caption string
	SVG            template.HTML

	name   string // of its files
	bars   chart.Bars
	values string // CSV
}

// The page's own colours, which follow the reader's choice of dark or light, and
// those of a file, which is printed on white.
var (
	themed  = chart.Colours{Ink: "var(--ink)", Line: "var(--line)", Fill: "var(--accent)", Paper: "none"}
	printed = chart.Colours{Ink: "#23211c", Line: "#e2ddd0", Fill: "#2f5d62", Paper: "#ffffff"}
)

func drawHistogram(h *chart.Histogram, name, title, unit, of string) (drawing, error) {
	caption := thousands(h.N) + " " + of
	if h.Over > 0 {
		caption += fmt.Sprintf("; %s above %.4g are in the last bar", thousands(h.Over), h.High)
	}
	width := (h.High - h.Low) / float64(len(h.Bins))
	var values strings.Builder
	fmt.Fprintf(&values, "from,to,%s\n", of)
	for i, n := range h.Bins {
		fmt.Fprintf(&values, "%.6g,%.6g,%.0f\n", h.Low+float64(i)*width, h.Low+float64(i+1)*width, n)
	}
	return draw(drawing{Title: title, Caption: caption, name: name, bars: h.Bars(unit), values: values.String()})
}

func drawTally(t *chart.Tally, name, title, unit string) (drawing, error) {
	var values strings.Builder
	fmt.Fprintf(&values, "%s,passages\n", unit)
	for i, n := range t {
		more := ""
		if i == len(t)-1 {
			more = " or more"
		}
		fmt.Fprintf(&values, "%d%s,%.0f\n", i, more, n)
	}
	caption := fmt.Sprintf("passages quoted at least once; %s never were", thousands(int64(t[0])))
	return draw(drawing{Title: title, Caption: caption, name: name, bars: t.Bars(unit), values: values.String()})
}

// draw gives the drawing as an element for the page. All text in it is ours:
// numbers and names of axes.
func draw(d drawing) (drawing, error) {
	svg, err := d.bars.SVG(themed)
	d.SVG = template.HTML(svg)
	return d, err
}

// figures writes each chart as a picture and as its numbers.
func (p *page) figures(write func(name string, content []byte) error) error {
	if write == nil {
		return nil
	}
	for _, d := range p.Charts {
		svg, err := d.bars.SVG(printed)
		if err != nil {
			return err
		}
		if err := write(d.name+".svg", []byte(svg)); err != nil {
			return err
		}
		if err := write(d.name+".csv", []byte(d.values)); err != nil {
			return err
		}
	}
	return nil
}
