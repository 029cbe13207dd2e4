package label

import (
	"fmt"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

func TestClusters(t *testing.T) {
	row := func(id, source string, begin, end int64) commonplace.Alignment {
		return commonplace.Alignment{ID: id, SourceID: source, SourceBegin: begin, SourceEnd: end}
	}
	got := Clusters([]commonplace.Alignment{
		row("late", "x", 60, 80), row("whole", "x", 0, 100), row("shifted", "x", 95, 200), row("touching", "x", 200, 210),
		row("y", "y", 60, 80), row("half", "x", 150, 250), row("y2", "y", 61, 79),
	})
	for id, want := range map[string]string{
		"whole": "x:0-100", "late": "x:0-100", // inside
		"shifted": "x:95-250", "half": "x:95-250", "touching": "x:95-250", // a chain of halves
		"y": "y:60-80", "y2": "y:60-80",
	} {
		if got[id] != want {
			t.Errorf("%s is in %s, want %s", id, got[id], want)
		}
	}
}

func TestLeakCheck(t *testing.T) {
	c := NewLeakCheck("quote")
	for range 2 {
		c.Add("a", Train)
		c.Add("b", Test)
	}
	if err := c.Err(); err != nil || c.Keys() != 2 {
		t.Fatalf("no leak yet: %v", err)
	}
	c.Add("b", Train)
	c.Add("c", Train)
	c.Add("b", Validation)
	want := `1 of 3 quotes are in more than one split: "b" in test and train and validation; nothing was committed: group what belongs together before it is split`
	if err := c.Err(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	for i := range 9 {
		c.Add(fmt.Sprint("k", i), Train)
		c.Add(fmt.Sprint("k", i), Test)
	}
	if err := c.Err(); !strings.Contains(err.Error(), "10 of 12") || !strings.Contains(err.Error(), "and 5 more") {
		t.Error(err)
	}
}

// Examples by the default split never leak a quote; by example they do, and the
// check sees it.
func TestDefaultSplitDoesNotLeak(t *testing.T) {
	doc := commonplace.Document{ID: "b", Text: strings.Repeat("now is the time ", 40)}
	var rows []commonplace.Alignment
	for i := range 40 {
		rows = append(rows, at(doc, fmt.Sprint("q", i%3), 16*i, 16*i+15))
	}
	for by, leaks := range map[string]bool{ByQuote: false, ByDocument: false, ByExample: true} {
		o := Defaults()
		o.Split.By = by
		examples, _ := Triples(doc, cut(doc, 9), rows, o)
		c := NewLeakCheck("quote")
		for _, e := range examples {
			c.Add(e.QuoteID, e.Split)
		}
		if (c.Err() != nil) != leaks || c.Keys() != 3 {
			t.Errorf("by %s: %v", by, c.Err())
		}
	}
}

func TestDateSplit(t *testing.T) {
	for day, want := range map[string]string{
		"2009-01-01": Train, "2012-11-07": Train, "2012-11-07T23:59:59Z": Train, "2012-11-08": Validation,
		"2013-06-19": Validation, "2013-06-20": Test, "2014-12-31": Test,
		"2008-12-31": "", "2015-01-01": "", "": "", "2012-02-30": "", "yesterday!": "",
	} {
		if got, err := QuotusDates.Of(day); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", day, got, err)
		}
	}
	whole := DateSplit{Begin: "1789-01-01", TrainLast: "1984-12-31", ValidationLast: "1992-06-30", TestLast: "2021-12-31"}
	for year, want := range map[string]string{"1789": Train, "1984": Train, "1985": Validation, "1993": Test, "1992": "", "2022": "", "85": ""} {
		if got, err := whole.Of(year); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", year, got, err)
		}
	}
	if err := QuotusDates.Validate(); err != nil {
		t.Error(err)
	}
	bad := QuotusDates
	bad.ValidationLast = "2011-01-01"
	if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), "2012-11-07 comes after 2011-01-01") {
		t.Error(err)
	}
	bad.TestLast = "2014"
	if (DateSplit{}).Validate() == nil || bad.Validate() == nil {
		t.Error("what is no day was taken")
	}
}
