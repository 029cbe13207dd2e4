package quotus

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

func TestDate(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"2009-01-20-inaugural.txt", "", "2009-01-20"},
		{"speeches/20090120.txt", "", "2009-01-20"},
		{"a.zip:dir/2009_01_20.txt", "", "2009-01-20"},
		{"2009-02-30.txt", "", "2009"},
		{"1945-Truman.txt", "ADDRESS BEFORE CONGRESS\n\nAPRIL 16, 1945\n\nMr. Speaker:", "1945-04-16"},
		{"1945-Truman.txt", "Mr. Speaker:\n\nOn April 12, 1945 we lost a great man.", "1945"},
		{"1945-Truman.txt", "As on April 12, 1944.", "1945"},
		{"remarks.txt", "Remarks\n\nMarch 5, 2009\n\nThank you.", "2009-03-05"},
		{"remarks.txt", "\r\nFebruary 31, 2009\r\n", ""},
		{"remarks.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\nMarch 5, 2009", ""},
		{"x120090120.txt", "", ""},
		{"", "", ""},
	} {
		if got := Date(c.name, c.text); got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

func TestReadList(t *testing.T) {
	var got []string
	for q, r := range ReadList(context.Background(), "../../testdata/sources/quotus/quotes.json", "s", bounded.Limits{}) {
		if r != nil {
			t.Fatalf("%+v", r)
		}
		got = append(got, fmt.Sprintf("%s %s %s %s", q.ID, q.Author, q.Work, q.Source))
	}
	want := []string{"1.11 THE MAYOR 2009-03-04-harbour s", "1.12 THE MAYOR 2009-03-04-harbour s", "2.21 THE MAYOR lamp-works s"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, err := range ReadList(context.Background(), "nothing.json", "s", bounded.Limits{}) {
		if r := commonplace.RejectOf(err); r == nil || r.Reason != "unreadable" {
			t.Errorf("%v", err)
		}
	}
}

// FuzzDate: a day that there is, a year, or nothing.
func FuzzDate(f *testing.F) {
	f.Add("2009-02-29.txt", "January 20, 2009")
	f.Add("a:1945.txt", "\xff\nFEBRUARY 31, 1945\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		got := Date(name, text)
		if _, err := time.Parse(time.DateOnly, got); err != nil && got != "" && (len(got) != 4 || strings.Trim(got, "0123456789") != "") {
			t.Errorf("%q, %q: %q", name, text, got)
		}
	})
}
