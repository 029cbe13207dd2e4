package report

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"math"
	"regexp"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// histogram counts values in bins of equal width. What lies outside goes to the
// first or last bin.
type histogram struct {
	low, high float64
	bins      []float64
	n         int64
	over      int64
}

func newHistogram(low, high float64, n int) *histogram {
	if !(high > low) {
		high = low + 1
	}
	return &histogram{low: low, high: high, bins: make([]float64, n)}
}

func (h *histogram) add(x float64) {
	if math.IsNaN(x) {
		return
	}
	h.n++
	if x > h.high {
		h.over++
	}
	at := (x - h.low) / (h.high - h.low) * float64(len(h.bins))
	h.bins[int(min(max(at, 0), float64(len(h.bins)-1)))]++
}

// tally counts small whole numbers.
type tally struct {
	of [12]float64 // the last for all above
}

func (t *tally) add(n int64) { t.of[min(max(n, 0), int64(len(t.of)-1))]++ }

// chart is one drawing with what it says in words.
type chart struct {
	Title, Caption string
	SVG            template.HTML
}

// Colours that no plot has: they are replaced by the page's own, which follow
// the reader's choice of dark or light.
var (
	ink    = color.RGBA{1, 2, 3, 255}
	faint  = color.RGBA{4, 5, 6, 255}
	filled = color.RGBA{7, 8, 9, 255}

	themed = strings.NewReplacer("#010203", "var(--ink)", "#040506", "var(--line)", "#070809", "var(--accent)")
)

func (h *histogram) chart(title, unit, of string) chart {
	p := newPlot(title, unit)
	width := (h.high - h.low) / float64(len(h.bins))
	bars := &plotter.Histogram{FillColor: filled, LineStyle: draw.LineStyle{Color: filled, Width: vg.Points(0.4)}, Width: width}
	for i, n := range h.bins {
		low := h.low + float64(i)*width
		bars.Bins = append(bars.Bins, plotter.HistogramBin{Min: low, Max: low + width, Weight: n})
	}
	p.Add(grid(), bars)
	p.X.Min, p.X.Max, p.Y.Min = h.low, h.high, 0
	caption := thousands(h.n) + " " + of
	if h.over > 0 {
		caption += fmt.Sprintf("; %s above %.4g are in the last bar", thousands(h.over), h.high)
	}
	return chart{title, caption, render(p)}
}

// chart of counts leaves zero out, which would hide the rest, and says it.
func (t *tally) chart(title, unit string) (chart, error) {
	p := newPlot(title, unit)
	values := plotter.Values(t.of[1:])
	bars, err := plotter.NewBarChart(values, vg.Points(16))
	if err != nil {
		return chart{}, err
	}
	bars.Color, bars.LineStyle.Color = filled, filled
	p.Add(grid(), bars)
	p.Y.Min = 0
	var names []string
	for i := range values {
		names = append(names, fmt.Sprint(i+1))
	}
	names[len(names)-1] = fmt.Sprintf("%d+", len(names))
	p.NominalX(names...)
	p.X.Tick.LineStyle.Width, p.X.LineStyle.Width = 0, vg.Points(0.6)
	return chart{title, fmt.Sprintf("passages quoted at least once; %s never were", thousands(int64(t.of[0]))), render(p)}, nil
}

func newPlot(title, unit string) *plot.Plot {
	p := plot.New()
	sans := font.Font{Typeface: "Liberation", Variant: "Sans"}
	p.BackgroundColor = color.Transparent
	p.Title.Text, p.X.Label.Text = "", unit // the page has the title
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle = draw.LineStyle{Color: faint, Width: vg.Points(0.6)}
		a.Tick.LineStyle = a.LineStyle
		a.Tick.Label.Color, a.Label.TextStyle.Color = ink, ink
		a.Tick.Label.Font, a.Label.TextStyle.Font = sans, sans
		a.Tick.Label.Font.Size, a.Label.TextStyle.Font.Size = 11, 11
		a.Tick.Length = vg.Points(3)
	}
	return p
}

func grid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Width = 0
	g.Horizontal = draw.LineStyle{Color: faint, Width: vg.Points(0.4)}
	return g
}

var head = regexp.MustCompile(`(?s)^.*?<svg[^>]*>`)

// render is the drawing as an element for the page, in the page's colours. All
// text in it is ours: numbers and names of axes.
func render(p *plot.Plot) template.HTML {
	const width, height = 420, 200
	c := vgsvg.New(width, height)
	p.Draw(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return "" // a buffer does not refuse
	}
	svg := head.ReplaceAllString(b.String(), fmt.Sprintf(`<svg viewBox="0 0 %d %d" aria-hidden="true">`, width, height))
	return template.HTML(themed.Replace(svg))
}
