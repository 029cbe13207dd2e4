package segment

import (
	"strconv"
	"strings"
)

// numberWords are numbers and ordinals as headings write them, in English,
// Latin, French, German, Spanish and Italian as far as chapters go.
var numberWords = map[string]int{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
	"eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17,
	"eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "last": 99, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5,

	"primus": 1, "prima": 1, "secundus": 2, "secunda": 2, "tertius": 3, "tertia": 3, "quartus": 4, "quarta": 4, "quintus": 5, "quinta": 5,
	"sexta": 6, "septima": 7, "octava": 8, "octaua": 8, "nona": 9, "decima": 10,

	"premier": 1, "première": 1, "deuxième": 2, "seconde": 2, "troisième": 3, "quatrième": 4, "cinquième": 5, "sixième": 6,
	"septième": 7, "huitième": 8, "neuvième": 9, "dixième": 10,
	"erster": 1, "erste": 1, "erstes": 1, "zweiter": 2, "zweite": 2, "zweites": 2, "dritter": 3, "dritte": 3, "drittes": 3,
	"vierter": 4, "vierte": 4, "viertes": 4, "fünfter": 5, "fünfte": 5, "fünftes": 5, "sechstes": 6, "siebentes": 7, "achtes": 8, "neuntes": 9, "zehntes": 10,
	"primero": 1, "primera": 1, "segundo": 2, "segunda": 2, "tercero": 3, "tercera": 3, "cuarto": 4, "cuarta": 4, "quinto": 5,
	"primo": 1, "secondo": 2, "terzo": 3, "quarto": 4,
}

// number reads a heading's number: 12, XII, Twelve, twenty-first. Roman
// numerals must be in one case; a lone i is none.
func number(word string) (int, bool) {
	if word == "" || len(word) > 24 {
		return 0, false
	}
	if word[0] >= '0' && word[0] <= '9' { // an error takes memory
		if n, err := strconv.Atoi(word); err == nil {
			return n, n > 0 && n < 1000
		}
	}
	if n, ok := roman(word); ok {
		return n, true
	}
	lower := strings.ToLower(word)
	if n, ok := numberWords[lower]; ok {
		return n, true
	}
	if tens, ones, found := strings.Cut(lower, "-"); found {
		a, b := numberWords[tens], numberWords[ones]
		if a >= 20 && a%10 == 0 && b > 0 && b < 10 {
			return a + b, true
		}
	}
	return 0, false
}

// roman reads a Roman numeral below 400 in capitals, or in small letters when
// it has two or more.
func roman(word string) (int, bool) {
	if len(word) > 12 {
		return 0, false
	}
	upper := strings.ToUpper(word)
	if word != upper && (word != strings.ToLower(word) || len(word) < 2) {
		return 0, false
	}
	n := 0
	for _, r := range []struct {
		letters string
		value   int
		most    int
	}{{"C", 100, 3}, {"XC", 90, 1}, {"L", 50, 1}, {"XL", 40, 1}, {"X", 10, 4}, {"IX", 9, 1}, {"V", 5, 1}, {"IV", 4, 1}, {"I", 1, 4}} {
		for i := 0; i < r.most && strings.HasPrefix(upper, r.letters); i++ {
			upper = upper[len(r.letters):]
			n += r.value
		}
	}
	return n, upper == "" && n > 0
}
