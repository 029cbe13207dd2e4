package label

import (
	"strings"
	"unicode"
)

// FaithfulnessQuestion asks a language model which statements of a paraphrase the context
// supports. RA-MTR (Appendix D) measures faithfulness with a language model and does not print its
// prompt; this one asks for what is usually called so: the share of statements that are supported.
func FaithfulnessQuestion(context, paraphrase string) string {
	return "Write every statement of the second text on a line of its own. End each line with \": yes\" if the first text supports the statement, or with \": no\" if it does not. Write nothing else.\nFirst text: " + context + "\nSecond text: " + paraphrase
}

// Faithfulness is the share of yes among the lines of an answer that end with yes or no; false
// without such a line.
func Faithfulness(answer string) (share float64, said bool) {
	yes, all := 0, 0
	for line := range strings.Lines(answer) {
		words := strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return !unicode.IsLetter(r) })
		if len(words) == 0 {
			continue
		}
		switch words[len(words)-1] {
		case "yes":
			yes, all = yes+1, all+1
		case "no":
			all++
		}
	}
	if all == 0 {
		return 0, false
	}
	return float64(yes) / float64(all), true
}
