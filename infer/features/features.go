// Package features turns a passage into the numbers that the small quotability
// models read: length, capitals, stop words, kinds of punctuation, dialogue
// words, abstract nouns, universal quantifiers, comparatives, pronouns,
// articles and position, after Appendix E.2 and E.3 of "Content-based models of
// quotation" as far as they need no parser.
//
//	x := make([]float32, features.Count)
//	features.Extract(text, position, x)
//
// Where the paper counts, these are rates per word, so that a verse of 25 words
// and a paragraph of 200 stand on one scale; [Names] gives their order. The
// words behind the classes are data, in lexicon.txt.
//
// Training in Python computes the same numbers (models/features.py). The file
// testdata/golden.jsonl holds both sides to each other: a change here is a new
// [Version], a new golden file and a newly fitted model.
package features

import "math"

// Version names this set of features. A model is fitted on one version and
// refuses to be loaded with another.
const Version = 1

// Names of the features, in the order of the vector. "per word" divides by the
// number of words; a text without words is all zeros but for its position.
var Names = []string{
	"words",          // ln(1 + number of words)
	"word_length",    // mean length of a word in characters
	"longest_word",   // length of the longest word, at most 20
	"long_words",     // words of eight characters or more, per word
	"sentence_words", // ln(1 + words for each run of .!?…), the mean within 12 to 40
	"capitals",       // words with a capital inside a sentence, I excepted, per word
	"upper",          // words all in capitals (two or more), per word
	"digits",         // words with a digit, per word
	"stop",           // stop words, per word
	"unknown",        // words in none of the lexicon's classes, per word
	"begins_stop",    // 1 when the first word is a stop word
	"begins_connect", // 1 when the first word is and, but, for ...
	"begins_capital", // 1 when the first word begins with a capital
	"quotation",      // double and curly opening quotation marks, per word
	"parenthesis",    // ( and [, per word
	"colon",          // per word
	"semicolon",      // per word
	"comma",          // per word
	"dash",           // – and — and runs of hyphens, per word
	"exclamation",    // per word
	"question",       // per word
	"period",         // . per word
	"symbol",         // _ * # = | + / @ & $ % < > { } ~ ^ \, per word
	"connective",     // from here on: words of the lexicon's class, per word
	"dialogue",
	"quantifier",
	"indefinite",
	"definite",
	"demonstrative",
	"first",
	"second",
	"third",
	"negation",
	"present",
	"past",
	"modal",
	"condition",
	"preposition",
	"comparative",
	"superlative",
	"abstract", // the class, and words with an abstract ending
	"theme",
	"participle", // the class; regular ones are in ed
	"ed",         // words of four letters or more that end in ed
	"number",
	"paratext",
	"roman",
	"position",       // place of the passage in its document, 0 to 1
	"position_first", // 1 at the very beginning, 0 from 5 % on
	"position_last",  // 1 at the very end, 0 up to 95 %
}

// Count is the length of a vector.
var Count = len(Names)

// Places in the vector that the scan below fills.
const (
	iWords = iota
	iWordLength
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

const iEd, iPosition = iClasses + 20, iClasses + 24

// Extract writes the features of a text at a position of its document, 0 to 1,
// into vector, which must be [Count] long. It allocates nothing.
func Extract(text string, position float64, vector []float32) {
	if len(vector) != Count {
		panic("features: the vector has the wrong length")
	}
	var c counts
	c.scan(text)
	clear(vector)
	vector[iPosition] = float32(position)
	vector[iPosition+1] = float32(max(0, 1-20*position))
	vector[iPosition+2] = float32(max(0, 20*position-19))
	if c.words == 0 {
		return
	}
	w := float64(c.words)
	rate := func(i int, n int) { vector[i] = float32(float64(n) / w) }
	vector[iWords] = float32(math.Log1p(w))
	rate(iWordLength, c.characters)
	vector[iLongest] = float32(min(c.longest, 20))
	vector[iSentence] = float32(math.Log1p(min(max(w/float64(max(1, c.sentences)), 12), 40)))
	rate(iLong, c.long)
	rate(iCapitals, c.capitals)
	rate(iUpper, c.upper)
	rate(iDigits, c.digits)
	rate(iStop, c.stop)
	rate(iUnknown, c.unknown)
	vector[iBeginsStop] = bit(c.firstFlags&flagStop != 0)
	vector[iBeginsConnect] = bit(c.firstFlags&flagConnective != 0)
	vector[iBeginsCapital] = bit(c.firstCapital)
	for i := iQuotation; i <= iSymbol; i++ {
		rate(i, c.marks[i-iQuotation])
	}
	for i, n := range c.classes {
		rate(iClasses+i, n)
	}
}

func bit(b bool) float32 {
	if b {
		return 1
	}
	return 0
}
