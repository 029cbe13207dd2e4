package export

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/commonplace/commonplace/table"
)

// What is written has every column of its table, with the same words about it.
func TestRowsHaveTheTablesColumns(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		written := map[string]table.Column{}
		for _, c := range k.features().columns {
			written[c.Name] = c
		}
		of, _ := table.Named(k.Name)
		for _, c := range of.Describe().Columns {
			w, ok := written[c.Name]
			if !ok {
				t.Errorf("%s.%s is not exported", k.Name, c.Name)
			}
			if k.features().labels[c.Name] == nil && (w.Doc != c.Doc || w.Type != c.Type) {
				t.Errorf("%s.%s is %s %q, was %s %q", k.Name, c.Name, w.Type, w.Doc, c.Type, c.Doc)
			}
		}
	}
}

// datasets knows the types of values by these names, and refuses a card with another.
func TestFeaturesHaveTypesThatDatasetsKnows(t *testing.T) {
	t.Parallel()
	known := regexp.MustCompile(`^(string|int64|float64|bool)$`)
	for _, k := range kinds() {
		f := k.features()
		for _, m := range regexp.MustCompile(`"dtype":"([^"]*)"`).FindAllStringSubmatch(f.json(), -1) {
			if !known.MatchString(m[1]) {
				t.Errorf("the footer of %s has the type %q", k.Name, m[1])
			}
		}
		for _, m := range regexp.MustCompile(`(?m)(?:dtype|sequence): (.+)$`).FindAllStringSubmatch(f.yaml(0), -1) {
			if !known.MatchString(m[1]) {
				t.Errorf("the card of %s has the type %q", k.Name, m[1])
			}
		}
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]bool{
		"": false, "CC0": true, "cc0 1.0": true, "CC BY 4.0": true, "cc-by-sa-3.0": true, "CC BY-SA": true, "Public domain in the USA.": true,
		"pd": true, "pdus": true, "cc-zero": true, "Creative Commons Attribution 4.0": true,
		"CC BY-NC 4.0": false, "cc-by-nd-4.0": false, "cc-by-nc-sa": false, "in copyright": false, "ic": false, "und": false,
		"not in the public domain": false, "Copyrighted. Read the copyright notice inside this book for details.": false, "Creative Commons": false,
		"public domainish":       false,
		"Public Domain Mark 1.0": true, "CC0-1.0": true, "CC0 1.0 Universal": true, "CC BY-SA 4.0 International": true, "cc-by-3.0-us": true, "public domain in the United States": true, "No known copyright restrictions.": true,
		" ": false, "unknown": false, "n/a": false, "?": false, "cc": false, "cc-by-": false, "PDM?": false, "pd?": false, "open": false,
		"CC BY 4.0 NC": false, "CC BY 4.0, non-commercial": false, "cc-by-4.0-nc": false, "CC BY-NC": false, "CC BY 4.0 (text only)": false,
		"Public domain in the USA; all rights reserved elsewhere": false, "public domain (non-commercial use only)": false, "public domain in some countries": false, "Public domain? Not known": false,
		"CC BY-NCSA 4.0": false, "CC-BY-NCND": false, "CC BY NCSA": false, "CC BY revoked": false, "CC BY pending": false, "CC BY 2.0 fake": false,
		"public domain in no country": false, "public domain in germany from mmxl": false, "public domain in the U.S.A.": true, "public domain within the European Union": true,
		"Creative Commons Attribution 3.0 Unported License": true, "Creative Commons Attribution someday": false,
		"No known copyright holder; permission is needed": false, "CC0 for the metadata, the text is all rights reserved": false, "Creative Commons Attribution NoDerivatives": false, "Creative Commons Attribution 4.0 noncommercial": false,
	} {
		if Open(statement) != want {
			t.Errorf("%q: %v", statement, !want)
		}
	}
	for statement, want := range map[string]string{"": "unknown", "CC0": "cc0-1.0", "cc by": "cc-by-4.0", "CC BY-SA 3.0": "cc-by-sa-3.0", "ic": "other", "Public domain": "public-domain"} {
		if got := hubLicence(statement); got != want {
			t.Errorf("%q: %s, want %s", statement, got, want)
		}
	}
}

func TestDistribution(t *testing.T) {
	t.Parallel()
	d := newDistribution("", 1)
	for _, x := range []float64{3, 1, 10, 2} {
		d.add(x)
	}
	if d.Mean() != 4 || d.Median() != 2.5 || d.Least() != 1 || d.Most() != 10 || d.quantile(0.75) != 3 {
		t.Errorf("%v %v %v %v %v", d.Mean(), d.Median(), d.Least(), d.Most(), d.quantile(0.75))
	}
	d.add(2)
	if d.Median() != 2 {
		t.Error(d.Median())
	}
	s := newDistribution("", 1000)
	s.add(0.25)
	s.add(0.75)
	if s.Median() != 0.5 || s.Mean() != 0.5 {
		t.Errorf("%v %v", s.Median(), s.Mean())
	}
}

func TestDates(t *testing.T) {
	t.Parallel()
	d := dates{}
	d.add("train", "2010-01-01")
	d.add("train", "2011-01-01")
	d.add("test", "2011-01-02")
	if d.overlap() != "" {
		t.Error(d.overlap())
	}
	d.add("test", "2011-01-01")
	if d.overlap() != "train and test" {
		t.Error(d.overlap())
	}
}

// Any text comes back from a JSON string as it was, and the string is one line
// for every reader of lines.
func FuzzString(f *testing.F) {
	for _, s := range []string{"", "plain", `a "quote" \ and`, "\n\r\t\x00\x1f\x7f", "é 𝔘 🙂 \u2028\u2029\u0085\ufeff", "</script>&"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return // JSON has no other strings
		}
		b := appendString(nil, s)
		var back string
		if err := json.Unmarshal(b, &back); err != nil || back != s {
			t.Errorf("%q became %s and %q: %v", s, b, back, err)
		}
		if strings.ContainsAny(string(b), "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029") {
			t.Errorf("%q is more than one line: %s", s, b)
		}
	})
}
