package label

import (
	"strings"
	"testing"
)

func TestSpanCheck(t *testing.T) {
	c := NewSpanCheck()
	c.Add("b", 30, 40, Test)
	c.Add("b", 0, 10, Train)
	c.Add("b", 10, 30, Test) // touches, shares nothing
	c.Add("b", 2, 5, Train)
	c.Add("other", 0, 10, Validation)
	if err := c.Err(); err != nil || c.Regions() != 4 {
		t.Fatalf("no leak yet: %v, %d regions", err, c.Regions())
	}
	c.Add("b", 4, 7, Validation)
	if err := c.Err(); err == nil || !strings.Contains(err.Error(), "b[0:10] in train and [4:7] in validation") {
		t.Errorf("a quote inside another of train is in validation: %v", err)
	}
}

func TestDayCheck(t *testing.T) {
	c := NewDayCheck()
	for day, split := range map[string]string{"2009-03-02": Train, "2009-03-03": Train, "2012-12-10": Validation, "2013-09-05": Test} {
		c.Add(day, split)
		c.Add(day, split)
	}
	if err := c.Err(); err != nil || c.Days() != 4 {
		t.Fatalf("%v, %d days", err, c.Days())
	}
	c.Add("2014-01-01", Train)
	if err := c.Err(); err == nil || !strings.Contains(err.Error(), "2014-01-01 is in train after 2013-09-05 in test") {
		t.Error(err)
	}
	c = NewDayCheck()
	c.Add("2009-03-02", Train)
	c.Add("2009-03-02", Test)
	if err := c.Err(); err == nil || !strings.Contains(err.Error(), "train and test") {
		t.Error(err)
	}
}
