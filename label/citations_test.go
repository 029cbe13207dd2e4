package label

import "testing"

func TestWithoutCitations(t *testing.T) {
	for sentence, want := range map[string]string{
		"He says so (p. 149).":                    "He says so.",
		"“A lamp” (pp. 12–13; 15), he says.":      "“A lamp”, he says.",
		"It ends here (149) and there\n(ch. iv).": "It ends here and there.",
		"Thus (Woolf, p. 3) and [II. 3].":         "Thus and.",
		"Thus (see p. 3).":                        "Thus.",
		"It came out in spring (1931).":           "It came out in spring (1931).",
		"He (the keeper) knew (or not).":          "He (the keeper) knew (or not).",
		"Three (of 40) remain.":                   "Three (of 40) remain.",
	} {
		if got := WithoutCitations(sentence); got != want {
			t.Errorf("%q: %q, want %q", sentence, got, want)
		}
	}
}
