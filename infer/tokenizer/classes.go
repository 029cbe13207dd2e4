package tokenizer

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
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

// characters is what classes.txt says. Nothing writes to it once the package is
// initialised; errClasses is what is wrong with the file, and [Read] gives it.
var characters, errClasses = readClasses(classesText)

// classes are kept in pages of 256 characters; equal neighbours are one.
type classes struct {
	pageOf [(utf8.MaxRune + 1) >> 8]uint16
	pages  [][256]class
	ascii  [utf8.RuneSelf]class
	lower  map[rune]string // characters that Lowercase changes
}

func classOf(r rune) class {
	if uint32(r) > utf8.MaxRune {
		return 0
	}
	return characters.pages[characters.pageOf[r>>8]][r&255]
}

func readClasses(text string) (classes, error) {
	c := classes{lower: map[rune]string{}}
	full := make([][256]class, len(c.pageOf))
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		name, rest, ok := strings.Cut(line, ": ")
		if !ok || line[0] == '#' {
			continue
		}
		for item := range strings.FieldsSeq(rest) {
			var err error
			if name == "lower" {
				err = c.addLower(item)
			} else {
				err = addClass(full, name, item)
			}
			if err != nil {
				return classes{}, fmt.Errorf("classes.txt: %s: %w", name, err)
			}
		}
	}
	for i := range full {
		if i == 0 || full[i] != full[i-1] {
			c.pages = append(c.pages, full[i])
		}
		c.pageOf[i] = uint16(len(c.pages) - 1)
	}
	copy(c.ascii[:], c.pages[c.pageOf[0]][:utf8.RuneSelf])
	return c, nil
}

// addClass reads a character, or the first and last of several: 41-5a.
func addClass(full [][256]class, name, item string) error {
	bit := slices.Index(classNames, name)
	if bit < 0 {
		return errors.New("there is no such class")
	}
	first, last, found := strings.Cut(item, "-")
	if !found {
		last = first
	}
	begin, err := parseHex(first)
	if err != nil {
		return err
	}
	end, err := parseHex(last)
	if err != nil {
		return err
	}
	for r := begin; r <= end; r++ {
		full[r>>8][r&255] |= 1 << bit
	}
	return nil
}

// addLower reads a character and what it becomes: 130=69+307.
func (c *classes) addLower(item string) error {
	from, to, _ := strings.Cut(item, "=")
	r, err := parseHex(from)
	if err != nil {
		return err
	}
	var s strings.Builder
	for code := range strings.SplitSeq(to, "+") {
		low, err := parseHex(code)
		if err != nil {
			return err
		}
		s.WriteRune(low)
	}
	c.lower[r] = s.String()
	return nil
}

func parseHex(s string) (rune, error) {
	n, err := strconv.ParseUint(s, 16, 32)
	if err != nil || n > utf8.MaxRune {
		return 0, fmt.Errorf("%q is no character in hexadecimal", s)
	}
	return rune(n), nil
}
