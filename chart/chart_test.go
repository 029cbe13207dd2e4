package chart

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestRoundHistogram(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{-1.306, 2.947, "-1.4 -0.8 -0.2 0.4 1 1.6 2.2 2.8"},
		{0, 4, "0 0.5 1 1.5 2 2.5 3 3.5"},
		{0.3, 0.31, "0.3 0.3015 0.303 0.3045 0.306 0.3075 0.309"},
		{-370, 1200, "-400 -200 0 200 400 600 800 1000"},
	} {
		h := RoundHistogram(c.low, c.high, 40)
		if got := strings.Join(strings.Fields(strings.Join(h.Labels(), " ")), " "); got != c.want || h.Low > c.low || h.High < c.high || len(h.Bins) > 40 {
			t.Errorf("%v to %v: %s, %d bins from %v to %v", c.low, c.high, got, len(h.Bins), h.Low, h.High)
		}
	}
	if h := RoundHistogram(-1.306, 2.947, 40); h.Low != -1.4 {
		t.Errorf("from %v", h.Low)
	}
	if h := RoundHistogram(3, 3, 4); h.High != 4 || len(h.Bins) != 4 {
		t.Errorf("%+v", h)
	}
}

func TestHistogram(t *testing.T) {
	h := NewHistogram(0, 1, 10)
	for _, x := range []float64{-1, 0, 0.3, 0.7, 0.999, 1, 1.5, math.NaN()} {
		h.Add(x)
	}
	h.AddMany(0.25, 3)
	if want := []float64{2, 0, 3, 1, 0, 0, 0, 1, 0, 3}; !slices.Equal(h.Bins, want) {
		t.Errorf("%v, want %v", h.Bins, want)
	}
	if h.N != 10 || h.Over != 1 {
		t.Errorf("%d values, %d over", h.N, h.Over)
	}
	if got := strings.Join(h.Labels(), " "); got != "0  0.2  0.4  0.6  0.8 " {
		t.Error(got)
	}
	if got := strings.Join(NewHistogram(0, 400, 40).Labels(), " "); got != "0     50     100     150     200     250     300     350    " {
		t.Errorf("%q", got)
	}
	if h := NewHistogram(3, 3, 4); h.High != 4 {
		t.Errorf("nothing lies between 3 and %v", h.High)
	}
}

func TestTally(t *testing.T) {
	var y Tally
	y.Add(0, 5)
	y.Add(1, 2)
	y.Add(99, 1)
	b := y.Bars("quotations")
	if b.Values[0] != 2 || b.Values[10] != 1 || b.Labels[0] != "1" || b.Labels[10] != "11+" {
		t.Errorf("%+v", b)
	}
}

// What is drawn is well-formed, a bar a value, as high as the value says, and
// holds nothing but what it was given.
func TestSVG(t *testing.T) {
	b := Bars{Axis: `a < b & "c"`, Labels: []string{"<x>", "", "z"}, Values: []float64{1, 0, 4}}
	svg, err := b.SVG(Colours{Ink: "ink", Line: "line", Fill: "fill", Paper: "none"})
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := b.SVG(Colours{Ink: "ink", Line: "line", Fill: "fill", Paper: "none"}); again != svg {
		t.Error("two drawings of one thing differ")
	}
	var texts []string
	bars := 0
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			for _, a := range e.Attr {
				if strings.Contains(a.Value, "fill:fill") {
					bars++
				}
			}
		case xml.CharData:
			texts = append(texts, string(e))
		}
	}
	if bars != 2 {
		t.Errorf("%d bars, want one for each number above 0", bars)
	}
	for _, want := range []string{`a < b & "c"`, "<x>", "z", "0", "4"} {
		if !slices.Contains(texts, want) {
			t.Errorf("%q is not written: %q", want, texts)
		}
	}
	if _, err := (Bars{}).SVG(Paper); err == nil {
		t.Error("nothing was drawn")
	}
}

func TestScale(t *testing.T) {
	for most, want := range map[float64]string{0: "1 1", 1: "1 1", 4: "4 4", 6: "6 3", 11: "15 3", 450: "500 5", 23000: "25000 5"} {
		top, steps := scale(most)
		if got := fmt.Sprint(top, steps); got != want {
			t.Errorf("%v: %s, want %s", most, got, want)
		}
	}
}
