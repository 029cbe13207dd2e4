package tokenizer

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// pattern finds pieces of a text. The spans it returns cover the text, matches
// and what lies between.
type pattern interface{ find(a *aligned) []span }

// literal is a fixed text.
type literal []rune

func (p literal) find(a *aligned) []span {
	var out []span
	last := 0
	for i := 0; len(p) > 0 && i+len(p) <= a.len(); {
		if string(a.runes[i:i+len(p)]) != string(p) {
			i++
			continue
		}
		if last < i {
			out = append(out, span{last, i, false})
		}
		i += len(p)
		out = append(out, span{i - len(p), i, true})
		last = i
	}
	if last < a.len() {
		out = append(out, span{last, a.len(), false})
	}
	return out
}

// expression is a regular expression of Oniguruma's, as the reference reads it, in
// so far as Go's engine can say the same (translated).
type expression struct {
	re   *regexp.Regexp
	size int // characters and sets of it, those that are repeated so many times
}

// mostExpressions is a larger size than all expressions of a tokenizer in use have. A
// repetition of seven bytes takes a thousand times the memory of its character.
const mostExpressions = 10_000

// sizeOf is the size of an expression, or more than the limit.
func sizeOf(e *syntax.Regexp) int {
	size := 1 + len(e.Rune)
	if e.Op == syntax.OpCharClass {
		size = 1
	}
	for _, part := range e.Sub {
		size = min(size+sizeOf(part), mostExpressions+1)
	}
	if e.Op == syntax.OpRepeat {
		size = min(size*max(e.Min, e.Max, 1), mostExpressions+1)
	}
	return size
}

// gpt2Pattern is the expression of GPT-2, which looks ahead and so is written out by hand.
const gpt2Pattern = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

func newExpression(source string) (pattern, error) {
	switch source {
	case gpt2Pattern:
		return gpt2Split{}, nil
	case llama3Pattern:
		return newerSplit{digits: 3}, nil
	case qwen2Pattern:
		return newerSplit{digits: 1}, nil
	case " {2,}":
		return spaceRuns{}, nil
	}
	for _, group := range []string{"(?=", "(?!", "(?<=", "(?<!", "(?>"} {
		if strings.Contains(source, group) {
			return nil, fmt.Errorf("the regular expression %.100q looks ahead or behind (%s), which is not supported", source, group)
		}
	}
	same, err := translated(source)
	if err != nil {
		return nil, fmt.Errorf("the regular expression %.100q is not supported: %w", source, err)
	}
	parsed, err := syntax.Parse(same, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("the regular expression %.100q is not supported: %w", source, err)
	}
	size := sizeOf(parsed)
	if size > mostExpressions {
		return nil, fmt.Errorf("the regular expression %.100q is too large, which is not supported", source)
	}
	re, err := regexp.Compile(same)
	if err != nil {
		return nil, fmt.Errorf("the regular expression %.100q is not supported: %w", source, err)
	}
	if re.MatchString("") {
		return nil, fmt.Errorf("the regular expression %.100q finds what is empty, which is not supported", source)
	}
	return expression{re, size}, nil
}

func (p expression) find(a *aligned) []span {
	text := a.String()
	var out []span
	last, at, char := 0, 0, 0
	point := func(b int) int {
		char += utf8.RuneCountInString(text[at:b])
		at = b
		return char
	}
	for _, m := range p.re.FindAllStringIndex(text, -1) {
		i, j := point(m[0]), point(m[1])
		if last < i {
			out = append(out, span{last, i, false})
		}
		out = append(out, span{i, j, true})
		last = j
	}
	if last < a.len() {
		out = append(out, span{last, a.len(), false})
	}
	return out
}

// inverted matches what its pattern does not.
type inverted struct{ pattern }

func (p inverted) find(a *aligned) []span {
	out := p.pattern.find(a)
	for i := range out {
		out[i].match = !out[i].match
	}
	return out
}

// spaceRuns is the expression of many a Unigram tokenizer, two spaces or more.
type spaceRuns struct{}

func (spaceRuns) find(a *aligned) []span {
	var out []span
	last := 0
	for i := 0; i < a.len(); i++ {
		j := i
		for j < a.len() && a.runes[j] == ' ' {
			j++
		}
		if j-i < 2 {
			continue
		}
		if last < i {
			out = append(out, span{last, i, false})
		}
		out = append(out, span{i, j, true})
		last, i = j, j-1
	}
	if last < a.len() {
		out = append(out, span{last, a.len(), false})
	}
	return out
}
