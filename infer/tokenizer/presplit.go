package tokenizer

// presplitter cuts a text into the words that the model sees; words never grow
// together again. It may change them.
type presplitter interface {
	split(parts []*aligned) []*aligned
}

type presplitters []presplitter

func (ps presplitters) split(parts []*aligned) []*aligned {
	for _, p := range ps {
		parts = p.split(parts)
	}
	return parts
}

// eachPart is a presplitter that looks at every part alone.
type eachPart func(a *aligned) []*aligned

func (cut eachPart) split(parts []*aligned) []*aligned {
	out := make([]*aligned, 0, len(parts))
	for _, a := range parts {
		if a.len() > 0 {
			out = append(out, cut(a)...)
		}
	}
	return out
}

func bySpace(a *aligned) []*aligned {
	return a.split(a.eachMatch(func(r rune) bool { return classOf(r)&isSpace != 0 }), removed)
}

func byPunctuation(b behaviour) eachPart {
	return func(a *aligned) []*aligned {
		return a.split(a.eachMatch(func(r rune) bool { return classOf(r)&isPunctuation != 0 }), b)
	}
}

// bertWords is BertPreTokenizer: white space removed, punctuation alone.
type bertWords struct{}

func (bertWords) split(parts []*aligned) []*aligned {
	return byPunctuation(isolated).split(eachPart(bySpace).split(parts))
}

// spaceSplit is WhitespaceSplit.
type spaceSplit struct{}

func (spaceSplit) split(parts []*aligned) []*aligned { return eachPart(bySpace).split(parts) }

// wordsAndRest is Whitespace: runs of \w and runs of what is neither that nor white space.
func wordsAndRest(a *aligned) []*aligned {
	var out []*aligned
	for i := 0; i < a.len(); {
		const kinds = isWord | isSpace
		kind := classOf(a.runes[i]) & kinds
		j := i
		for j < a.len() && classOf(a.runes[j])&kinds == kind {
			j++
		}
		if kind&isSpace == 0 {
			out = append(out, a.slice(i, j))
		}
		i = j
	}
	return out
}

func byDigits(alone bool) eachPart {
	b := contiguous
	if alone {
		b = isolated
	}
	return func(a *aligned) []*aligned {
		return a.split(a.eachMatch(func(r rune) bool { return classOf(r)&isNumeric != 0 }), b)
	}
}

// byCharacter cuts at every one of a character (CharDelimiterSplit).
func byCharacter(c rune) eachPart {
	return func(a *aligned) []*aligned {
		return a.split(a.eachMatch(func(r rune) bool { return r == c }), removed)
	}
}

func byPattern(p pattern, b behaviour) eachPart {
	return func(a *aligned) []*aligned { return a.split(p.find(a), b) }
}

// metaspace writes spaces as ▁ and begins a word at each.
type metaspace struct {
	mark    rune
	prepend string // always, first or never
	cut     bool
}

func (m metaspace) split(parts []*aligned) []*aligned {
	return eachPart(func(a *aligned) []*aligned {
		a.replace(a.eachMatch(func(r rune) bool { return r == ' ' }), string(m.mark))
		if a.len() > 0 && a.runes[0] != m.mark && (m.prepend == "always" || m.prepend == "first" && a.from == 0) {
			a.prepend(string(m.mark))
		}
		if !m.cut {
			return []*aligned{a}
		}
		return a.split(a.eachMatch(func(r rune) bool { return r == m.mark }), mergedWithNext)
	}).split(parts)
}

// byteLevel is GPT-2's: words by its expression, then bytes as characters.
type byteLevel struct{ prefix, expression bool }

func (b byteLevel) split(parts []*aligned) []*aligned {
	return eachPart(func(a *aligned) []*aligned {
		if b.prefix && a.runes[0] != ' ' {
			a.prepend(" ")
		}
		words := []*aligned{a}
		if b.expression {
			words = a.split(gpt2Split{}.find(a), isolated)
		}
		for _, w := range words {
			toByteAlphabet(w)
		}
		return words
	}).split(parts)
}
