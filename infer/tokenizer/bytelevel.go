package tokenizer

import "unicode/utf8"

// byteAlphabet is GPT-2's: every byte has a printable character.
var byteAlphabet [256]rune

func init() {
	next := rune(256)
	for b := range 256 {
		r := rune(b)
		if !('!' <= r && r <= '~' || '¡' <= r && r <= '¬' || '®' <= r && r <= 'ÿ') {
			r = next
			next++
		}
		byteAlphabet[b] = r
	}
}

// toByteAlphabet writes every byte of the text as its character; all of a
// character's bytes stand where it stood.
func toByteAlphabet(a *aligned) {
	out := aligned{from: a.from, over: a.over}
	var b [utf8.UTFMax]byte
	for i, r := range a.runes {
		for _, c := range b[:utf8.EncodeRune(b[:], r)] {
			out.push(byteAlphabet[c], a.begin[i], a.end[i])
		}
	}
	*a = out
}

// gpt2Split cuts as GPT-2's regular expression does ([gpt2Pattern]).
type gpt2Split struct{}

func (gpt2Split) find(a *aligned) []span {
	var out []span
	for i := 0; i < a.len(); {
		j := gpt2Next(a.runes, i)
		out = append(out, span{i, j, true})
		i = j
	}
	return out
}

// gpt2Next is the end of the match that begins at i: a contraction, or letters,
// numbers or others with a space before, or white space up to the last of it,
// which is left for the word behind.
func gpt2Next(r []rune, i int) int {
	if r[i] == '\'' && i+1 < len(r) {
		switch r[i+1] {
		case 's', 't', 'm', 'd':
			return i + 2
		case 'r', 'v', 'l':
			if i+2 < len(r) && (r[i+2] == 'e' && r[i+1] != 'l' || r[i+2] == 'l' && r[i+1] == 'l') {
				return i + 3
			}
		}
	}
	k := i
	if r[k] == ' ' && k+1 < len(r) && classOf(r[k+1])&isSpace == 0 {
		k++
	}
	const kinds = isLetter | isNumber | isSpace
	if kind := classOf(r[k]) & kinds; kind&isSpace == 0 {
		for k < len(r) && classOf(r[k])&kinds == kind {
			k++
		}
		return k
	}
	for k < len(r) && classOf(r[k])&isSpace != 0 {
		k++
	}
	if k < len(r) && k-i > 1 {
		k-- // \s+(?!\S)
	}
	return k
}
