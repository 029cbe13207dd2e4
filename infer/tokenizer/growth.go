package tokenizer

import (
	"fmt"
	"unicode/utf8"
)

// mostGrowth is how many characters one character of a text may become. Those in
// use make about 100 of the rarest.
const mostGrowth = 2048

// mostRunes is how many characters its steps may make of a text that is shorter. A
// variable for tests.
var mostRunes = 1 << 25

// errGrown refuses a text of which a tokenizer makes too much.
var errGrown = fmt.Errorf("%w: its normalizer makes too much of the text: more than 33,554,432 characters; divide the text", ErrText)

// checkGrowth refuses steps that together make too much of a short text: each
// step that doubles it is small, and forty of them are a terabyte.
func checkGrowth(n normalizer, p presplitter) error {
	if most := ofNormalizer(n) * ofPresplitter(p); most > mostGrowth {
		return fmt.Errorf("its normalizer and pre_tokenizer can make more than %d characters of one, which is not supported", mostGrowth)
	}
	return nil
}

func ofNormalizer(n normalizer) int {
	switch n := n.(type) {
	case normalizers:
		most := 1
		for _, one := range n {
			most = min(most*ofNormalizer(one), mostGrowth+1)
		}
		return most
	case bertNormalizer:
		return 12 // a decomposition; Chinese between two spaces has none
	case lowercase:
		return 3
	case decompose:
		return ofForm(n.canonical)
	case compose:
		return ofForm(n.canonical)
	case byteNormalizer:
		return utf8.UTFMax
	case prepend:
		return 1 + utf8.RuneCountInString(string(n))
	case replacement:
		found := 1
		if p, ok := n.pattern.(literal); ok {
			found = max(1, len(p.text))
		}
		return max(1, (utf8.RuneCountInString(n.content)+found-1)/found)
	case *precompiled:
		return max(1, n.longest())
	}
	return 1
}

// ofForm is by how much a normal form of Unicode can grow.
func ofForm(canonical bool) int {
	if canonical {
		return 4
	}
	return 18
}

func ofPresplitter(p presplitter) int {
	switch p := p.(type) {
	case presplitters:
		most := 1
		for _, one := range p {
			most = min(most*ofPresplitter(one), mostGrowth+1)
		}
		return most
	case metaspace:
		return 2
	case byteLevel:
		return utf8.UTFMax + 1
	}
	return 1
}

// longest is the number of bytes of the longest replacement.
func (p *precompiled) longest() int {
	most, begin := 0, 0
	for i := range len(p.replacements) {
		if p.replacements[i] == 0 {
			begin = i + 1
		}
		most = max(most, i+1-begin)
	}
	return most
}
