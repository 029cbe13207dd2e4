package rank

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/commonplace/commonplace"
)

func TestQuotable(t *testing.T) {
	for text, want := range map[string]bool{
		"It is a truth.":                         true,
		"Good Lord!":                             false,
		"“Oh, my good Lord!”":                    false,
		"Give me liberty, or give me death!":     true,
		"He went.":                               false,
		"THE END OF THE FIRST BOOK":              false,
		"THE LAST WORD of all":                   true,
		"[Illustration: “He came to see it.”]":   false,
		"知者不言 言者 不知 。":                           true,
		"“It was the best of times,” he quoted.": true,
	} {
		words := 1
		for _, r := range text {
			if r == ' ' {
				words++
			}
		}
		if got := Quotable(text, words); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// sentences are neighbours in one paragraph.
func sentences(scores []float64, words int) []Sentence {
	var of []Sentence
	for i, s := range scores {
		of = append(of, Sentence{Words: words, Number: i, Score: s})
	}
	return of
}

func TestLine(t *testing.T) {
	for _, c := range []struct {
		name       string
		of         []Sentence
		first, end int     // sentences of the line
		mean       float64 // of its sentences' scores
	}{
		{"none", nil, 0, 0, 0},
		{"the best stands out", sentences([]float64{.1, .9, .2}, 10), 1, 2, .9},
		{"the neighbour behind", sentences([]float64{.1, .8, .6}, 10), 1, 3, .7},
		{"the neighbour before", sentences([]float64{.6, .8, .1}, 10), 0, 2, .7},
		{"the better neighbour first", sentences([]float64{.5, .9, .7}, 25), 1, 3, .8},
		{"the one behind where equal", sentences([]float64{.6, .8, .6}, 25), 1, 3, .7},
		{"at most three", sentences([]float64{.75, .75, .75, .75}, 10), 0, 3, .75},
		{"at most sixty words", sentences([]float64{.5, .5}, 31), 0, 1, .5},
		{"sixty words", sentences([]float64{.5, .5}, 30), 0, 2, .5},
		{"too long for any line", sentences([]float64{.9}, 61), 0, 0, 0},
		{"below zero only the equal joins", sentences([]float64{-.5, -.6, -.5, -.5}, 10), 0, 1, -.5},
	} {
		begin, end, score := Line(c.of)
		want := c.mean * []float64{1, 1, 1 + .3*math.Ln2, 1 + .3*math.Log(3)}[c.end-c.first]
		if d := score - want; begin != c.first || end != c.end || d > 1e-12 || d < -1e-12 {
			t.Errorf("%s: sentences [%d, %d) with %v, want [%d, %d) with %v", c.name, begin, end, score, c.first, c.end, want)
		}
	}
	apart := sentences([]float64{.9, .9, .9}, 10)
	apart[0].Paragraph, apart[2].Number = -1, 3 // another paragraph; one between that was left out
	if _, end, _ := Line(apart[:2]); end != 1 {
		t.Error("a line over two paragraphs")
	}
	if _, end, _ := Line(apart[1:]); end != 1 {
		t.Error("a line over what was left out")
	}
}

// Whatever the sentences are, a line is whole neighbouring sentences of one
// paragraph with the best that fits among them, and no longer than it may be.
func TestLinesAreWholeSentences(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	several := 0
	for range 2000 {
		var of []Sentence
		number, paragraph := 0, 0
		for range r.IntN(9) {
			of = append(of, Sentence{Words: 1 + r.IntN(70), Number: number, Paragraph: paragraph, Score: float64(r.IntN(9)-2) / 4})
			number, paragraph = number+1+r.IntN(8)/7, paragraph+r.IntN(4)/3
		}
		begin, end, score := Line(of)
		best := -1.0
		for _, s := range of {
			if s.Words <= mostWords {
				best = max(best, s.Score)
			}
		}
		if begin == end {
			if best > -1 {
				t.Fatalf("no line of %+v", of)
			}
			continue
		}
		words, held, least := 0, false, best
		for i, s := range of[begin:end] {
			words += s.Words
			held, least = held || s.Score == best, min(least, s.Score)
			if s.Paragraph != of[begin].Paragraph || s.Number != of[begin].Number+i {
				t.Fatalf("line [%d, %d) of %+v", begin, end, of)
			}
		}
		most := best + .3*math.Log(float64(end-begin))*math.Abs(best)
		if end-begin > mostSentences || words > mostWords || !held || score > most+1e-12 || score < least {
			t.Fatalf("line [%d, %d) of %+v has %v", begin, end, of, score)
		}
		if end > begin+1 {
			several++
		}
	}
	if several < 100 {
		t.Errorf("%d lines of several sentences", several)
	}
}

func TestOwnersAgainstTheObviousWay(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		cut := func(most, overlap int) []commonplace.Span {
			var spans []commonplace.Span
			for begin, end := 0, 0; begin < 60; {
				begin, end = max(begin+1, end+r.IntN(3)-r.IntN(1+overlap)), max(end+1, begin+1+r.IntN(most))
				end = max(end, begin+1)
				spans = append(spans, commonplace.Span{Begin: begin, End: end})
			}
			return spans
		}
		sentences, passages := cut(12, 0), cut(20, r.IntN(2)*4)
		got := Owners(sentences, passages)
		for i, s := range sentences {
			want := -1
			for k, p := range passages {
				if n := s.Overlap(p); n > 0 && (want < 0 || n > s.Overlap(passages[want])) {
					want = k
				}
			}
			if got[i] != want {
				t.Fatalf("sentence %v of passages %v belongs to %d, want %d", s, passages, got[i], want)
			}
		}
	}
}
