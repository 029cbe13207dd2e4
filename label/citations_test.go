package label

import "testing"

func TestWithoutCitations(t *testing.T) {
	for text, want := range map[string]string{
		"He says so (p. 149).":                             "He says so.",
		"“A lamp” (pp. 12–13; 15), he says.":               "“A lamp”, he says.",
		"It ends here (149) and there\n(ch. iv).":          "It ends here and there.",
		"Thus (Woolf, p. 3) and [II. 3].":                  "Thus and.",
		"Thus (see p. 3).":                                 "Thus.",
		"“A lamp” (Smith 1990, p. 12) shone.":              "“A lamp” shone.",
		"“A lamp” (Austen 149; Butler 22) shone.":          "“A lamp” shone.",
		"So it was (Smith and Jones 1990: 12-13).":         "So it was.",
		"So it was (Smith et al., 1990).":                  "So it was.",
		"So it was (Pride and Prejudice, 149).":            "So it was.",
		"So it was (Jacob’s Room 45ff.).":                  "So it was.",
		"So it was (ibid., p. 4; qtd. in Leavis 22n).":     "So it was.",
		"“Never” (III.ii.14), “never” (5.3.309).":          "“Never”, “never”.",
		"So it was (p. 149, emphasis added).":              "So it was.",
		"It came out in spring (1931).":                    "It came out in spring (1931).",
		"It came out (May 1931) late.":                     "It came out (May 1931) late.",
		"Jane Austen (1775-1817) wrote.":                   "Jane Austen (1775-1817) wrote.",
		"She (Jane Austen, 1775-1817) wrote.":              "She (Jane Austen, 1775-1817) wrote.",
		"He (the keeper) knew (or not).":                   "He (the keeper) knew (or not).",
		"Three (of 40) remain.":                            "Three (of 40) remain.",
		"“You show them [the natives] (so he says; twice)": "“You show them [the natives] (so he says; twice)",
	} {
		if got := WithoutCitations(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := BlankCitations(text); len(got) != len(text) || WithoutCitations(got) != got {
			t.Errorf("%q: %q blanked", text, got)
		}
	}
}
