// Package terms weighs the words and pairs of words of a collection by how much more
// they are quoted than others ([Language]).
package terms

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/sorting"
)

// languagePrior is how many quotations of every term are believed without being
// seen, each quoted as often as is expected: what is seen once says little.
const languagePrior = 10

// Variables for the tests.
var (
	languageHeld  = 1 << 18 // terms that are counted at once
	languageWords = 100_000 // words of the table
)

// quotableUnit is the part of a weight that is counted: with whole numbers the
// order of adding changes nothing.
const quotableUnit = 1 << 16

// QuotedWord is a word of a passage and how often it is quoted.
type QuotedWord struct {
	Word       string // empty where something parts its neighbours
	Quotations int64
}

// Language counts words and pairs of neighbouring words, in all passages and in
// what is quoted of them, and weighs each by how much more it is quoted than
// expected: the terms of a log-likelihood ratio of quotable text and background
// (content-based models of quotation, Appendix E.2; Bendersky and Smith 2012,
// equation 1). The paper takes its quotable text from a website, here it is what
// the corpus itself is quoted for, so every fold has weights that know nothing of
// what its documents are quoted for.
//
//	weight = ln((quotable + 10) / (expected + 10))
//
// A word is expected in quotable text as often as all words are, by its number in
// the background. A pair is expected as often as its words' weights say, so that
// its own is what the second word means behind the first and no other way: their
// sum over a text is ln of the ratio of two bigram models, the quotable one
// smoothed by the background.
//
// A word weighs log2(1 + its quotations) in the quotable text: one that was quoted
// 4,000 times is not all there is to say. A pair is quoted as often as the less
// quoted of its words. Terms of fewer than least passages are left out, and so
// is all but the 100,000 words that most passages have; which terms there are does
// not depend on quotations.
//
// It holds some 40 MB of counts, the rest lies in temporary files, and the words of
// the table with their counts by fold, 60 MB for 100,000 words in five folds.
type Language struct {
	least        int64
	passage      int64
	held         []map[string]*tally // by fold
	many         int                 // terms that are held
	words, pairs sorting.Sorter
}

// tally is what is known of a term in a fold.
type tally struct {
	passages, background, quotable int64
	last                           int64 // passage that was counted last
}

// NewLanguage begins to count. Folds are numbered from 0. Its files lie in the folder
// temp, [os.TempDir] where it is empty.
func NewLanguage(folds int, least int64, temp string) *Language {
	files := sorting.Sorter{Dir: temp}
	l := &Language{least: least, words: files, pairs: files, held: make([]map[string]*tally, folds)}
	for fold := range l.held {
		l.held[fold] = map[string]*tally{}
	}
	return l
}

// Add counts the words of a passage.
func (l *Language) Add(fold int64, words []QuotedWord) error {
	if fold < 0 || int(fold) >= len(l.held) {
		return fmt.Errorf("passage has fold %d, but there are only %d folds", fold, len(l.held))
	}
	l.passage++
	for i, w := range words {
		if w.Word == "" {
			continue
		}
		l.count(fold, w.Word, w.Quotations)
		if i > 0 && words[i-1].Word != "" {
			l.count(fold, words[i-1].Word+" "+w.Word, min(words[i-1].Quotations, w.Quotations))
		}
	}
	if l.many >= languageHeld {
		return l.spill()
	}
	return nil
}

func (l *Language) count(fold int64, text string, quotations int64) {
	t := l.held[fold][text]
	if t == nil {
		t = &tally{}
		l.held[fold][text] = t
		l.many++
	}
	if t.last != l.passage {
		t.last = l.passage
		t.passages++
	}
	t.background++
	t.quotable += int64(math.Round(math.Log2(1+float64(quotations)) * quotableUnit))
}

// spill gives what was counted to the sorters, which put it in order.
func (l *Language) spill() error {
	var value []byte
	for fold, held := range l.held {
		for term, t := range held {
			value = value[:0]
			for _, n := range []int64{int64(fold), t.passages, t.background, t.quotable} {
				value = binary.AppendUvarint(value, uint64(n))
			}
			to := &l.words
			if strings.Contains(term, " ") {
				to = &l.pairs
			}
			if err := to.Add([]byte(term), value); err != nil {
				return err
			}
		}
		l.held[fold] = map[string]*tally{} // one that is cleared keeps its size
	}
	l.many = 0
	return nil
}

// NGrams gives the terms in order, each as often as there are folds and once for
// all of them. It can be called once.
func (l *Language) NGrams(do func(commonplace.NGram) error) error {
	if err := l.spill(); err != nil {
		return err
	}
	words, err := l.vocabulary()
	if err != nil {
		return err
	}
	m := newLanguageModel(words, len(l.held))
	next := 0
	give := func(t *term, weigh func(fold int) float64) error {
		for fold := range len(l.held) + 1 {
			in := t.in[fold]
			err := do(commonplace.NGram{
				Term: t.text, Fold: int64(fold) - 1, Passages: t.passages,
				Background: in.background, Quotable: in.times(), Weight: weigh(fold),
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	giveWords := func(before string) error { // all, where it is empty
		for ; next < len(words) && (before == "" || words[next].text < before); next++ {
			w := &words[next]
			if err := give(w, func(fold int) float64 { return m.word(w, fold) }); err != nil {
				return err
			}
		}
		return nil
	}
	err = l.terms(&l.pairs, func(t *term) error {
		first, second, _ := strings.Cut(t.text, " ")
		v, w := m.words[first], m.words[second]
		if v == nil || w == nil {
			return nil
		}
		if err := giveWords(t.text); err != nil {
			return err
		}
		return give(t, func(fold int) float64 { return m.pair(t, v, w, fold) })
	})
	if err != nil {
		return err
	}
	return giveWords("")
}

// Close lets temporary files go.
func (l *Language) Close() error { return errors.Join(l.words.Close(), l.pairs.Close()) }

// occurrences is how often something stands in all text, and in quotable text.
type occurrences struct{ background, quotable int64 }

// times is how often it stands in quotable text.
func (o occurrences) times() float64 { return float64(o.quotable) / quotableUnit }

// term is an n-gram that enough passages have.
type term struct {
	text     string
	passages int64
	in       []occurrences // in all folds, then without each of them
}

// terms walks the terms of a sorter that enough passages have.
func (l *Language) terms(s *sorting.Sorter, do func(*term) error) error {
	t := &term{}
	finish := func() error {
		if t.in == nil || t.passages < l.least {
			return nil
		}
		for fold := range len(l.held) {
			t.in[fold+1] = occurrences{t.in[0].background - t.in[fold+1].background, t.in[0].quotable - t.in[fold+1].quotable}
		}
		return do(t)
	}
	err := s.Each(func(key, value []byte) error {
		if t.in == nil || t.text != string(key) {
			if err := finish(); err != nil {
				return err
			}
			*t = term{text: string(key), in: make([]occurrences, len(l.held)+1)}
		}
		var n [4]int64
		for i := range n {
			u, size := binary.Uvarint(value)
			n[i], value = int64(u), value[size:]
		}
		t.passages += n[1]
		for _, at := range []int64{0, n[0] + 1} {
			t.in[at].background += n[2]
			t.in[at].quotable += n[3]
		}
		return nil
	})
	if err != nil {
		return err
	}
	return finish()
}

// vocabulary is the words that most passages have, in order.
func (l *Language) vocabulary() ([]term, error) {
	var words []term
	cut := func() {
		if len(words) <= languageWords {
			return
		}
		slices.SortFunc(words, func(a, b term) int { return cmp.Or(cmp.Compare(b.passages, a.passages), cmp.Compare(a.text, b.text)) })
		clear(words[languageWords:])
		words = words[:languageWords]
	}
	err := l.terms(&l.words, func(t *term) error {
		words = append(words, *t)
		if len(words) == 2*languageWords {
			cut()
		}
		return nil
	})
	cut()
	slices.SortFunc(words, func(a, b term) int { return cmp.Compare(a.text, b.text) })
	return words, err
}

// languageModel is the weights of words in all folds.
type languageModel struct {
	words map[string]*term
	rate  []float64 // quotable text by background, in all folds and without each
}

func newLanguageModel(words []term, folds int) *languageModel {
	m := &languageModel{map[string]*term{}, make([]float64, folds+1)}
	for fold := range m.rate {
		var all occurrences
		for i := range words {
			all.background += words[i].in[fold].background
			all.quotable += words[i].in[fold].quotable
		}
		if all.background > 0 {
			m.rate[fold] = all.times() / float64(all.background)
		}
	}
	for i := range words {
		m.words[words[i].text] = &words[i]
	}
	return m
}

// more is ln of how much more a term is quoted than expected, where a word of the
// background is expected to be times as often as any word.
func (m *languageModel) more(t *term, fold int, times float64) float64 {
	in := t.in[fold]
	return math.Log((in.times() + languagePrior) / (float64(in.background)*m.rate[fold]*times + languagePrior))
}

func (m *languageModel) word(w *term, fold int) float64 { return m.more(w, fold, 1) }

func (m *languageModel) pair(t, v, w *term, fold int) float64 {
	return m.more(t, fold, math.Exp(m.word(v, fold)+m.word(w, fold)))
}
