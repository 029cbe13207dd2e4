package tokenizer

import (
	_ "embed"
	"strconv"
	"strings"
	"unicode/utf8"
)

//go:embed classes.txt
var classesText string

// class is a set of characters as the reference sees them; a character's
// classes are the bits of one number.
type class uint16

const (
	isControl     class = 1 << iota // removed by BertNormalizer: Cc, Cf, Co and some
	isCleanSpace                    // made a space by BertNormalizer
	isChinese                       // set apart by BertNormalizer
	isNonspacing                    // removed by BertNormalizer's strip_accents
	isMark                          // removed by StripAccents
	isPunctuation                   // of BertPreTokenizer and Punctuation
	isSpace                         // Unicode white space
	isWord                          // \w
	isNumeric                       // of Digits
	isLetter                        // \p{L}
	isNumber                        // \p{N}
	hasNFD                          // has a canonical decomposition
	hasNFKD                         // has a compatibility decomposition
	isOrdered                       // a mark that canonical ordering moves
)

var classNames = []string{"control", "cleanspace", "chinese", "nonspacing", "mark", "punctuation", "space", "word", "numeric", "letter", "number", "nfd", "nfkd", "ordered"}

// Classes are kept in pages of 256 characters; equal neighbours are one.
var (
	pageOf     [(utf8.MaxRune + 1) >> 8]uint16
	pages      [][256]class
	asciiClass [utf8.RuneSelf]class
	lowerOf    = map[rune]string{} // characters that Lowercase changes
)

func classOf(r rune) class {
	if uint32(r) > utf8.MaxRune {
		return 0
	}
	return pages[pageOf[r>>8]][r&255]
}

func init() {
	full := make([][256]class, len(pageOf))
	for line := range strings.Lines(classesText) {
		line = strings.TrimSpace(line)
		name, rest, ok := strings.Cut(line, ": ")
		if !ok || line[0] == '#' {
			continue
		}
		if name == "lower" {
			readLower(rest)
			continue
		}
		bit := class(0)
		for i, n := range classNames {
			if n == name {
				bit = 1 << i
			}
		}
		for item := range strings.FieldsSeq(rest) {
			first, last, found := strings.Cut(item, "-")
			if !found {
				last = first
			}
			for r := parseHex(first); r <= parseHex(last); r++ {
				full[r>>8][r&255] |= bit
			}
		}
	}
	for i := range full {
		if i == 0 || full[i] != full[i-1] {
			pages = append(pages, full[i])
		}
		pageOf[i] = uint16(len(pages) - 1)
	}
	copy(asciiClass[:], pages[pageOf[0]][:utf8.RuneSelf])
}

func readLower(rest string) {
	for item := range strings.FieldsSeq(rest) {
		from, to, _ := strings.Cut(item, "=")
		var s strings.Builder
		for code := range strings.SplitSeq(to, "+") {
			s.WriteRune(parseHex(code))
		}
		lowerOf[parseHex(from)] = s.String()
	}
}

func parseHex(s string) rune {
	n, err := strconv.ParseUint(s, 16, 21)
	if err != nil {
		panic("tokenizer: classes.txt: " + err.Error())
	}
	return rune(n)
}
