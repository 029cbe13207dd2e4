package terms

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/sorting"
)

var updateLanguage = flag.Bool("update", false, "write testdata/language.json anew; then run python3 models/shipped/language.py --check")

// spokenPassage is a passage of the tests.
type spokenPassage struct {
	Fold       int64    `json:"fold"`
	Words      []string `json:"words"`
	Quotations []int64  `json:"quotations"` // of each word
}

// spilling makes everything of more than some records go through files, and
// these through several merges.
func spilling(t *testing.T) {
	held, merged := sorting.HeldBytes, sorting.MergedRuns
	sorting.HeldBytes, sorting.MergedRuns = 2000, 3
	t.Cleanup(func() { sorting.HeldBytes, sorting.MergedRuns = held, merged })
}

func ngrams(t *testing.T, folds int, least int64, passages []spokenPassage) []commonplace.NGram {
	t.Helper()
	l := NewLanguage(folds, least, "")
	for _, p := range passages {
		words := make([]QuotedWord, len(p.Words))
		for i, w := range p.Words {
			words[i] = QuotedWord{w, p.Quotations[i]}
		}
		if err := l.Add(p.Fold, words); err != nil {
			t.Fatal(err)
		}
	}
	var rows []commonplace.NGram
	if err := l.NGrams(func(n commonplace.NGram) error { rows = append(rows, n); return nil }); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// somePassages have words by Zipf's law, some of them quoted whole and some in
// part, and words that are too long.
func somePassages(r *rand.Rand, n, folds int) []spokenPassage {
	list := make([]spokenPassage, n)
	for i := range list {
		p := spokenPassage{Fold: int64(r.IntN(folds))}
		begin, end, times := 0, 0, int64(0)
		size := r.IntN(30)
		if r.IntN(4) == 0 {
			begin, end, times = r.IntN(size+1), size, int64(r.IntN(9))
		}
		for k := range size {
			word := fmt.Sprintf("w%d", int(math.Pow(40, r.Float64())))
			if r.IntN(50) == 0 {
				word = ""
			}
			quoted := int64(0)
			if begin <= k && k < end {
				quoted = times
			}
			p.Words, p.Quotations = append(p.Words, word), append(p.Quotations, quoted)
		}
		list[i] = p
	}
	return list
}

// obviously is Language for one fold, or for none where it is -1: it reads the
// passages of the other folds and nothing else, but for which terms there are.
func obviously(fold, least int64, passages []spokenPassage) map[string]commonplace.NGram {
	in, background, quotable := map[string]int64{}, map[string]float64{}, map[string]float64{}
	for _, p := range passages {
		had := map[string]bool{}
		say := func(text string, quotations int64) {
			had[text] = true
			if p.Fold != fold {
				background[text]++
				quotable[text] += math.Log2(1 + float64(quotations))
			}
		}
		for i, w := range p.Words {
			if w != "" {
				say(w, p.Quotations[i])
			}
			if i > 0 && w != "" && p.Words[i-1] != "" {
				say(p.Words[i-1]+" "+w, min(p.Quotations[i-1], p.Quotations[i]))
			}
		}
		for term := range had {
			in[term]++
		}
	}
	maps.DeleteFunc(in, func(_ string, n int64) bool { return n < least })
	all, quoted := 0.0, 0.0
	for term := range in {
		if !strings.Contains(term, " ") {
			all += background[term]
			quoted += quotable[term]
		}
	}
	rate := 0.0
	if all > 0 {
		rate = quoted / all
	}
	weigh := func(text string, expected float64) float64 {
		return math.Log(quotable[text]+10) - math.Log(background[text]*expected+10)
	}
	rows := map[string]commonplace.NGram{}
	for term, n := range in {
		first, second, pair := strings.Cut(term, " ")
		weight := weigh(term, rate)
		if pair {
			weight = weigh(term, rate*math.Exp(weigh(first, rate))*math.Exp(weigh(second, rate)))
		}
		rows[term] = commonplace.NGram{Term: term, Fold: fold, Passages: n, Background: int64(background[term]), Quotable: quotable[term], Weight: weight}
	}
	return rows
}

func TestLanguageAgainstTheObviousWay(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for round := range 30 {
		if round == 10 { // through files from here on
			spilling(t)
			held := languageHeld
			languageHeld = 30
			t.Cleanup(func() { languageHeld = held })
		}
		folds, least := 1+r.IntN(5), int64(1+r.IntN(4))
		passages := somePassages(r, r.IntN(300), folds)
		got := ngrams(t, folds, least, passages)
		for i, g := range got {
			if i > 0 && (got[i-1].Term > g.Term || got[i-1].Term == g.Term && got[i-1].Fold >= g.Fold) {
				t.Fatalf("%v stands before %v", got[i-1], g)
			}
		}
		for fold := range int64(folds) + 1 {
			want := obviously(fold-1, least, passages)
			for _, g := range got {
				if g.Fold != fold-1 {
					continue
				}
				w, ok := want[g.Term]
				if !ok || g.Passages != w.Passages || g.Background != w.Background || math.Abs(g.Quotable-w.Quotable) > 1e-2 || math.Abs(g.Weight-w.Weight) > 1e-3 {
					t.Fatalf("%+v, want %+v", g, w)
				}
				delete(want, g.Term)
			}
			if len(want) > 0 {
				t.Fatalf("%d terms of fold %d are missing, such as %v", len(want), fold-1, slices.Sorted(maps.Keys(want))[0])
			}
		}
	}
}

func TestLanguageKnowsNothingOfTheFold(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	passages := somePassages(r, 300, 3)
	before := ngrams(t, 3, 2, passages)
	for i, p := range passages {
		if p.Fold == 1 {
			quotations := make([]int64, len(p.Words))
			for k := range quotations {
				quotations[k] = int64(r.IntN(100))
			}
			passages[i].Quotations = quotations
		}
	}
	changed := 0
	for i, n := range ngrams(t, 3, 2, passages) {
		switch {
		case n.Fold == 1 && n != before[i]:
			t.Errorf("%+v was %+v: it has heard of the quotations of its fold", n, before[i])
		case n != before[i]:
			changed++
		}
	}
	if changed < 100 {
		t.Errorf("only %d rows of other folds have changed", changed)
	}
}

func TestLanguageDoesNotDependOnOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 3))
	words, held := languageWords, languageHeld
	t.Cleanup(func() { languageWords, languageHeld = words, held })
	passages := somePassages(r, 400, 2)
	languageWords = 7
	want := ngrams(t, 2, 1, passages)
	kept := map[string]bool{}
	for _, n := range want {
		if !strings.Contains(n.Term, " ") {
			kept[n.Term] = true
		}
	}
	if len(kept) != 7 || !kept["w1"] || !kept["w2"] {
		t.Errorf("of all words %v are kept", slices.Sorted(maps.Keys(kept)))
	}
	for range 5 {
		r.Shuffle(len(passages), func(i, k int) { passages[i], passages[k] = passages[k], passages[i] })
		languageHeld = 10 + r.IntN(100)
		if !reflect.DeepEqual(ngrams(t, 2, 1, passages), want) {
			t.Fatal("another order, other rows")
		}
	}
}

func TestLanguageOfNothing(t *testing.T) {
	if rows := ngrams(t, 2, 1, nil); len(rows) != 0 {
		t.Errorf("%d rows of no passage", len(rows))
	}
	for _, n := range ngrams(t, 1, 1, []spokenPassage{{0, []string{"a", "b", "a", "b"}, []int64{0, 0, 0, 0}}}) {
		if n.Weight != 0 {
			t.Errorf("nothing is quoted, and %q weighs %v", n.Term, n.Weight)
		}
	}
	l := NewLanguage(2, 1, "")
	if err := l.Add(2, nil); err == nil {
		t.Error("there are folds 0 and 1, and 2 was taken")
	}
	stop := errors.New("stop")
	if err := l.Add(1, []QuotedWord{{"a", 1}}); err != nil {
		t.Fatal(err)
	}
	if err := l.NGrams(func(commonplace.NGram) error { return stop }); err != stop {
		t.Errorf("the caller's error became %v", err)
	}
}

// The golden file is written here and checked by models/shipped/language.py, which says
// the same a second time for training.
func TestLanguageGolden(t *testing.T) {
	path := filepath.Join("testdata", "language.json")
	type golden struct {
		Folds    int                 `json:"folds"`
		Least    int64               `json:"least"`
		Passages []spokenPassage     `json:"passages"`
		NGrams   []commonplace.NGram `json:"ngrams"`
	}
	var was golden
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &was)
	}
	now := golden{Folds: 3, Least: 2, Passages: somePassages(rand.New(rand.NewPCG(8, 4)), 40, 3)}
	for i, p := range now.Passages { // Python weighs whole passages
		for k := range p.Quotations {
			p.Quotations[k] = int64(max(0, i%7-3))
		}
	}
	now.NGrams = ngrams(t, now.Folds, now.Least, now.Passages)
	if !*updateLanguage {
		if len(was.NGrams) == len(now.NGrams) {
			for i, n := range was.NGrams { // the last bit of a logarithm is the processor's
				if math.Abs(n.Weight-now.NGrams[i].Weight) < 1e-12 {
					was.NGrams[i].Weight = now.NGrams[i].Weight
				}
			}
		}
		if err != nil || !reflect.DeepEqual(was, now) {
			t.Errorf("the models are not those of %s (%v): run with -update, then python3 models/shipped/language.py --check", path, err)
		}
		return
	}
	if b, err = json.Marshal(now); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(b, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Terms end with the first error of who takes them.
func TestNGramsEndWithTheFirstError(t *testing.T) {
	l := NewLanguage(2, 1, "")
	defer l.Close()
	for fold := range int64(2) {
		if err := l.Add(fold, []QuotedWord{{"the", 1}, {"rest", 2}, {"is", 1}, {"silence", 3}}); err != nil {
			t.Fatal(err)
		}
	}
	full, taken := errors.New("disk full"), 0
	err := l.NGrams(func(commonplace.NGram) error {
		taken++
		return full
	})
	if !errors.Is(err, full) || taken != 1 {
		t.Errorf("%d terms were given, want the one that failed: %v", taken, err)
	}
}
