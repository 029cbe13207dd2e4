package language

import "testing"

func TestCode(t *testing.T) {
	for said, want := range map[string]string{
		"English": "en", "english": "en", "ENGLISH": "en", "en": "en", "EN": "en", "eng": "en", "fre": "fr", "fra": "fr", "GER": "de", "Latin": "la", "zh": "zh", "zho": "zh", "grc": "grc",
		"en-GB": "en-GB", "EN_gb": "en-GB", "British English": "en-GB", "zh-Hant": "zh-Hant", "zh-yue": "yue", "iw": "he",
		"English and French": "en; fr", "English, German": "en; de", "en; fr": "en; fr", "English und Deutsch": "en; de", "Spanish; Castilian": "es",
		"Greek": "el", "Finnish": "fi", "Esperanto": "eo", "Norwegian": "no", "Hebrew": "he", "Tagalog": "fil", "Irish": "ga", "ga": "ga", "Yiddish": "yi", "Filipino": "fil",
		"Deutsch": "de", "DEUTSCH": "de", "Englisch": "en", "anglais": "en", "Inglés": "en", "Latein": "la", "Latina": "la", "Français": "fr", "FRANCAIS": "fr", "Español": "es",
		"Русский": "ru", "中文": "zh", "日本語": "ja", "Ελληνικά": "el", "suomi": "fi", "Türkçe": "tr", "Norsk": "no", "Norsk bokmål": "nb",
		"Ancient Greek": "grc", "Greek, Ancient (to 1453)": "grc", "Gaelic, Scottish": "gd", "Old English": "ang", "English (US)": "en", "English.": "en", " German ": "de",
		"": "", " ": "",
	} {
		got, known := Code(said)
		if got != want || !known {
			t.Errorf("%q is %q (known: %v), want %q", said, got, known, want)
		}
		if again, known := Code(got); again != got || !known {
			t.Errorf("the code %q becomes %q", got, again)
		}
	}
	for _, said := range []string{"Middle High Gibberish", "See the note", "English and Gibberish", "xx", "eng-fre", "engfre", "Unknown", ";"} {
		if got, known := Code(said); got != said || known {
			t.Errorf("%q is %q (known: %v), want it unchanged", said, got, known)
		}
	}
}

// The codes of all names are codes themselves.
func TestNamesGiveCodes(t *testing.T) {
	names := byName()
	if len(names) < 5000 {
		t.Errorf("only %d names: are these all?", len(names))
	}
	for name, code := range names {
		if got, known := Code(code); got != code || !known {
			t.Errorf("%q gives %q, which becomes %q", name, code, got)
		}
	}
}
