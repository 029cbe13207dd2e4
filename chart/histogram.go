package chart

import (
	"math"
	"strconv"
)

// Histogram counts values in bins of equal width. What lies outside goes to the
// first or last bin.
type Histogram struct {
	Low, High float64
	Bins      []float64
	N         int64 // values
	Over      int64 // of them, above High
}

// NewHistogram has n bins from low to high.
func NewHistogram(low, high float64, n int) *Histogram {
	if !(high > low) {
		high = low + 1
	}
	return &Histogram{Low: low, High: high, Bins: make([]float64, n)}
}

// RoundHistogram has up to most bins whose bounds are round numbers, such as -0.5, 0 and
// 0.5, and which hold all from low to high.
func RoundHistogram(low, high float64, most int) *Histogram {
	if !(high > low) {
		return NewHistogram(low, high, most)
	}
	for unit := math.Pow(10, math.Floor(math.Log10((high-low)/float64(most)))); ; unit *= 10 {
		for _, step := range []float64{unit, 2 * unit, 5 * unit} {
			first, end := math.Floor(low/step+1e-9), math.Ceil(high/step-1e-9)
			if n := int(end - first); n <= most {
				if step < 1 { // divided by a whole number a bound is the nearest float to it
					return NewHistogram(first/math.Round(1/step), end/math.Round(1/step), n)
				}
				return NewHistogram(first*step, end*step, n)
			}
		}
	}
}

// Add counts a value; NaN is none.
func (h *Histogram) Add(x float64) { h.AddMany(x, 1) }

// AddMany counts a value n times.
func (h *Histogram) AddMany(x float64, n int64) {
	if math.IsNaN(x) {
		return
	}
	h.N += n
	if x > h.High {
		h.Over += n
	}
	// A value that is a bound up to rounding belongs to the bin that begins there.
	at := (x-h.Low)/(h.High-h.Low)*float64(len(h.Bins)) + 1e-9
	h.Bins[int(min(max(at, 0), float64(len(h.Bins)-1)))] += float64(n)
}

// Join adds the values of a histogram with the same bins.
func (h *Histogram) Join(other *Histogram) {
	h.N, h.Over = h.N+other.N, h.Over+other.Over
	for i, n := range other.Bins {
		h.Bins[i] += n
	}
}

// Labels are the lower bounds of as many bins as have room, nine at most.
func (h *Histogram) Labels() []string {
	labels := make([]string, len(h.Bins))
	every := (len(h.Bins) + 8) / 9
	width := (h.High - h.Low) / float64(len(h.Bins))
	for i := 0; i < len(labels); i += every {
		bound := h.Low + float64(i)*width
		if math.Abs(bound) < width/1e6 {
			bound = 0 // but for rounding
		}
		labels[i] = strconv.FormatFloat(bound, 'g', 4, 64)
	}
	return labels
}

// Bars is the drawing of the histogram.
func (h *Histogram) Bars(axis string) Bars {
	return Bars{Axis: axis, Labels: h.Labels(), Values: h.Bins}
}

// Tally counts small whole numbers, the last for all above.
type Tally [12]float64

// Add counts a number n times.
func (t *Tally) Add(x, n int64) { t[min(max(x, 0), int64(len(t)-1))] += float64(n) }

// Bars is the drawing of the tally. It leaves zero out, which would hide the
// rest: say it beside.
func (t *Tally) Bars(axis string) Bars {
	b := Bars{Axis: axis, Values: t[1:]}
	for i := range b.Values {
		b.Labels = append(b.Labels, strconv.Itoa(i+1))
	}
	b.Labels[len(b.Labels)-1] += "+"
	return b
}
