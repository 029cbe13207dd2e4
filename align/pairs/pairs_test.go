package pairs

import (
	"fmt"
	"testing"

	"github.com/commonplace/commonplace"
)

func TestRules(t *testing.T) {
	at := func(date string) *commonplace.Document { return &commonplace.Document{Date: date} }
	in := func(series string) *commonplace.Document {
		d := &commonplace.Document{Author: "A"}
		if series != "" {
			d.Metadata = []commonplace.Field{{Name: "series", Value: series}}
		}
		return d
	}
	about := func(terms ...string) *commonplace.Document {
		d := &commonplace.Document{}
		for _, term := range terms {
			d.Metadata = append(d.Metadata, commonplace.Field{Name: "term", Value: term})
		}
		return d
	}
	term := Rules{Differ: []string{"term"}}
	older, near := Rules{Order: Older}, Rules{Days: 30}
	series, author := Rules{Differ: []string{"series"}}, Rules{Differ: []string{"series", "author"}}
	for _, c := range []struct {
		rules           Rules
		source, derived *commonplace.Document
		allowed         bool
		is              string
	}{
		{Rules{}, at("1900"), at("1850"), true, "newer"},
		{older, at("1850-01-02"), at("1850-01-03"), true, "older"},
		{older, at("1850-01-03"), at("1850-01-02"), false, "newer"},
		{older, at("1850-01-03"), at("1850-01-03"), true, ""},
		{older, at("1850"), at("1850-01-02"), true, ""}, // the year may be January
		{older, at("1851"), at("1850-12-31"), false, "newer"},
		{older, at("1850-02"), at("1850-01-31T10:00:00Z"), false, "newer"},
		{older, at("0987"), at("1066-10-14"), true, "older"},
		{older, at("about 1850"), at("1800"), true, ""},
		{older, at(""), at("1800"), true, ""},
		{older, at("1850-13"), at("1800"), true, ""},
		{near, at("1850-01-01"), at("1850-01-31"), true, "older"},
		{near, at("1850-01-01"), at("1850-02-01"), false, "older"},
		{near, at("1850-02-01"), at("1850-01-01"), false, "newer"},
		{near, at("1850"), at("1851-01-30"), true, "older"},
		{near, at("1850"), at("1851-01-31"), false, "older"},
		{near, at("1850"), at("never"), true, ""},
		{series, in("s"), in("s"), false, ""},
		{series, in("s"), in("t"), true, ""},
		{series, in(""), in(""), true, ""},
		{author, in("s"), in("t"), false, ""},
		{term, about("mills", "proverbs"), about("proverbs"), false, ""}, // not only the first
		{term, about("mills", "proverbs"), about("oil"), true, ""},
	} {
		if got := fmt.Sprint(c.rules.Allow(c.source, c.derived), SourceIs(c.source, c.derived)); got != fmt.Sprint(c.allowed, c.is) {
			t.Errorf("%+v: %s %v, %s %v: got %s", c.rules, c.source.Date, c.source.Metadata, c.derived.Date, c.derived.Metadata, got)
		}
	}
}
