package segment

// White space is what Python's str.isspace and str.split() call white space,
// so that a word here is a word in the papers' scripts. It is not Go's
// unicode.IsSpace: U+001C to U+001F count, too.

// asciiSpace is 1 for white space below 0x80.
var asciiSpace = [256]uint8{
	'\t': 1, '\n': 1, '\v': 1, '\f': 1, '\r': 1,
	0x1c: 1, 0x1d: 1, 0x1e: 1, 0x1f: 1, ' ': 1,
}

// spaceLen is the number of bytes of the white space character that text[i:]
// begins with, 0 when it begins with something else.
func spaceLen(text string, i int) int {
	switch c := text[i]; {
	case c < 0x80:
		return int(asciiSpace[c])
	case c == 0xc2: // U+0085, U+00A0
		if i+1 < len(text) && (text[i+1] == 0x85 || text[i+1] == 0xa0) {
			return 2
		}
	case c >= 0xe1 && c <= 0xe3:
		if i+2 >= len(text) {
			return 0
		}
		d, e := text[i+1], text[i+2]
		switch c {
		case 0xe1: // U+1680
			if d == 0x9a && e == 0x80 {
				return 3
			}
		case 0xe2: // U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F
			if d == 0x80 && (e >= 0x80 && e <= 0x8a || e == 0xa8 || e == 0xa9 || e == 0xaf) || d == 0x81 && e == 0x9f {
				return 3
			}
		case 0xe3: // U+3000
			if d == 0x80 && e == 0x80 {
				return 3
			}
		}
	}
	return 0
}

// skipSpace is the first byte from i on that is not white space.
func skipSpace(text string, i int) int {
	for i < len(text) {
		n := spaceLen(text, i)
		if n == 0 {
			return i
		}
		i += n
	}
	return i
}

// trim narrows [begin, end) of text to what stands between white space.
func trim(text string, begin, end int) (int, int) {
	begin = skipSpace(text[:end], begin)
	for end > begin {
		size := 1
		// A white space character has at most three bytes.
		for size < 3 && size < end-begin && text[end-size]&0xc0 == 0x80 {
			size++
		}
		if spaceLen(text, end-size) != size {
			break
		}
		end -= size
	}
	return begin, end
}
