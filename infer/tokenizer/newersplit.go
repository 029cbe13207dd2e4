package tokenizer

// The expressions of Llama 3 and GPT-4, and of Qwen 2, which looks ahead and so
// are written out by hand as GPT-2's is. They differ in how many digits are one word.
const (
	llama3Pattern = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	qwen2Pattern  = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
)

// newerSplit cuts as these expressions do.
type newerSplit struct{ digits int }

func (p newerSplit) find(a *aligned) []span {
	var out []span
	for i := 0; i < a.len(); {
		j := p.next(a.runes, i)
		out = append(out, span{i, j, true})
		i = j
	}
	return out
}

// next is the end of the match that begins at i: a contraction; letters behind at
// most one character that is no letter, number or line's end; a few numbers; others
// behind a space, with the lines' ends behind them; white space up to its last
// line's end, or up to the last of it, which is left for the word behind.
func (p newerSplit) next(r []rune, i int) int {
	if n := contraction(r[i:]); n > 0 {
		return i + n
	}
	const kinds = isLetter | isNumber | isSpace
	kind := func(k int) class {
		if k >= len(r) {
			return isSpace
		}
		return classOf(r[k]) & kinds
	}
	newline := func(k int) bool { return k < len(r) && (r[k] == '\r' || r[k] == '\n') }
	while := func(k int, wanted class) int {
		for k < len(r) && kind(k) == wanted {
			k++
		}
		return k
	}
	switch first, second := kind(i), kind(i+1); {
	case first == isLetter, first != isNumber && !newline(i) && second == isLetter:
		return while(i+1, isLetter)
	case first == isNumber:
		k := i + 1
		for k < i+p.digits && kind(k) == isNumber {
			k++
		}
		return k
	case first == 0, r[i] == ' ' && second == 0:
		k := while(i+1, 0)
		for newline(k) {
			k++
		}
		return k
	}
	end := while(i, isSpace)
	for k := end; k > i; k-- {
		if newline(k - 1) {
			return k
		}
	}
	if end < len(r) && end-i > 1 {
		end-- // \s+(?!\S)
	}
	return end
}

// contraction is the length of a contraction's end, in either case; ſ is an s too.
func contraction(r []rune) int {
	if len(r) < 2 || r[0] != '\'' {
		return 0
	}
	second := rune(0)
	if len(r) > 2 {
		second = r[2]
	}
	switch r[1] {
	case 's', 'S', 'ſ', 't', 'T', 'm', 'M', 'd', 'D':
		return 2
	case 'r', 'R', 'v', 'V':
		if second == 'e' || second == 'E' {
			return 3
		}
	case 'l', 'L':
		if second == 'l' || second == 'L' {
			return 3
		}
	}
	return 0
}
