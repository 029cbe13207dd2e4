package language

import "testing"

func TestCode(t *testing.T) {
	for said, want := range map[string]string{
		"English": "en", "english": "en", "en": "en", "eng": "en", "fre": "fr", "fra": "fr", "Latin": "la", "en-GB": "en-GB", "zh": "zh", "zho": "zh",
		"English and French": "en; fr", "English, German": "en; de", "en; fr": "en; fr", "Greek": "el", "Finnish": "fi", "Esperanto": "eo", "Norwegian": "no",
		"": "", "Middle High Gibberish": "Middle High Gibberish", "See the note": "See the note",
	} {
		if got := Code(said); got != want {
			t.Errorf("%q is %q, want %q", said, got, want)
		}
	}
}
