package report

import (
	"fmt"
	"html/template"

	"github.com/commonplace/commonplace/chart"
)

// drawing is one chart with what it says in words.
type drawing struct {
	Title, Caption string
	SVG            template.HTML
}

// The page's own colours, which follow the reader's choice of dark or light.
var themed = chart.Colours{Ink: "var(--ink)", Line: "var(--line)", Fill: "var(--accent)", Paper: "none"}

func drawHistogram(h *chart.Histogram, title, unit, of string) (drawing, error) {
	caption := thousands(h.N) + " " + of
	if h.Over > 0 {
		caption += fmt.Sprintf("; %s above %.4g are in the last bar", thousands(h.Over), h.High)
	}
	return draw(h.Bars(unit), title, caption)
}

func drawTally(t *chart.Tally, title, unit string) (drawing, error) {
	return draw(t.Bars(unit), title, fmt.Sprintf("passages quoted at least once; %s never were", thousands(int64(t[0]))))
}

// draw gives the drawing as an element for the page. All text in it is ours:
// numbers and names of axes.
func draw(b chart.Bars, title, caption string) (drawing, error) {
	svg, err := b.SVG(themed)
	if err != nil {
		return drawing{}, err
	}
	return drawing{title, caption, template.HTML(svg)}, nil
}
