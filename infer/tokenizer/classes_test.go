package tokenizer

import (
	"strings"
	"testing"
)

// A mistake in our own table is an error of Read, and ends no program.
func TestClassesSayWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"control: 0-1f zz":    `classes.txt: control: "zz" is no character in hexadecimal`,
		"control: 0-110000":   `"110000" is no character`,
		"vowel: 41":           "classes.txt: vowel: there is no such class",
		"lower: 41=61 42=":    `classes.txt: lower: "" is no character`,
		"lower: 130=69+3077y": `"3077y" is no character`,
	} {
		if _, err := readClasses("# ours\n" + text + "\n"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	c, err := readClasses("letter: 41-5a\nlower: 41=61 130=69+307\n")
	if err != nil || c.ascii['B'] != isLetter || c.ascii['b'] != 0 || c.lower[0x130] != "i\u0307" || len(c.pages) != 2 {
		t.Errorf("%v, %v, %d pages", err, c.lower, len(c.pages))
	}
}
