package features

import (
	"math"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// Places in the vector that the scan fills.
const (
	iWords = iota
	iCharacters
	iWordLength
	iShortest
	iLongest
	iLong
	iSentence
	iCapitals
	iUpper
	iDigits
	iStop
	iUnknown
	iBeginsStop
	iBeginsConnect
	iBeginsCapital
	iQuotation
	iParenthesis
	iColon
	iSemicolon
	iComma
	iDash
	iExclamation
	iQuestion
	iPeriod
	iSymbol
	iClasses // first of the lexicon's classes
)

// counts is what one pass over a text finds.
type counts struct {
	sink *Bag                         // of n-grams, or nil
	each func(word string, begin int) // of [Words], or nil
	last oneWord                      // that was read; here, so that its bytes need not be cleared

	words, characters, shortest, longest, long int
	capitals, upper, digits                    int
	stop, unknown, sentences                   int
	firstFlags                                 uint32
	firstCapital                               bool
	marks                                      [iSymbol - iQuotation + 1]int
	classes                                    [classCount]int
}

// write writes the lexical features and those of presence of a text with words.
func (c *counts) write(text string, vector []float32) {
	w := float64(c.words)
	rate := func(i int, n int) { vector[i] = float32(float64(n) / w) }
	vector[iWords] = logOf(c.words)
	vector[iCharacters] = logOf(utf8.RuneCountInString(text))
	rate(iWordLength, c.characters)
	vector[iShortest], vector[iLongest] = float32(min(c.shortest, 20)), float32(min(c.longest, 20))
	vector[iSentence] = float32(math.Log1p(min(max(w/float64(max(1, c.sentences)), 12), 40)))
	rate(iLong, c.long)
	rate(iCapitals, c.capitals)
	rate(iUpper, c.upper)
	rate(iDigits, c.digits)
	rate(iStop, c.stop)
	rate(iUnknown, c.unknown)
	vector[iBeginsStop] = bit(c.firstFlags&flagStop != 0)
	vector[iBeginsConnect] = bit(c.firstFlags&lexicon.connective != 0)
	vector[iBeginsCapital] = bit(c.firstCapital)
	for i := iQuotation; i <= iSymbol; i++ {
		rate(i, c.marks[i-iQuotation])
	}
	for i, n := range c.classes {
		rate(iClasses+i, n)
	}
	for i, of := range lexicon.presence {
		vector[iPresent+i] = bit(vector[of] > 0)
	}
}

// longestLexiconWord bounds the buffer for lower-casing: longer words are in no class.
const longestLexiconWord = 32

// kind says what an ASCII byte is to the scan.
type kind uint8

const (
	other kind = iota
	lower
	upper
	digit
	apostrophe
	mark // counted at the place in markOf
	hyphen
)

var (
	kindOf [utf8.RuneSelf]kind
	markOf [utf8.RuneSelf]uint8
)

func init() {
	for c := 'a'; c <= 'z'; c++ {
		kindOf[c] = lower
		kindOf[c-'a'+'A'] = upper
	}
	for c := '0'; c <= '9'; c++ {
		kindOf[c] = digit
	}
	kindOf['\''], kindOf['-'] = apostrophe, hyphen
	for i, set := range []string{iQuotation - iQuotation: `"`, iParenthesis - iQuotation: "([", iColon - iQuotation: ":",
		iSemicolon - iQuotation: ";", iComma - iQuotation: ",", iExclamation - iQuotation: "!", iQuestion - iQuotation: "?",
		iPeriod - iQuotation: ".", iSymbol - iQuotation: "_*#=|+/@&$%<>{}~^\\"} {
		for _, c := range set {
			kindOf[c], markOf[c] = mark, uint8(i)
		}
	}
}

// scan reads the text once. A word is a run of letters and numbers (Unicode
// categories L and N), apostrophes between them included.
func (c *counts) scan(text string) {
	starts := true // the next word begins a sentence
	ended := false // inside a run of sentence ends
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			switch kindOf[b] {
			case lower, upper, digit:
				i = c.word(text, i, starts)
				starts, ended = false, false
				continue
			case mark:
				c.marks[markOf[b]]++
				switch b {
				case '.', '!', '?':
					if !ended {
						c.sentences++
					}
					starts, ended = true, true
					i++
					continue
				case ':':
					starts = true
				}
			case hyphen:
				n := i + 1
				for n < len(text) && text[n] == '-' {
					n++
				}
				if n-i > 1 {
					c.marks[iDash-iQuotation]++
				}
				i, ended = n, false
				continue
			}
			ended = false
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '…':
			if !ended {
				c.sentences++
			}
			starts, ended = true, true
			i += size
			continue
		case r == '“' || r == '‘' || r == '«':
			c.marks[0]++
		case r == '–' || r == '—':
			c.marks[iDash-iQuotation]++
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			i = c.word(text, i, starts)
			starts, ended = false, false
			continue
		}
		ended = false
		i += size
	}
}

// oneWord is what is read of one word.
type oneWord struct {
	low [longestLexiconWord]byte // in lower case, as far as it fits
	shape
}

// shape is what is counted of a word.
type shape struct {
	bytes                                int // in lower case
	characters, uppers, lowers, numerals int
	capital                              bool // it begins with one
}

// folded is the word in lower case, nothing if it is too long for the lexicon.
func (w *oneWord) folded() []byte {
	if w.bytes > len(w.low) {
		return nil
	}
	return w.low[:w.bytes]
}

func (w *oneWord) put(b byte) {
	if w.bytes < len(w.low) {
		w.low[w.bytes] = b
	}
	w.bytes++
}

// read reads the word that begins at byte i and returns the byte after it.
func (w *oneWord) read(text string, i int) int {
	for i < len(text) {
		b := text[i]
		if b >= utf8.RuneSelf {
			size := w.readRune(text, i)
			if size == 0 {
				break
			}
			i += size
			continue
		}
		switch kindOf[b] {
		case lower:
			w.lowers++
		case upper:
			w.capital = w.capital || w.characters == 0
			w.uppers++
			b += 'a' - 'A'
		case digit:
			w.numerals++
		case apostrophe:
			if !wordAt(text, i+1) {
				return i
			}
		default:
			return i
		}
		w.put(b)
		w.characters++
		i++
	}
	return i
}

// readRune reads a character that is not ASCII and returns its bytes, 0 where the word ends.
func (w *oneWord) readRune(text string, i int) int {
	r, size := utf8.DecodeRuneInString(text[i:])
	if r == '’' {
		if !wordAt(text, i+size) {
			return 0
		}
		w.put('\'')
		w.characters++
		return size
	}
	switch {
	case unicode.IsUpper(r):
		w.capital = w.capital || w.characters == 0
		w.uppers++
	case unicode.IsLower(r):
		w.lowers++
	case unicode.IsDigit(r):
		w.numerals++
	case !unicode.IsLetter(r) && !unicode.IsNumber(r):
		return 0
	}
	for k := range size {
		w.put(text[i+k])
	}
	w.characters++
	return size
}

// word counts the word that begins at byte i and returns the byte after it.
func (c *counts) word(text string, i int, starts bool) int {
	w := &c.last
	w.shape = shape{}
	end := w.read(text, i)
	folded := w.folded()
	flags := lexicon.flags[string(folded)]
	if len(folded) >= 6 && flags&lexicon.abstract == 0 && abstractEnding(folded) {
		flags |= lexicon.abstract
	}
	if c.words == 0 {
		c.firstFlags, c.firstCapital, c.shortest = flags, w.capital, w.characters
	}
	if c.sink != nil {
		c.sink.word(folded)
	}
	if c.each != nil {
		c.each(string(folded), i)
	}
	c.words++
	c.characters += w.characters
	c.shortest, c.longest = min(c.shortest, w.characters), max(c.longest, w.characters)
	c.long += one(w.characters >= 8)
	c.digits += one(w.numerals > 0)
	c.upper += one(w.uppers >= 2 && w.lowers == 0)
	c.capitals += one(w.capital && !starts && flags&lexicon.first == 0)
	c.stop += one(flags&flagStop != 0)
	c.unknown += one(flags == 0)
	for f := flags &^ flagStop; f != 0; f &= f - 1 {
		c.classes[bits.TrailingZeros32(f)]++
	}
	if n := len(folded); n >= 4 && folded[n-1] == 'd' && folded[n-2] == 'e' {
		c.classes[iEd-iClasses]++
	}
	return end
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// wordAt says whether a letter or a number begins at byte i.
func wordAt(text string, i int) bool {
	if i >= len(text) {
		return false
	}
	if b := text[i]; b < utf8.RuneSelf {
		k := kindOf[b]
		return k == lower || k == upper || k == digit
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}
