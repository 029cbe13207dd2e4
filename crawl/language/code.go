package language

import (
	"regexp"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

var between = regexp.MustCompile(`\s*(?:[;,/&]|\band\b)\s*`)

// Code gives languages as their ISO 639 codes, however a source says them: English,
// eng, en-GB, "English and French" are en, en, en-GB, "en; fr". What is no language that
// is known stays as it is.
func Code(said string) string {
	var codes []string
	for _, one := range between.Split(strings.TrimSpace(said), -1) {
		code, known := codeOf(one)
		if !known {
			return said
		}
		codes = append(codes, code)
	}
	return strings.Join(codes, "; ")
}

func codeOf(one string) (code string, known bool) {
	if code, known = byName()[strings.ToLower(one)]; known {
		return code, true
	}
	if tag, err := language.Parse(one); err == nil && one != "" {
		return tag.String(), true
	}
	return "", false
}

// byName are the codes of two letters by the English names of their languages.
var byName = sync.OnceValue(func() map[string]string {
	names := display.English.Languages()
	codes := map[string]string{"norwegian": "no"} // which the names call Bokmål
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			base, err := language.ParseBase(string(a) + string(b))
			if err != nil || base.String() != string(a)+string(b) { // an older code of another
				continue
			}
			if name := names.Name(language.Make(base.String())); name != "" {
				codes[strings.ToLower(name)] = base.String()
			}
		}
	}
	return codes
})
