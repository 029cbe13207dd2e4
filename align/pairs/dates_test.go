package pairs

import (
	"strings"
	"testing"
	"time"
)

func TestDates(t *testing.T) {
	for _, test := range []struct{ date, want string }{
		{"1850", "1850-01-01 1850-12-31"},
		{"1850-02", "1850-02-01 1850-02-28"},
		{"1848-02", "1848-02-01 1848-02-29"},
		{"1850-02-03", "1850-02-03 1850-02-03"},
		{"1850-02-03T23:59:59Z", "1850-02-03 1850-02-03"},
		{" 1850 ", "1850-01-01 1850-12-31"},
		{"185X", "1850-01-01 1859-12-31"},
		{"1850s", "1850-01-01 1859-12-31"},
		{"18XX", "1800-01-01 1899-12-31"},
		{"1850/1853", "1850-01-01 1853-12-31"},
		{"1850-03/1850-04", "1850-03-01 1850-04-30"},
		{"-0043", "-0043-01-01 -0043-12-31"},
		{"44 BC", "-0043-01-01 -0043-12-31"},
		{"44 BCE", "-0043-01-01 -0043-12-31"},
		{"1 BC", "0000-01-01 0000-12-31"},
		{"-0043-03-15", "-0043-03-15 -0043-03-15"},
		{"-0430/-0420", "-0430-01-01 -0420-12-31"},
		{"79 AD", "0079-01-01 0079-12-31"},
		{"AD 79", "0079-01-01 0079-12-31"},
		{"1855s", ""}, {"1853/1850", ""}, {"1850/", ""}, {"1850-13", ""}, {"1850-02-30", ""}, {"1850-00", ""},
		{"about 1850", ""}, {"1850-02-031", ""}, {"", ""}, {"-", ""}, {"/", ""}, {"12345", ""},
	} {
		got := ""
		if first, last, known := Days(test.date); known {
			got = written(first) + " " + written(last)
			if year, known := Year(test.date); !known || !strings.HasPrefix(got, time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Format("2006")) {
				t.Errorf("%q: the year is %d, %v", test.date, year, known)
			}
		}
		if got != test.want {
			t.Errorf("%q: %q, want %q", test.date, got, test.want)
		}
	}
}

// written is a day since 1970 as Go writes it.
func written(day int) string {
	return time.Unix(int64(day)*24*60*60, 0).UTC().Format(time.DateOnly)
}
