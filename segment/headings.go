package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"

	commonplace "github.com/commonplace/commonplace"
)

// heading is a line or two that begin a unit: bytes [begin, end) of the text.
type heading struct {
	begin, end int
	kind       string
	number     int  // 0 for PREFACE and its like
	bare       bool // a number without a word such as CHAPTER
	titled     bool // a bare number with a title on its line
	listed     bool // a title of the table of contents
	widened    bool // by a title of the table of contents below it
	title      string
}

// keywords are the words that name a unit, in capitals.
var keywords = map[string]string{
	"VOLUME": commonplace.PlaceVolume, "VOL": commonplace.PlaceVolume, "TOME": commonplace.PlaceVolume, "BAND": commonplace.PlaceVolume,
	"BOOK": commonplace.PlaceBook, "LIVRE": commonplace.PlaceBook, "BUCH": commonplace.PlaceBook, "LIBRO": commonplace.PlaceBook, "EPOCH": commonplace.PlaceBook,
	"PART": commonplace.PlacePart, "PARTIE": commonplace.PlacePart, "TEIL": commonplace.PlacePart, "THEIL": commonplace.PlacePart, "PARTE": commonplace.PlacePart, "PERIOD": commonplace.PlacePart,
	"ACT": commonplace.PlaceAct, "ACTE": commonplace.PlaceAct, "AKT": commonplace.PlaceAct, "AUFZUG": commonplace.PlaceAct, "ACTUS": commonplace.PlaceAct, "ATTO": commonplace.PlaceAct, "ACTO": commonplace.PlaceAct,
	"CHAPTER": commonplace.PlaceChapter, "CHAP": commonplace.PlaceChapter, "CHAPITRE": commonplace.PlaceChapter, "KAPITEL": commonplace.PlaceChapter,
	"CAPITOLO": commonplace.PlaceChapter, "CAPÍTULO": commonplace.PlaceChapter, "CAPITULO": commonplace.PlaceChapter, "HOOFDSTUK": commonplace.PlaceChapter,
	"CANTO": commonplace.PlaceChapter, "LETTER": commonplace.PlaceChapter, "STAVE": commonplace.PlaceChapter, "ADVENTURE": commonplace.PlaceChapter,
	"PSALM": commonplace.PlaceChapter, "SONNET": commonplace.PlaceChapter, "FIT": commonplace.PlaceChapter, "NARRATIVE": commonplace.PlaceChapter,
	"SCENE": commonplace.PlaceScene, "SCÈNE": commonplace.PlaceScene, "AUFTRITT": commonplace.PlaceScene, "SCENA": commonplace.PlaceScene, "SCOENA": commonplace.PlaceScene, "SCÆNA": commonplace.PlaceScene, "ESCENA": commonplace.PlaceScene,
	"SECTION": commonplace.PlaceSection,
}

// alone are headings without a number, taken for chapters.
var alone = map[string]bool{
	"PREFACE": true, "PROLOGUE": true, "EPILOGUE": true, "INTRODUCTION": true, "CONCLUSION": true, "FOREWORD": true, "AFTERWORD": true,
	"POSTSCRIPT": true, "APPENDIX": true, "INDUCTION": true, "INTRODUCTORY": true, "FINALE": true, "ÉPILOGUE": true, "PRÉFACE": true, "PROLOG": true, "EPILOG": true, "VORWORT": true,
	"THE PROLOGUE": true, "THE EPILOGUE": true, "AUTHOR'S PREFACE": true, "AUTHOR’S PREFACE": true, "TRANSLATOR'S PREFACE": true, "TRANSLATOR’S PREFACE": true, "EPILOGUS": true,
}

// marks stand around headings as ornaments.
const marks = " \t_*=[](){}—–-#~|.:"

// mostHeadings are the headings of one line.
const mostHeadings = 3

// parseHeadings reads the headings of one line into an empty slice: mostly none or one, two in
// "ACT I. SCENE I." The rest is what follows the last of them on the line.
func parseHeadings(into []heading, text string, begin, end int) (found []heading, rest string) {
	s := strings.Trim(text[begin:end], marks)
	if s == "" || len(s) > 120 {
		return nil, ""
	}
	if plain := strings.ToUpper(s); alone[plain] && startsUpper(s) {
		return append(into, heading{kind: commonplace.PlaceChapter}), ""
	}
	found, rest = into, s
	for len(found) < mostHeadings {
		h, after, ok := keywordNumber(rest)
		if !ok {
			break
		}
		found, rest = append(found, h), strings.TrimLeft(after, marks+",;")
	}
	if len(found) == 0 {
		h, after, ok := bareNumber(text[begin:end])
		if !ok {
			return nil, ""
		}
		return append(into, h), after
	}
	// "Chapter 3 of the book" is prose, and so is "Part II, the longest, tells".
	if after := s[:len(s)-len(rest)]; rest != "" && strings.HasSuffix(strings.TrimRight(after, " "), ",") {
		return nil, ""
	}
	if rest != "" && !startsUpper(rest) && !strings.ContainsAny(rest[:1], "\"'‘“0123456789$") && !afterMark(s, rest) {
		return nil, ""
	}
	return found, rest
}

// afterMark says that a stop, colon or dash parts rest from what is before it in s.
func afterMark(s, rest string) bool {
	before := strings.TrimRight(s[:len(s)-len(rest)], " \t")
	r, _ := utf8.DecodeLastRuneInString(before)
	return strings.ContainsRune(".:—–-;", r)
}

// keywordNumber reads "CHAPTER XII", "BOOK the FIRST", "FIRST ACT", "Actus primus" at the head of s.
func keywordNumber(s string) (h heading, after string, ok bool) {
	if !startsUpper(s) {
		return h, "", false
	}
	first, rest := cutWord(s)
	if strings.EqualFold(first, "the") {
		first, rest = cutWord(rest)
	}
	if kind := keywords[strings.ToUpper(first)]; kind != "" {
		word, after := cutWord(rest)
		if strings.EqualFold(word, "the") || strings.EqualFold(word, "no") {
			word, after = cutWord(strings.TrimLeft(after, ". "))
		}
		n, ok := number(word)
		if ok && n%10 == 0 && n >= 20 && n < 100 { // TWENTY ONE
			if next, more := cutWord(after); numberWords[strings.ToLower(next)] > 0 && numberWords[strings.ToLower(next)] < 10 && strings.HasPrefix(after, " ") {
				n, after = n+numberWords[strings.ToLower(next)], more
			}
		}
		return heading{kind: kind, number: n}, after, ok
	}
	if n := numberWords[strings.ToLower(first)]; n > 0 {
		word, after := cutWord(rest)
		if kind := keywords[strings.ToUpper(word)]; kind != "" && startsUpper(word) {
			return heading{kind: kind, number: n}, after, true
		}
		if strings.EqualFold(word, "epilogue") {
			return heading{kind: commonplace.PlaceChapter}, after, true
		}
	}
	return h, "", false
}

// bareNumber reads "XII", "12.", "[ 3 ]", "— IV —", "TWELVE", and with a title
// after a stop "XII. THE END".
func bareNumber(text string) (h heading, after string, ok bool) {
	s := strings.Trim(text, " \t_*=[](){}—–-#~|")
	word, rest := cutWord(s)
	n, isNumber := number(word)
	if !isNumber || n > 200 || !startsUpper(word) && (word[0] < '0' || word[0] > '9') {
		return h, "", false
	}
	rest = strings.TrimRight(rest, marks)
	if rest == "" {
		return heading{kind: commonplace.PlaceChapter, number: n, bare: true}, "", true
	}
	if rest[0] != '.' && rest[0] != ':' || numberWords[strings.ToLower(word)] > 0 {
		return h, "", false
	}
	title := strings.TrimLeft(rest, marks)
	if title == "" || !isTitle(title) {
		return h, "", false
	}
	return heading{kind: commonplace.PlaceChapter, number: n, bare: true, titled: true}, title, true
}

// oneLine has single spaces between words. Most titles have, and are not copied.
func oneLine(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c < ' ' || c == ' ' && (i == 0 || i+1 == len(s) || s[i+1] == ' ') {
			return strings.Join(strings.Fields(s), " ")
		}
	}
	return s
}

// isTitle says that a line is a title and no sentence: all capitals, or every
// long word with a capital and no full stop at the end.
func isTitle(s string) bool {
	if len(s) > 90 {
		return false
	}
	if s == strings.ToUpper(s) {
		return strings.ContainsFunc(s, unicode.IsUpper)
	}
	if strings.ContainsAny(s[len(s)-1:], ".,;:") {
		return false
	}
	for _, word := range strings.Fields(s) {
		if len(word) > 4 && !startsUpper(strings.TrimLeft(word, "\"'‘“_(")) {
			return false
		}
	}
	return startsUpper(strings.TrimLeft(s, "\"'‘“_("))
}

// cutWord parts the first word, of letters, digits and inner hyphens, from the rest.
func cutWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t")
	for i, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !(r == '-' && i > 0 && i+1 < len(s) && unicode.IsLetter(rune(s[i+1])) && s[i-1] != '-') {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}
