package rank

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestUnquoted(t *testing.T) {
	for text, want := range map[string]string{
		`If I am wrong, I am right.”`:        `If I am wrong, I am right.`,
		`"The fool's crime is found out.`:    `The fool's crime is found out.`,
		`one can sleep quietly.’”`:           `one can sleep quietly.`,
		`“The heart is the great thing.”`:    `“The heart is the great thing.”`,
		`"All is well," he said, "for now."`: `"All is well," he said, "for now."`,
		`“Yes,” she said, “and no.`:          `“Yes,” she said, “and no.`, // nothing at an edge lacks its half
		`"It is hard," he said, "and long.`:  `"It is hard," he said, "and long.`,
		`It is the dogs’`:                    `It is the dogs’`,
		`«La vie est courte.`:                `La vie est courte.`,
		`Das ist wahr.»`:                     `Das ist wahr.`,
		`„Das ist wahr.“`:                    `„Das ist wahr.“`,
		`”`:                                  ``,
		``:                                   ``,
	} {
		if begin, end := Unquoted(text); text[begin:end] != want {
			t.Errorf("%s: %s, want %s", text, text[begin:end], want)
		}
	}
}

// Only marks go, and what is left has nothing more to lose.
func TestUnquotedTakesMarksOnly(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pieces := strings.Split(`“ ” „ « » " ’ ‘ a . b`, " ")
	for range 5000 {
		var text string
		for range r.IntN(8) {
			text += pieces[r.IntN(len(pieces))]
		}
		begin, end := Unquoted(text)
		if rest := strings.Trim(text[:begin]+text[end:], `“”„«»"’`); rest != "" {
			t.Fatalf("%s loses %s", text, rest)
		}
		if b, e := Unquoted(text[begin:end]); b != 0 || e != end-begin {
			t.Fatalf("%s becomes %s, which would lose more", text, text[begin:end])
		}
	}
}
