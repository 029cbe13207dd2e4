package export

import "testing"

// A code is a text for readers of YAML 1.1 too, to which no is false; what is no code is
// left out.
func TestLanguagesAreTexts(t *testing.T) {
	for code, want := range map[string]string{
		"en": "en", "nob": "nob", "no": `"no"`, "yes": `"yes"`, "on": `"on"`, "off": `"off"`,
		"": "", "en\n---": "", "x: [*a]": "", "EN": "", "english": "",
	} {
		if got := languageName(code); got != want {
			t.Errorf("%q is %s, want %s", code, got, want)
		}
	}
}
