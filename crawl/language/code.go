package language

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

var (
	between = regexp.MustCompile(`\s*[;,/&|]\s*|\s+(?:and|und|et|y|e)\s+`)
	remark  = regexp.MustCompile(`\s*\([^()]*\)`) // Ancient Greek (to 1453)
)

// Code gives languages as their ISO 639 codes, however a source says them: English,
// Englisch, eng, en-gb, "English and French" are en, en, en, en-GB, "en; fr". What is no
// language that is known stays as it is, and known is false.
func Code(said string) (code string, known bool) {
	if strings.TrimSpace(said) == "" {
		return "", true
	}
	if code, known = codeOf(said); known {
		return code, true
	}
	var codes []string
	for _, one := range between.Split(said, -1) {
		if code, known = codeOf(one); !known {
			return said, false
		}
		if !slices.Contains(codes, code) { // Spanish; Castilian
			codes = append(codes, code)
		}
	}
	return strings.Join(codes, "; "), true
}

// codeOf is the code of one language, which is said by a tag or a name. A tag comes first:
// ga is Irish, though another language is called Ga.
func codeOf(said string) (code string, known bool) {
	said = strings.Trim(remark.ReplaceAllString(said, ""), " \t\r\n.")
	if code, known = tagOf(said); known {
		return code, true
	}
	if code, known = byName()[folded(said)]; known {
		return code, true
	}
	name, kind, _ := strings.Cut(said, ",") // Greek, Ancient
	code, known = byName()[folded(kind+" "+name)]
	return code, known
}

// A tag whose second part is a language of three letters, as zh-yue, has one of few first
// parts. Others with one are two codes joined by a hyphen, and no tag.
var (
	extended = regexp.MustCompile(`(?i)^[a-z]{2,3}[-_][a-z]{3}\b`)
	macro    = regexp.MustCompile(`(?i)^(?:zh|ar|ms|sw|lv|uz|kok|sgn)[-_]`)
)

// tagOf is a code of two or three letters, or a tag such as en-GB, in its usual form.
func tagOf(said string) (code string, known bool) {
	if extended.MatchString(said) && !macro.MatchString(said) {
		return "", false
	}
	tag, err := language.Parse(said)
	if err != nil || said == "" {
		return "", false
	}
	return tag.String(), true
}
