package inflect_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/inflect"
)

// stemmed is what the aligner sees of a text, word by word.
func stemmed(t *testing.T, text, language string) string {
	t.Helper()
	hidden, ok := inflect.Hide(text, language)
	if !ok || inflect.Show(hidden) != text || utf8.RuneCountInString(hidden) != utf8.RuneCountInString(text) {
		t.Fatalf("%q is hidden as %q, and shown as %q", text, hidden, inflect.Show(hidden))
	}
	return strings.Map(func(r rune) rune {
		if fold.Hidden(r) {
			return -1
		}
		return r
	}, hidden)
}

// Words in several cases and persons have one stem, and other words another.
func TestFormsOfAWordHaveOneStem(t *testing.T) {
	for language, groups := range map[string][]string{
		"la": {
			"porto portas portat portant portare", "aquila aquilae aquilam aquilis AQUILAS aquilæ", "filius filii filio filiorum",
			"populus populum populusque populi", "urbs urbis urbem urbibus", "capit capiunt capio", "ueritas", "atque", "patris patrem patres",
		},
		"fr": {"content contente contents contentes", "parler parlait parlé parlez", "enfant enfants", "joie"},
		"el": {"λόγος λόγου λόγῳ λόγον λόγοις λόγους", "ἀρχή ἀρχῆς ἀρχῇ ἀρχήν", "λέγει λέγεις λέγουσιν λέγομεν λέγων", "σῶμα σώματος σώματι σώμασιν", "θεὸς θεοῦ"},
	} {
		seen := map[string]string{}
		for _, group := range groups {
			var stems []string
			for _, word := range strings.Fields(group) {
				var stem string
				var f fold.Text
				word = stemmed(t, word, language)
				f.Fold(word, 0, len(word))
				stem = string(f.Sym)
				stems = append(stems, stem)
			}
			if slices.Sort(stems); len(slices.Compact(stems)) != 1 {
				t.Errorf("%s: the forms %s have the stems %s", language, group, stemmed(t, group, language))
			}
			if other := seen[stems[0]]; other != "" {
				t.Errorf("%s: %s and %s have one stem", language, group, other)
			}
			seen[stems[0]] = group
		}
	}
}

func TestWhatIsNoWordStays(t *testing.T) {
	for _, text := range []string{"", " ", "12, 7.", "a — b", "汉字", "atque quoque usque"} {
		if got := stemmed(t, text, "la"); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	if got, ok := inflect.Hide("\U000f0041", "la"); ok || got != "\U000f0041" {
		t.Errorf("a letter of plane 15 could not be given back, and is hidden: %q", got)
	}
}

func FuzzHide(f *testing.F) {
	f.Add("Quo usque tandem abutere, Catilina, patientia nostra?")
	f.Add("Ἐν ἀρχῇ ἦν ὁ λόγος")
	f.Add("L’œuvre des e\u0301le\u0300ves")
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		for _, language := range inflect.Languages {
			if hidden, ok := inflect.Hide(text, language); ok && (inflect.Show(hidden) != text || utf8.RuneCountInString(hidden) != utf8.RuneCountInString(text)) {
				t.Fatalf("%s: %q is hidden as %q", language, text, hidden)
			}
		}
	})
}
