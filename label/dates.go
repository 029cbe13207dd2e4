package label

import (
	"fmt"
	"time"
)

// DateSplit assigns transcripts to splits by the day they are of, as Quotus does,
// so that a model is judged on what was said after all that it has learned.
// Each bound is the last day of its split, as YYYY-MM-DD.
type DateSplit struct {
	Begin          string // first day of train
	TrainLast      string
	ValidationLast string
	TestLast       string
}

// QuotusDates are the paper's (context-based quotation recommendation, "Dataset").
var QuotusDates = DateSplit{Begin: "2009-01-01", TrainLast: "2012-11-07", ValidationLast: "2013-06-19", TestLast: "2014-12-31"}

// Validate says in one sentence what cannot be meant, or nothing.
func (d DateSplit) Validate() error {
	last := ""
	for _, day := range []string{d.Begin, d.TrainLast, d.ValidationLast, d.TestLast} {
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			return fmt.Errorf("%q is not a day: give dates as YYYY-MM-DD", day)
		}
		if day < last {
			return fmt.Errorf("%s comes after %s: give the splits' days in order", last, day)
		}
		last = day
	}
	return nil
}

// Of is the split of a day, which may have a time after it, as RFC 3339 has, or of
// a year all of whose days are in one split. A day outside all splits, or none, is
// an error.
func (d DateSplit) Of(day string) (string, error) {
	if _, err := time.Parse("2006", day); err == nil {
		first, err := d.Of(day + "-01-01")
		if err != nil {
			return "", err
		}
		last, err := d.Of(day + "-12-31")
		if err != nil {
			return "", err
		}
		if first != last {
			return "", fmt.Errorf("the year %s begins in the split %s and ends in %s: give the day as YYYY-MM-DD", day, first, last)
		}
		return first, nil
	}
	if len(day) > len(time.DateOnly) {
		day = day[:len(time.DateOnly)]
	}
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return "", fmt.Errorf("%q is not a day of the form YYYY-MM-DD, or a year", day)
	}
	switch {
	case day < d.Begin || day > d.TestLast:
		return "", fmt.Errorf("%s is outside %s to %s", day, d.Begin, d.TestLast)
	case day <= d.TrainLast:
		return Train, nil
	case day <= d.ValidationLast:
		return Validation, nil
	}
	return Test, nil
}
