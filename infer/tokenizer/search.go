package tokenizer

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// search finds patterns in one pass, however many there are and however much they have
// in common (Aho and Corasick, 1975). It reads patterns and texts from their ends: the
// longest pattern that it has just read is then the longest that begins there.
type search struct {
	first  runeSet // first characters of all patterns
	last   runeSet // last ones
	states []state // from the root, in the order of their depth
	next   map[edge]int32
}

type state struct {
	edge          // that leads here
	fail    int32 // the state of the longest shorter beginning that this state ends with
	pattern int32 // the longest pattern that this state ends with, -1: none
}

// edge goes from a state by a character.
type edge struct {
	from int32
	r    rune
}

// newSearch looks for patterns that are not empty. Of two that are equal it finds the first.
func newSearch(patterns [][]rune) search {
	s := search{states: []state{{pattern: -1}}, next: map[edge]int32{}}
	at := make([]int32, len(patterns)) // the state that each pattern has come to
	left := make([]int, len(patterns))
	for i := range patterns {
		left[i] = i
		s.first.add(patterns[i][0])
		s.last.add(patterns[i][len(patterns[i])-1])
	}
	for depth := 1; len(left) > 0; depth++ {
		made := len(s.states)
		for _, i := range left {
			p := patterns[i]
			e := edge{at[i], p[len(p)-depth]}
			n, ok := s.next[e]
			if !ok {
				n = int32(len(s.states))
				s.next[e] = n
				s.states = append(s.states, state{e, 0, -1})
			}
			if at[i] = n; depth == len(p) && s.states[n].pattern < 0 {
				s.states[n].pattern = int32(i)
			}
		}
		for n := made; n < len(s.states); n++ {
			t := &s.states[n]
			if t.from != 0 {
				t.fail = s.step(s.states[t.from].fail, t.r)
			}
			if t.pattern < 0 {
				t.pattern = s.states[t.fail].pattern
			}
		}
		left = slices.DeleteFunc(left, func(i int) bool { return len(patterns[i]) == depth })
	}
	return s
}

// step goes from a state by a character.
func (s *search) step(at int32, r rune) int32 {
	for at != 0 || s.last.has(r) {
		if n, ok := s.next[edge{at, r}]; ok {
			return n
		}
		if at == 0 {
			return 0
		}
		at = s.states[at].fail
	}
	return 0
}

// longest is the longest pattern that begins at each character, -1 where none does; nil
// if there are none.
func (s *search) longest(runes []rune) []int32 {
	if len(s.states) < 2 || !slices.ContainsFunc(runes, s.first.has) {
		return nil
	}
	found := make([]int32, len(runes))
	at := int32(0)
	for i := len(runes) - 1; i >= 0; i-- {
		at = s.step(at, runes[i])
		found[i] = s.states[at].pattern
	}
	return found
}

// finds says whether a text has one of the patterns.
func (s *search) finds(text string) bool {
	if len(s.states) < 2 || !s.first.in(text) {
		return false
	}
	at := int32(0)
	for len(text) > 0 {
		r, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
		if at = s.step(at, r); s.states[at].pattern >= 0 {
			return true
		}
	}
	return false
}

// runeSet is a set of characters. The zero value is empty.
type runeSet struct {
	ascii  [utf8.RuneSelf]bool
	others map[rune]bool
	list   string // those of ascii
}

func (s *runeSet) add(r rune) {
	if r < utf8.RuneSelf {
		if !s.ascii[r] {
			s.ascii[r], s.list = true, s.list+string(r)
		}
		return
	}
	if s.others == nil {
		s.others = map[rune]bool{}
	}
	s.others[r] = true
}

func (s *runeSet) has(r rune) bool {
	if r < utf8.RuneSelf {
		return s.ascii[r]
	}
	return s.others[r]
}

func (s *runeSet) in(text string) bool {
	if s.others != nil {
		return strings.ContainsFunc(text, s.has)
	}
	return strings.ContainsAny(text, s.list)
}
