package tokenizer

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// addedToken is a token that is looked for in the text before the model sees it.
type addedToken struct {
	ID         int32  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
	Special    bool   `json:"special"`

	pattern []rune // content, normalised where the token asks for it
}

// addedTokens finds the leftmost, then the longest of its tokens.
type addedTokens struct {
	tokens []addedToken // longest pattern first
	first  string       // first characters of all patterns
}

func newAddedTokens(tokens []addedToken) addedTokens {
	s := addedTokens{}
	for _, t := range tokens {
		if len(t.pattern) == 0 {
			continue
		}
		s.tokens = append(s.tokens, t)
		if c := string(t.pattern[0]); !strings.Contains(s.first, c) {
			s.first += c
		}
	}
	slices.SortStableFunc(s.tokens, func(a, b addedToken) int { return len(b.pattern) - len(a.pattern) })
	return s
}

// part is a text between added tokens, or one of them.
type part struct {
	text  *aligned
	token *addedToken
}

// split cuts the added tokens out of a text.
func (s *addedTokens) split(a *aligned) []part {
	if len(s.tokens) == 0 {
		return []part{{text: a.slice(0, a.len())}}
	}
	var out []part
	last := 0
	for i := 0; i < a.len(); {
		t := s.at(a.runes[i:])
		if t == nil {
			i++
			continue
		}
		begin, end := i, i+len(t.pattern)
		i = end
		word := func(k int) bool { return classOf(a.runes[k])&isWord != 0 }
		if t.SingleWord && (begin > 0 && word(begin-1) || end < a.len() && word(end)) {
			continue
		}
		if t.LStrip {
			for begin > last && classOf(a.runes[begin-1])&isSpace != 0 {
				begin--
			}
		}
		if t.RStrip {
			for end < a.len() && classOf(a.runes[end])&isSpace != 0 {
				end++
			}
		}
		begin = max(begin, last)
		if last < begin {
			out = append(out, part{text: a.slice(last, begin)})
		}
		out = append(out, part{text: a.slice(begin, end), token: t})
		last = end
		i = max(i, last)
	}
	if last < a.len() {
		out = append(out, part{text: a.slice(last, a.len())})
	}
	return out
}

func (s *addedTokens) at(runes []rune) *addedToken {
	if runes[0] < utf8.RuneSelf && strings.IndexByte(s.first, byte(runes[0])) < 0 {
		return nil
	}
	for i := range s.tokens {
		if p := s.tokens[i].pattern; len(p) <= len(runes) && slices.Equal(p, runes[:len(p)]) {
			return &s.tokens[i]
		}
	}
	return nil
}
