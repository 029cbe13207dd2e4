// Package quality distinguishes good OCR from bad by the share of known words, the
// measure that libraries use where there is no true text to compare with.
package quality

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// words are 17,486 common English words, one a line; bench/known_words.py made it.
//
//go:embed words.txt
var words string

var list = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool, 20_000)
	for w := range strings.Lines(words) {
		m[strings.TrimSuffix(w, "\n")] = true
	}
	return m
})

// A text is looked at in this many places of so many bytes, so that a large one
// costs no more than a small one.
const (
	places = 32
	window = 2048
)

// KnownWords is the share of a text's words that are common English ones, 0 to 1,
// estimated from 32 places spread evenly over it. A word is two or more letters
// between other characters. English prose has 0.9 and more, bad OCR of it 0.7
// and less, other languages less still. Without any word it is 0.
func KnownWords(text string) float64 {
	known := list()
	all, good := 0, 0
	count := func(part string) {
		var low [64]byte
		n, letters := 0, 0
		end := func() {
			if letters > 1 {
				all++
				if n == letters && known[string(low[:n])] {
					good++
				}
			}
			n, letters = 0, 0
		}
		for _, r := range part {
			switch {
			case r < utf8.RuneSelf && (r|0x20) >= 'a' && (r|0x20) <= 'z':
				if letters++; n < len(low) {
					low[n] = byte(r | 0x20)
					n++
				}
			case r >= utf8.RuneSelf && unicode.IsLetter(r):
				letters++ // not one of the list's
			default:
				end()
			}
		}
		end()
	}
	if len(text) <= places*window {
		count(text)
	} else {
		for i := range places {
			begin := i * (len(text) / places)
			part := text[begin : begin+window]
			if at := strings.IndexByte(part, ' '); i > 0 && at >= 0 {
				part = part[at:] // not the end of a word that begins before it
			}
			if at := strings.LastIndexByte(part, ' '); at > 0 {
				part = part[:at]
			}
			count(part)
		}
	}
	if all == 0 {
		return 0
	}
	return float64(good) / float64(all)
}
