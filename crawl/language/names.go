package language

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/unicode/norm"
)

// naming are the languages in which a source may name a language, besides English and that
// language itself. Where two names are alike, the first language decides.
var naming = []string{"de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "pl", "ru", "cs", "hu"}

// variants are the tags that have names of their own, such as British English.
var variants = []string{"en-GB", "en-US", "en-AU", "en-CA", "fr-CA", "fr-CH", "de-AT", "de-CH", "es-MX", "es-ES", "pt-BR", "pt-PT", "zh-Hans", "zh-Hant"}

// alsoCalled are names that catalogues give and that the Unicode names lack, or give to
// another code.
var alsoCalled = map[string]string{
	"norwegian": "no", "norsk": "no", "norwegisch": "no", "norvégien": "no", "noruego": "no", "norvegese": "no", "norueguês": "no", "noors": "no",
	"latina": "la", "lingua latina": "la", "latine": "la", "castilian": "es", "castellano": "es", "flemish": "nl", "mandarin": "zh", "farsi": "fa",
	"tagalog": "fil", "filipino": "fil", "frisian": "fy", "nahuatl": "nah", "napoletano-calabrese": "nap", "sinhalese": "si", "slovene": "sl",
	"modern greek": "el", "anglo-saxon": "ang", "česky": "cs", "moldavian": "ro-MD", "serbo-croatian": "sr-Latn",
}

// byName are the codes of languages by their folded names: all in English, and in
// [naming], and each in itself.
var byName = sync.OnceValue(func() map[string]string {
	codes := map[string]string{}
	add := func(name, code string) {
		if name = folded(name); name != "" && codes[name] == "" {
			codes[name] = code
		}
	}
	for name, code := range alsoCalled {
		add(name, code)
	}
	tags := knownTags()
	addNames(display.English.Languages(), tags, add)
	addNames(display.Self, tags, add)
	for _, in := range naming {
		addNames(display.Languages(language.Make(in)), tags, add)
	}
	return codes
})

func addNames(namer display.Namer, tags []language.Tag, add func(name, code string)) {
	for _, tag := range tags {
		add(namer.Name(tag), tag.String())
	}
}

// knownTags are the languages whose code is not an older one of another, those of two
// letters first, and then their variants.
func knownTags() []language.Tag {
	var two, three []language.Tag
	letters := "abcdefghijklmnopqrstuvwxyz"
	take := func(code string, to *[]language.Tag) {
		if tag, err := language.Parse(code); err == nil && tag.String() == code {
			*to = append(*to, tag)
		}
	}
	for _, a := range letters {
		for _, b := range letters {
			take(string(a)+string(b), &two)
			for _, c := range letters {
				take(string(a)+string(b)+string(c), &three)
			}
		}
	}
	for _, v := range variants {
		take(v, &three)
	}
	return append(two, three...)
}

// folded is a name without upper case, accents and repeated spaces: FRANÇAIS is francais.
func folded(name string) string {
	letters := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(name))
	return strings.Join(strings.Fields(letters), " ")
}
