// Package chart draws distributions as SVG without a script, in colours that the
// caller names, so that a page can let them follow the reader's choice of dark
// or light.
//
//	h := chart.NewHistogram(0, 400, 40)
//	h.Add(137)
//	svg, err := chart.Bars{Axis: "words", Values: h.Bins, Labels: h.Labels()}.SVG(chart.Paper)
//
// The same values and colours give the same bytes.
package chart

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-analyze/charts"
)

// Bars is one drawing: a bar a value, from 0.
type Bars struct {
	Axis   string   // what the labels count
	Labels []string // one a value; empty ones are left out
	Values []float64
}

// Colours are CSS colours. Paper may be "none".
type Colours struct{ Ink, Line, Fill, Paper string }

// Paper is for drawings that stand alone, on white.
var Paper = Colours{Ink: "#3a3731", Line: "#ddd8cc", Fill: "#2f5d62", Paper: "#fff"}

// Width and Height are the size of every drawing, in CSS pixels.
const Width, Height = 560, 260

// Colours that the library is given; what it writes is replaced by the caller's.
var (
	ink   = charts.Color{R: 1, G: 2, B: 3, A: 255}
	line  = charts.Color{R: 4, G: 5, B: 6, A: 255}
	fill  = charts.Color{R: 7, G: 8, B: 9, A: 255}
	paper = charts.Color{R: 10, G: 11, B: 12, A: 255}
)

var theme = charts.MakeTheme(charts.ThemeOption{
	AxisStrokeColor: line, AxisSplitLineColor: line, BackgroundColor: paper,
	TextColor: ink, SeriesColors: []charts.Color{fill},
})

// SVG is the drawing as an svg element. Nothing but numbers, Axis and Labels is
// in its text; the library escapes it.
func (b Bars) SVG(c Colours) (string, error) {
	if len(b.Values) == 0 || len(b.Labels) != len(b.Values) {
		return "", fmt.Errorf("chart: %d labels for %d values", len(b.Labels), len(b.Values))
	}
	values := slices.Clone(b.Values)
	for i, v := range values {
		if v == 0 {
			values[i] = charts.GetNullValue() // else it draws a line
		}
	}
	o := charts.NewBarChartOptionWithData([][]float64{values})
	o.Theme = theme
	o.Padding = charts.NewBox(8, 10, 18, 2) // the last label needs room
	o.BarSize = 0.92
	o.Legend.Show = charts.Ptr(false)
	o.CategoryAxis.Title, o.CategoryAxis.Labels = b.Axis, b.Labels
	o.CategoryAxis.LabelCount = len(b.Labels) // the caller leaves out what has no room
	o.CategoryAxis.LabelFontStyle.FontSize, o.CategoryAxis.TitleFontStyle.FontSize = labelSize, labelSize
	o.ValueAxis[0].LabelFontStyle.FontSize = labelSize
	o.ValueAxis[0].Min = charts.Ptr(0.0)
	top, steps := scale(slices.Max(b.Values))
	o.ValueAxis[0].Max, o.ValueAxis[0].LabelCount = &top, steps+1
	o.ValueAxis[0].RangeValuePaddingScale = charts.Ptr(0.0)
	p := charts.NewPainter(charts.PainterOptions{OutputFormat: charts.ChartOutputSVG, Width: Width, Height: Height, Theme: theme})
	if err := p.BarChart(o); err != nil {
		return "", fmt.Errorf("chart: %w", err)
	}
	raw, err := p.Bytes()
	if err != nil {
		return "", fmt.Errorf("chart: %w", err)
	}
	svg := strings.NewReplacer(
		"rgb(1,2,3)", c.Ink, "rgb(4,5,6)", c.Line, "rgb(7,8,9)", c.Fill, "rgb(10,11,12)", c.Paper,
		"'Roboto Medium',sans-serif", "system-ui,'Segoe UI',Roboto,'Liberation Sans',sans-serif",
		` xmlns:xlink="http://www.w3.org/1999/xlink"`, fmt.Sprintf(` width="%d" height="%d"`, Width, Height),
	).Replace(string(raw))
	if strings.Contains(svg, "rgb(") {
		return "", errors.New("chart: the library drew in a colour that nobody chose")
	}
	return svg, nil
}

const labelSize = 9 // points

// scale is where the axis of values ends, and in how many steps of whole numbers
// (the library's own are fractions, which counts are not).
func scale(most float64) (top float64, steps int) {
	for unit := 1.0; ; unit *= 10 {
		for _, step := range []float64{unit, 2 * unit, 5 * unit} {
			if n := max(1, math.Ceil(most/step)); n <= 5 {
				return n * step, int(n)
			}
		}
	}
}
