package tokenizer

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalizer changes a text and keeps its alignment.
type normalizer interface{ normalize(a *aligned) }

type normalizers []normalizer

func (ns normalizers) normalize(a *aligned) {
	for _, n := range ns {
		n.normalize(a)
	}
}

// bertNormalizer is BERT's: control characters out, all white space to spaces,
// Chinese characters apart, accents off, lower case.
type bertNormalizer struct{ clean, chinese, accents, lower bool }

func (n bertNormalizer) normalize(a *aligned) {
	if n.clean {
		a.filter(func(r rune) bool { return classOf(r)&isControl == 0 })
		for i, r := range a.runes {
			if classOf(r)&isCleanSpace != 0 {
				a.runes[i] = ' '
			}
		}
	}
	if n.chinese && slices.ContainsFunc(a.runes, func(r rune) bool { return classOf(r)&isChinese != 0 }) {
		var changes []change
		for _, r := range a.runes {
			if classOf(r)&isChinese != 0 {
				changes = append(changes, change{' ', 1}, change{r, 0}, change{' ', 1})
			} else {
				changes = append(changes, change{r, 0})
			}
		}
		a.transform(0, a.len(), changes, 0)
	}
	if n.accents {
		decompose{canonical: true}.normalize(a)
		a.filter(func(r rune) bool { return classOf(r)&isNonspacing == 0 })
	}
	if n.lower {
		lowercase{}.normalize(a)
	}
}

type lowercase struct{}

func (lowercase) normalize(a *aligned) {
	var changes []change
	for i, r := range a.runes {
		if r < utf8.RuneSelf {
			if 'A' <= r && r <= 'Z' {
				a.runes[i] = r + 'a' - 'A'
			}
			continue
		}
		if s, ok := characters.lower[r]; ok {
			if low, size := utf8.DecodeRuneInString(s); size == len(s) {
				a.runes[i] = low
			} else if changes == nil {
				changes = []change{} // one character becomes several: the long way
			}
		}
	}
	if changes == nil {
		return
	}
	for _, r := range a.runes {
		s, ok := characters.lower[r]
		if !ok {
			s = string(r)
		}
		for k, low := range s {
			changes = append(changes, change{low, min(k, 1)})
		}
	}
	a.transform(0, a.len(), changes, 0)
}

type stripAccents struct{}

func (stripAccents) normalize(a *aligned) {
	a.filter(func(r rune) bool { return classOf(r)&isMark == 0 })
}

// strip takes white space from the ends.
type strip struct{ left, right bool }

func (n strip) normalize(a *aligned) {
	i, j := 0, a.len()
	if n.left {
		for i < j && classOf(a.runes[i])&isSpace != 0 {
			i++
		}
	}
	if n.right {
		for j > i && classOf(a.runes[j-1])&isSpace != 0 {
			j--
		}
	}
	from, over := a.from, a.over
	*a = *a.slice(i, j)
	a.from, a.over = from, over
}

type prepend string

func (n prepend) normalize(a *aligned) { a.prepend(string(n)) }

type replacement struct {
	pattern pattern
	content string
}

func (n replacement) normalize(a *aligned) { a.replace(n.pattern.find(a), n.content) }

// decompose is NFD (canonical) or NFKD.
type decompose struct{ canonical bool }

func (n decompose) normalize(a *aligned) {
	changes := n.changes(a.runes)
	switch {
	case len(changes) > mostRunes && len(changes) > a.len():
		a.over = errGrown
	case changes != nil:
		a.transform(0, a.len(), changes, 0)
	}
}

// changes decomposes; nil says that nothing changes. Marks are put in canonical
// order and take along whether they replace or are put in, as in the reference.
func (n decompose) changes(runes []rune) []change {
	has, form := hasNFD, norm.NFD
	if !n.canonical {
		has, form = hasNFKD, norm.NFKD
	}
	touched := false
	for _, r := range runes {
		if r >= 0xC0 || r >= 0x80 && !n.canonical {
			if classOf(r)&has != 0 || ccc(r) != 0 {
				touched = true
				break
			}
		}
	}
	if !touched {
		return nil
	}
	out := make([]change, 0, len(runes)+8)
	start := 0 // of the marks that may still be put in order
	sort := func() {
		slices.SortStableFunc(out[start:], func(x, y change) int { return int(ccc(x.r)) - int(ccc(y.r)) })
		start = len(out)
	}
	put := func(r rune, n int) {
		if ccc(r) == 0 {
			sort()
		}
		out = append(out, change{r, n})
		if ccc(r) == 0 {
			start = len(out) - 1
		}
	}
	for _, r := range runes {
		if r < 0x80 || classOf(r)&has == 0 {
			put(r, 0)
			continue
		}
		for k, d := range form.String(string(r)) {
			put(d, min(k, 1))
		}
		if len(out) > mostRunes && len(out) > len(runes) {
			return out // which is left out
		}
	}
	sort()
	return out
}

// ccc is the canonical combining class; 0 for marks that are younger than the
// reference's tables.
func ccc(r rune) uint8 {
	if r < 0x300 || classOf(r)&isOrdered == 0 {
		return 0
	}
	var b [utf8.UTFMax]byte
	return norm.NFD.Properties(b[:utf8.EncodeRune(b[:], r)]).CCC()
}

// compose is NFC (canonical) or NFKC: decomposed, then composed again.
type compose struct{ canonical bool }

func (n compose) normalize(a *aligned) {
	ascii := true
	for _, r := range a.runes {
		ascii = ascii && r < utf8.RuneSelf
	}
	if ascii {
		return
	}
	changes := decompose{n.canonical}.changes(a.runes)
	if len(changes) > mostRunes && len(changes) > a.len() {
		a.over = errGrown
		return
	}
	if changes == nil {
		for _, r := range a.runes {
			changes = append(changes, change{r, 0})
		}
	}
	a.transform(0, a.len(), recompose(changes), 0)
}

// recompose joins starters with the marks (and Hangul parts) after them; what a
// composed character swallows is counted as removed after it.
func recompose(in []change) []change {
	var out, pending []change
	var starter change
	have, last := false, -1 // last combining class between starter and here
	flush := func() {
		if have {
			out = append(out, starter)
		}
		out = append(out, pending...)
		pending, last = pending[:0], -1
	}
	for _, c := range in {
		class := int(ccc(c.r))
		if !have {
			if class != 0 {
				out = append(out, c)
				continue
			}
			starter, have = c, true
			continue
		}
		if last < class || last == -1 {
			if r, ok := composed(starter.r, c.r); ok {
				starter = change{r, starter.n + c.n - 1}
				continue
			}
		}
		if class == 0 {
			flush()
			starter = c
			continue
		}
		pending = append(pending, c)
		last = class
	}
	flush()
	return out
}

func composed(a, b rune) (rune, bool) {
	s := norm.NFC.String(string(a) + string(b))
	r, size := utf8.DecodeRuneInString(s)
	return r, size == len(s)
}

// byteNormalizer writes every byte as the printable character that stands for it.
type byteNormalizer struct{}

func (byteNormalizer) normalize(a *aligned) { toByteAlphabet(a) }
