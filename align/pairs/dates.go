package pairs

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Days are the first and the last day that a date can mean, in days since 1970; false if
// it is none. A year alone is no day: 1850 may be January or December. Dates are, as in
// ISO 8601 and the Extended Date/Time Format,
//
//	1850   1850-03   1850-03-01   1850-03-01T10:00:00Z
//	185X   1850s     18XX         a decade, a century
//	1850/1853                     from the first to the last
//	-0043  44 BC     79 AD        -0043 is 44 BC, as the year 0 is 1 BC
//	[1850] 1850?     c. 1850      as catalogues write a date that is supplied or uncertain; its doubt is dropped
//	[1850]? c. [1850]  [1850/1853]  ~1850   the same in other orders
//	1850.   1850.0                a full stop at the end, and as pandas writes a year
//
// Years are those of the Gregorian calendar, also before there was one.
func Days(date string) (first, last int, known bool) {
	s := daysOf(date)
	return s.first, s.last, s.known
}

// Period is Days of a date that may also have .. for its first or its last day: 1850/.. or
// ../1865, from 1850 on or up to 1865.
func Period(date string) (first, last int, known bool) {
	from, to, _ := strings.Cut(strings.TrimSpace(date), "/")
	switch {
	case from == "..":
		_, last, known = Days(to)
		return math.MinInt, last, known
	case to == "..":
		first, _, known = Days(from)
		return first, math.MaxInt, known
	}
	return Days(date)
}

// Year is the first year that a date can mean, 0 for 1 BC; false if it is none.
func Year(date string) (year int, known bool) {
	s := daysOf(date)
	return s.year, s.known
}

// span is the first and the last day that a date can mean, in days since 1970.
type span struct {
	year        int // of the first
	first, last int
	known       bool
}

var (
	isoDate = regexp.MustCompile(`^(-?\d{4})(?:-(\d\d)(?:-(\d\d)(?:\D.*)?)?)?$`)
	vague   = regexp.MustCompile(`^(\d\d)(?:XX|xx)$|^(\d{3})(?:[Xx]|0s)$`)
	about   = regexp.MustCompile(`(?i)^(?:circa|ca?)[.\s]*`)
	point   = regexp.MustCompile(`\d\.0?$|\]\.$`) // 1850. of a catalogue, 1850.0 of pandas
	era     = regexp.MustCompile(`(?i)^(?:AD ([1-9]\d{0,3})|([1-9]\d{0,3}) (?:AD|CE)|([1-9]\d{0,3}) (?:BC|BCE))$`)
)

func daysOf(date string) span {
	from, to, is := strings.Cut(withoutDoubt(date), "/")
	a := withoutSlash(from)
	if !is {
		return a
	}
	b := withoutSlash(to)
	return span{a.year, a.first, b.last, a.known && b.known && a.first <= b.last}
}

// withoutSlash reads a date that is no period from one to another.
func withoutSlash(date string) span {
	date = withoutDoubt(date)
	number := func(digits string) int {
		n, _ := strconv.Atoi(digits)
		return n
	}
	if m := isoDate.FindStringSubmatch(date); m != nil {
		year, month, day := number(m[1]), number(m[2]), number(m[3])
		first := time.Date(year, time.Month(max(month, 1)), max(day, 1), 0, 0, 0, 0, time.UTC)
		if m[2] != "" && int(first.Month()) != month || m[3] != "" && first.Day() != day {
			return span{} // no such day
		}
		switch {
		case m[3] != "":
			return spanOf(first, 0, 0, 1)
		case m[2] != "":
			return spanOf(first, 0, 1, 0)
		}
		return yearsOf(year, 1)
	}
	if m := vague.FindStringSubmatch(date); m != nil {
		if m[1] != "" {
			return yearsOf(100*number(m[1]), 100)
		}
		return yearsOf(10*number(m[2]), 10)
	}
	if m := era.FindStringSubmatch(date); m != nil {
		if m[3] != "" {
			return yearsOf(1-number(m[3]), 1)
		}
		return yearsOf(number(m[1]+m[2]), 1)
	}
	return span{}
}

// withoutDoubt is a date without the signs that it is supplied, approximate or uncertain, in
// whatever order they stand: c. [1850], [1850]?, ~1850. A full stop ends a catalogue's entry.
func withoutDoubt(date string) string {
	for {
		before := date
		date = strings.TrimSpace(date)
		if inner, in := strings.CutPrefix(date, "["); in && strings.IndexAny(inner, "[]") == len(inner)-1 && strings.HasSuffix(inner, "]") {
			date = strings.TrimSuffix(inner, "]")
		}
		date = about.ReplaceAllString(date, "")
		date = strings.TrimPrefix(strings.TrimRight(date, "?~%"), "~")
		if point.MatchString(date) {
			date = date[:strings.LastIndexByte(date, '.')]
		}
		if date == before {
			return date
		}
	}
}

// yearsOf are n years.
func yearsOf(year, n int) span {
	return spanOf(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC), n, 0, 0)
}

// spanOf begins at a day and is so long.
func spanOf(first time.Time, years, months, days int) span {
	return span{first.Year(), day(first), day(first.AddDate(years, months, days)) - 1, true}
}

// day counts from 1970. The time is the beginning of a day.
func day(t time.Time) int { return int(t.Unix() / (24 * 60 * 60)) }
