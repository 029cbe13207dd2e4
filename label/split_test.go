package label

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

func TestSplitShares(t *testing.T) {
	s := Defaults().Split
	n := map[string]int{}
	for i := range 20000 {
		n[s.Of(fmt.Sprint("quote ", i))]++
	}
	for name, share := range map[string]float64{Train: .8, Validation: .1, Test: .1} {
		if got := float64(n[name]) / 20000; math.Abs(got-share) > 0.01 {
			t.Errorf("%s has a share of %v, want %v", name, got, share)
		}
	}
	if s.Of("x") != s.Of("x") || len(n) != 3 {
		t.Errorf("splits are %v", n)
	}
}

// The values are Python's:
// int.from_bytes(hashlib.sha256(f"{seed}\0{group}".encode()).digest()[:8], "big") / 2**64
func TestSplitIsWhatPythonComputes(t *testing.T) {
	for _, c := range []struct {
		seed int64
		name string
		want float64
	}{
		{0, "to be or not to be", 0.2978955339713092},
		{-7, "愛", 0.17697185792472211},
	} {
		if got := fraction(c.seed, c.name); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%d, %q: %v, want %v", c.seed, c.name, got, c.want)
		}
	}
}

func TestSplitWithoutASplit(t *testing.T) {
	for _, c := range []struct {
		split Split
		never string
	}{
		{Split{Train: 1, By: ByQuote}, Test},
		{Split{Train: .5, Validation: .5, By: ByQuote}, Test},
		{Split{Train: .5, Test: .5, By: ByQuote}, Validation},
		{Split{Test: 1, By: ByQuote}, Train},
	} {
		if err := c.split.Validate(); err != nil {
			t.Error(err)
		}
		for i := range 1000 {
			if got := c.split.Of(fmt.Sprint(i)); got == c.never {
				t.Fatalf("%+v sent something to %s", c.split, got)
			}
		}
	}
}

func TestOptionsAreRefused(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"context_words is -1":   func(o *Options) { o.ContextWords = -1 },
		"min_similarity is 80":  func(o *Options) { o.MinSimilarity = 80 },
		"min_similarity is NaN": func(o *Options) { o.MinSimilarity = math.NaN() },
		"add up to 0.9":         func(o *Options) { o.Split.Test = 0 },
		"share of -0.1":         func(o *Options) { o.Split.Test = -0.1 },
		`split by "qoute"`:      func(o *Options) { o.Split.By = "qoute" },
	} {
		o := Defaults()
		change(&o)
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := Defaults().Validate(); err != nil {
		t.Error(err)
	}
}

func TestGroupOfAnAlignment(t *testing.T) {
	groups := map[string]commonplace.Group{"a": {Group: "to be or not to be", Work: "an earlier edition"}}
	a := commonplace.Alignment{ID: "a", QuoteID: "1", SourceID: "b"}
	for by, want := range map[string]string{ByQuote: "to be or not to be", ByExample: "a", ByDocument: "an earlier edition"} {
		o := Options{Groups: groups, Split: Split{By: by}}
		if got := o.group(a); got != want {
			t.Errorf("by %s: group %q, want %q", by, got, want)
		}
	}
	if got := (Options{}).group(a); got != "1" {
		t.Errorf("without groups: %q", got)
	}
	if got := (Options{Split: Split{By: ByDocument}}).group(a); got != "b" {
		t.Errorf("without works: %q", got)
	}
}

func TestNormalise(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " ,": "", "Don’t stop—now.": "dont stop now", "Ünïcode  42": "ünïcode 42",
	} {
		if got := Normalise(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
