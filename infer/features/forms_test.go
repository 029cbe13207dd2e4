package features

import (
	"maps"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// In another language than English n-grams are of the lemmas that a list has, and of other words as they stand.
func TestBagOfForms(t *testing.T) {
	v := NewVocabulary(false)
	var err error
	if v.Forms, err = ParseForms("amat amo\namavit amo\nest sum\n"); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader([]string{"words"})
	if err != nil {
		t.Fatal(err)
	}
	bag, x, terms := NewBag(v), make([]float32, 1), map[string]int{}
	for range 2 { // the second passage has nothing of the first
		if err := bag.Read(r, &commonplace.Passage{Text: "Amavit, amat — deus est."}, x); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range bag.Terms() {
		terms[v.Term(id)] = bag.Times(id)
	}
	want := map[string]int{"amo": 2, "deus": 1, "sum": 1, "amo amo": 1, "amo deus": 1, "deus sum": 1, "amo amo deus": 1, "amo deus sum": 1}
	if !maps.Equal(terms, want) {
		t.Errorf("the terms are %v, expected %v", terms, want)
	}
}

func TestParseForms(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "there is no form in it",
		"amat amo\n\n":            `line 2: "" is no form`,
		"amat\n":                  `line 1: "amat" is no form`,
		"amat amo bene\n":         `line 1: "amat amo bene" is no form`,
		"amat  amo\n":             `line 1: "amat  amo" is no form`,
		"amat amo\r\n":            `line 1: "amat amo\r" is no form`,
		"Amat amo\n":              `line 1: "Amat amo" has a capital letter`,
		"amat Amo\n":              `line 1: "amat Amo" has a capital letter`,
		"amat amo\namat amatus\n": `line 2: the form "amat" stands there twice`,
	} {
		if _, err := ParseForms("\ufeff" + text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, expected %q", text, err, want)
		}
	}
}
