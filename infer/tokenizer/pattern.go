package tokenizer

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// pattern finds pieces of a text. The spans it returns cover the text, matches
// and what lies between.
type pattern interface{ find(a *aligned) []span }

// literal is a fixed text.
type literal struct {
	text   []rune
	search search
}

func newLiteral(text string) literal {
	p := literal{text: []rune(text)}
	if len(p.text) > 1 {
		p.search = newSearch([][]rune{p.text})
	}
	return p
}

func (p literal) find(a *aligned) []span {
	if len(p.text) == 1 {
		return a.eachMatch(func(r rune) bool { return r == p.text[0] })
	}
	var out []span
	last := 0
	found := p.search.longest(a.runes)
	for i := 0; i < len(found); {
		if found[i] < 0 {
			i++
			continue
		}
		if last < i {
			out = append(out, span{last, i, false})
		}
		i += len(p.text)
		out = append(out, span{i - len(p.text), i, true})
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
	re *regexp.Regexp

	// behind finds, as its first group, what re finds behind the first character. It is nil
	// where that character makes no difference.
	behind *regexp.Regexp

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
	p := expression{re: re, size: size}
	if looksBehind(parsed) {
		if p.behind, err = regexp.Compile(`\A(?s:.)(?s:.)*?(` + same + `)`); err != nil {
			return nil, fmt.Errorf("the regular expression %.100q is not supported: %w", source, err)
		}
	}
	return p, nil
}

// looksBehind says whether an expression asks for the beginning of a text or of a line.
func looksBehind(e *syntax.Regexp) bool {
	return e.Op == syntax.OpBeginText || e.Op == syntax.OpBeginLine || slices.ContainsFunc(e.Sub, looksBehind)
}

func (p expression) find(a *aligned) []span {
	var out []span
	last := 0
	for text := newReread(a.runes); last < a.len(); {
		i, j := p.next(text, last)
		if text.read > text.most {
			a.over = errReread
			return []span{{0, a.len(), false}}
		}
		if i < 0 {
			break
		}
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

// next is the first match at or behind a character; -1 if there is none.
func (p expression) next(text *reread, from int) (i, j int) {
	found := []int(nil)
	if p.behind != nil && from > 0 {
		from--
		text.at = from
		if found = p.behind.FindReaderSubmatchIndex(text); found != nil {
			found = found[2:]
		}
	} else {
		text.at = from
		found = p.re.FindReaderIndex(text)
	}
	if found == nil {
		return -1, -1
	}
	return from + found[0], from + found[1]
}

// inverted matches what its pattern does not.
type inverted struct{ pattern }

func (p inverted) find(a *aligned) []span {
	out := p.pattern.find(a)
	for i := range out {
		out[i].match = !out[i].match && a.over == nil
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
