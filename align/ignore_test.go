package align

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// A phrase of the user's list is no evidence: alone, in part, or twice it is no match, with
// other words it is found whole, and without the list it is found.
func TestIgnoredPhrases(t *testing.T) {
	c := made()
	r := rand.New(rand.NewPCG(3, 4))
	_, formula := c.Cut(r, 24)
	_, quote := c.Cut(r, 30)
	words, half := strings.Fields(formula), strings.Fields(quote)
	before, behind := strings.Join(half[:15], " "), strings.Join(half[15:], " ")
	source := essay(r, c, 0).Text + " " + formula + ". " + essay(r, c, 0).Text + " " + before + " " + formula + " " + behind + ". " + essay(r, c, 0).Text
	find := func(o Options, text string) []commonplace.Alignment {
		t.Helper()
		a := New(o)
		a.Add("source", source)
		for i, b := range c.books {
			a.Add(string(rune('a'+i)), b.Text[:len(b.Text)/8])
		}
		rows, err := a.Find("derived", essay(r, c, 0).Text+" "+text+" "+essay(r, c, 0).Text)
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	with := Defaults()
	with.Ignore = &Ignored{Phrases: []string{"", "—", "another phrase", strings.ToUpper(strings.Join(words, " — "))}}
	for _, text := range []string{formula, strings.Join(words[2:], " "), formula + ", " + formula} {
		has := func(rows []commonplace.Alignment) bool {
			for _, a := range rows {
				if a.SourceID == "source" {
					return true
				}
			}
			return false
		}
		if !has(find(Defaults(), text)) {
			t.Errorf("%q is not found", text)
		}
		if has(find(with, text)) {
			t.Errorf("%q is found, and its phrase is ignored", text)
		}
	}
	whole := before + " " + formula + " " + behind
	found := false
	for _, a := range find(with, whole) {
		found = found || a.SourceID == "source" && strings.Contains(a.DerivedText, formula) && len(a.DerivedText) > len(whole)*9/10
	}
	if !found {
		t.Errorf("%q is not found whole", whole)
	}
}

// A phrase that is damaged on one side is ignored by the other side, where it is whole.
func TestIgnoredOnEitherSide(t *testing.T) {
	c := made()
	r := rand.New(rand.NewPCG(5, 6))
	_, formula := c.Cut(r, 24)
	words := strings.Fields(formula)
	for i := 4; i < len(words); i += 6 {
		words[i] = strings.Repeat("x", 1+len(words[i])/2)
	}
	damaged := strings.Join(words, " ")
	find := func(o Options, source, derived string) bool {
		t.Helper()
		a := New(o)
		a.Add("source", essay(r, c, 0).Text+" "+source+". "+essay(r, c, 0).Text)
		for i, b := range c.books {
			a.Add(string(rune('a'+i)), b.Text[:len(b.Text)/8])
		}
		rows, err := a.Find("derived", essay(r, c, 0).Text+" "+derived+" "+essay(r, c, 0).Text)
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(rows, func(a commonplace.Alignment) bool { return a.SourceID == "source" })
	}
	with := Defaults()
	with.Ignore = &Ignored{Phrases: []string{formula}}
	for _, sides := range [][2]string{{formula, damaged}, {damaged, formula}} {
		if !find(Defaults(), sides[0], sides[1]) {
			t.Errorf("%q is not found in %q", sides[1], sides[0])
		}
		if find(with, sides[0], sides[1]) {
			t.Errorf("%q is found in %q, and the phrase is ignored", sides[1], sides[0])
		}
	}
}

// The search for inflected words ignores a phrase in all its cases.
func TestIgnoredInflected(t *testing.T) {
	c := made()
	r := rand.New(rand.NewPCG(7, 8))
	const phrase = "omnibus civibus huius magnae urbis consules gravissimi salutem plurimam semper dicebant"
	const other = "omnes cives huius magnae urbis consulibus gravissimis salutem plurimam semper dicunt"
	o := Defaults()
	for _, list := range []*Ignored{nil, {Phrases: []string{phrase}}} {
		o.Ignore = list.Uninflected("la")
		a := New(o)
		for i, text := range []string{essay(r, c, 0).Text + " " + phrase + ". " + essay(r, c, 0).Text, c.books[0].Text[:2000]} {
			a.Add(string(rune('a'+i)), Uninflected(commonplace.Document{Text: text}, "la").Text)
		}
		rows, err := a.Find("derived", Uninflected(commonplace.Document{Text: essay(r, c, 0).Text + " " + other + ". " + essay(r, c, 0).Text}, "la").Text)
		if err != nil {
			t.Fatal(err)
		}
		if found := slices.ContainsFunc(rows, func(a commonplace.Alignment) bool { return a.SourceID == "a" }); found != (list == nil) {
			t.Errorf("%v: found %v", list, found)
		}
	}
}

func TestReadIgnored(t *testing.T) {
	list, err := ReadIgnored("p.txt", []byte("\ufeff# formulas of speeches\n\n  Fellow-citizens of the Senate \r\nGod bless you"))
	if err != nil || strings.Join(list.Phrases, "|") != "Fellow-citizens of the Senate|God bless you" {
		t.Errorf("%v %v", list, err)
	}
	for _, name := range []string{"p.csv", "P.JSONL", "p.txt.gz"} {
		if _, err := ReadIgnored(name, []byte("id,phrase\n1,God bless you\n")); err == nil || !strings.Contains(err.Error(), "one a line in a text") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct{ file, want string }{
		{"", "it has no phrases"}, {"# none\n", "it has no phrases"}, {"one\n\xff", "line 2 is not UTF-8"}, {"one\n---\n", `line 2, "---", has no letter`},
	} {
		if _, err := ReadIgnored("phrases", []byte(c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.file, err, c.want)
		}
	}
}

func FuzzReadIgnored(f *testing.F) {
	f.Add([]byte("one\n# two\nthree  four"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if list, err := ReadIgnored("p.txt", file); err == nil && (Options{Ignore: list}).phrases() == nil {
			t.Errorf("%q has phrases and none is looked up", file)
		}
	})
}
