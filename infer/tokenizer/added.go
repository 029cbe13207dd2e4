package tokenizer

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
	tokens []addedToken
	search search
}

func newAddedTokens(tokens []addedToken) addedTokens {
	s := addedTokens{}
	var patterns [][]rune
	for _, t := range tokens {
		if len(t.pattern) > 0 {
			s.tokens, patterns = append(s.tokens, t), append(patterns, t.pattern)
		}
	}
	s.search = newSearch(patterns)
	return s
}

// part is a text between added tokens, or one of them.
type part struct {
	text  *aligned
	token *addedToken
}

// split cuts the added tokens out of a text.
func (s *addedTokens) split(a *aligned) []part {
	found := s.search.longest(a.runes)
	if found == nil {
		return []part{{text: a.slice(0, a.len())}}
	}
	var out []part
	last := 0
	for i := 0; i < a.len(); {
		if found[i] < 0 {
			i++
			continue
		}
		t := &s.tokens[found[i]]
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
