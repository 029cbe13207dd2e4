package tokenizer

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// aligned is a text on its way through normalisation. Every character knows the
// range of the original text, in code points, that it came from.
type aligned struct {
	runes      []rune
	begin, end []int32
	from       int32 // where the part of the original begins that this text stands for
	over       error // why a step was left out: it would have made or read too much
}

// newAligned is the original text itself; it begins at code point from. Bytes
// that are no UTF-8 count as U+FFFD, one each, as Go and Python decode them.
func newAligned(text string, from int32) *aligned {
	n := utf8.RuneCountInString(text)
	a := &aligned{make([]rune, 0, n), make([]int32, 0, n), make([]int32, 0, n), from, nil}
	for _, r := range text {
		a.push(r, from, from+1)
		from++
	}
	return a
}

func (a *aligned) push(r rune, begin, end int32) {
	a.runes = append(a.runes, r)
	a.begin = append(a.begin, begin)
	a.end = append(a.end, end)
}

func (a *aligned) len() int { return len(a.runes) }

func (a *aligned) String() string {
	var s strings.Builder
	for _, r := range a.runes {
		s.WriteRune(r)
	}
	return s.String()
}

// slice is the part [i, j) as a text of its own.
func (a *aligned) slice(i, j int) *aligned {
	from := a.from
	if i < j {
		from = a.begin[i]
	}
	return &aligned{a.runes[i:j:j], a.begin[i:j:j], a.end[i:j:j], from, a.over}
}

// change is one character of a transformation, as the reference counts them:
// n is 0 for a character that replaces the next old one, -k for one that
// replaces it and k more, and positive for one that is put in.
type change struct {
	r rune
	n int
}

// transform replaces the old characters [i, j) by changes, of which the first
// skip old ones are dropped. A character that is put in stands where the old one
// before it stood.
func (a *aligned) transform(i, j int, changes []change, skip int) {
	out := aligned{from: a.from, over: a.over}
	at := i + skip
	for _, c := range changes {
		begin, end := a.from, a.from
		switch {
		case c.n > 0:
			if at > 0 && at <= a.len() {
				begin, end = a.begin[at-1], a.end[at-1]
			}
		case at < a.len():
			begin, end = a.begin[at], a.end[at]
		}
		out.push(c.r, begin, end)
		if c.n <= 0 {
			at += 1 - c.n
		}
	}
	if i == 0 && j == a.len() {
		*a = out
		return
	}
	b := aligned{from: a.from, over: a.over}
	for _, part := range []struct {
		a    *aligned
		i, j int
	}{{a, 0, i}, {&out, 0, out.len()}, {a, j, a.len()}} {
		b.runes = append(b.runes, part.a.runes[part.i:part.j]...)
		b.begin = append(b.begin, part.a.begin[part.i:part.j]...)
		b.end = append(b.end, part.a.end[part.i:part.j]...)
	}
	*a = b
}

// filter keeps the characters that keep says yes to.
func (a *aligned) filter(keep func(rune) bool) {
	out := aligned{from: a.from, over: a.over}
	for i, r := range a.runes {
		if keep(r) {
			out.push(r, a.begin[i], a.end[i])
		}
	}
	*a = out
}

// prepend puts a text before the first character, where that one stands.
func (a *aligned) prepend(text string) {
	if a.len() == 0 {
		return
	}
	out := aligned{from: a.from}
	for _, r := range text {
		out.push(r, a.begin[0], a.end[0])
	}
	a.runes = append(out.runes, a.runes...)
	a.begin = append(out.begin, a.begin...)
	a.end = append(out.end, a.end...)
}

// span is a piece of an aligned text, or of what a pattern found in it.
type span struct {
	i, j  int
	match bool
}

// replace puts text in the place of every match; it stands where the match's
// last character stood.
func (a *aligned) replace(matches []span, text string) {
	if !slices.ContainsFunc(matches, func(m span) bool { return m.match }) {
		return
	}
	made, of := 0, utf8.RuneCountInString(text)
	for _, m := range matches {
		if m.match {
			made += of
		} else {
			made += m.j - m.i
		}
	}
	if made > mostRunes && made > a.len() {
		a.over = errGrown
		return
	}
	out := aligned{from: a.from, over: a.over}
	for _, m := range matches {
		if !m.match {
			out.runes = append(out.runes, a.runes[m.i:m.j]...)
			out.begin = append(out.begin, a.begin[m.i:m.j]...)
			out.end = append(out.end, a.end[m.i:m.j]...)
			continue
		}
		for _, r := range text {
			out.push(r, a.begin[m.j-1], a.end[m.j-1])
		}
	}
	*a = out
}

// behaviour says what becomes of the matches of a split.
type behaviour int

const (
	removed behaviour = iota
	isolated
	mergedWithPrevious
	mergedWithNext
	contiguous
)

// split cuts at matches that cover the text; empty parts are left out.
func (a *aligned) split(matches []span, b behaviour) []*aligned {
	var parts []span
	switch b {
	case removed:
		for _, m := range matches {
			if !m.match {
				parts = append(parts, m)
			}
		}
	case isolated:
		parts = matches
	case contiguous, mergedWithPrevious:
		previous := false
		for _, m := range matches {
			joins := m.match == previous
			if b == mergedWithPrevious {
				joins = m.match && !previous
			}
			if joins && len(parts) > 0 {
				parts[len(parts)-1].j = m.j
			} else {
				parts = append(parts, m)
			}
			previous = m.match
		}
	case mergedWithNext:
		previous := false
		for k := len(matches) - 1; k >= 0; k-- {
			m := matches[k]
			if m.match && !previous && len(parts) > 0 {
				parts[len(parts)-1].i = m.i
			} else {
				parts = append(parts, m)
			}
			previous = m.match
		}
		for l, r := 0, len(parts)-1; l < r; l, r = l+1, r-1 {
			parts[l], parts[r] = parts[r], parts[l]
		}
	}
	out := make([]*aligned, 0, len(parts))
	for _, p := range parts {
		if p.i < p.j {
			out = append(out, a.slice(p.i, p.j))
		}
	}
	return out
}

// eachMatch is the pattern of single characters: every one that is found alone
// is a match, what lies between is not.
func (a *aligned) eachMatch(found func(rune) bool) []span {
	var out []span
	last := 0
	for i, r := range a.runes {
		if found(r) {
			if last < i {
				out = append(out, span{last, i, false})
			}
			out = append(out, span{i, i + 1, true})
			last = i + 1
		}
	}
	if last < a.len() {
		out = append(out, span{last, a.len(), false})
	}
	return out
}
