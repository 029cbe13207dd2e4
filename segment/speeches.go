package segment

import (
	"strings"
	"unicode"

	commonplace "github.com/commonplace/commonplace"
)

// findSpeeches finds who speaks in a play: "  THESEUS. Now, fair Hippolyta",
// "  Chor. Two households", "LADY BRACKNELL:", or a line that holds only the
// name. A text is a play when it has acts or two scenes; a name counts when it
// speaks three times. A speech ends where the next one or a heading begins.
func findSpeeches(text string, headings []heading) (speeches []span, names []string) {
	scenes := 0
	for _, h := range headings {
		switch h.kind {
		case commonplace.PlaceAct:
			scenes += 2
		case commonplace.PlaceScene:
			scenes++
		}
	}
	if scenes < 2 {
		return nil, nil
	}
	times := map[string]int{}
	next := 0
	for l := range eachLine(text) {
		for next < len(headings) && headings[next].end <= l.begin {
			next++
		}
		last := len(speeches) - 1
		if next < len(headings) && headings[next].begin <= l.begin {
			if last >= 0 {
				speeches[last].end = min(speeches[last].end, headings[next].begin)
			}
			continue
		}
		name := speaker(text[l.begin:l.end])
		if name == "" {
			continue
		}
		begin := skipSpace(text[:l.end], l.begin)
		if last >= 0 {
			speeches[last].end = min(speeches[last].end, begin)
		}
		speeches, names = append(speeches, span{begin, len(text)}), append(names, name)
		times[name]++
	}
	n := 0
	for i, s := range speeches {
		switch {
		case times[names[i]] >= 3:
			speeches[n], names[n] = s, names[i]
			n++
		case n > 0 && speeches[n-1].end == s.begin: // it was no name: the speech goes on
			speeches[n-1].end = s.end
		}
	}
	return speeches[:n], names[:n]
}

// speaker is the name that a line begins with, empty when it begins with none.
func speaker(text string) string {
	s := strings.TrimLeft(text, " \t_*")
	indent := len(text) - len(s)
	if s == "" || indent > 8 || s[0] < 'A' || s[0] > 'Z' {
		return ""
	}
	if end := strings.IndexAny(s[:min(len(s), 40)], ".:"); end > 0 {
		name := strings.Trim(s[:end], " _*")
		after := strings.TrimLeft(s[end:], ".:_* ")
		switch {
		case isCapsName(name) && !isDirection(name):
			return name
		case s[end] == '.' && indent > 0 && indent <= 4 && isShortName(name) && after != "" && !unicode.IsLower(rune(after[0])):
			return name
		}
		return ""
	}
	if name := strings.Trim(s, " _*"); isCapsName(name) && !isDirection(name) && len(name) <= 30 {
		return name
	}
	return ""
}

// isCapsName recognises LADY BRACKNELL, FIRST WITCH, 2ND LORD is not one.
func isCapsName(s string) bool {
	letters := 0
	for _, r := range s {
		switch {
		case unicode.IsUpper(r):
			letters++
		case r == ' ' || r == '\'' || r == '’' || r == '-' || r == '&':
		default:
			return false
		}
	}
	return letters > 1
}

// isShortName recognises Chor, Mer, First Lord, 1. Wit is not one.
func isShortName(s string) bool {
	words := strings.Fields(s)
	if len(words) == 0 || len(words) > 2 {
		return false
	}
	for _, w := range words {
		if len(w) > 12 || w[0] < 'A' || w[0] > 'Z' || strings.ContainsFunc(w[1:], func(r rune) bool { return !unicode.IsLower(r) }) {
			return false
		}
	}
	return true
}

// isDirection recognises lines in capitals that nobody speaks.
func isDirection(s string) bool {
	word, _ := cutWord(s)
	switch word {
	case "ENTER", "EXIT", "EXEUNT", "CURTAIN", "THE", "END", "FINIS", "SCENE", "ACT", "DRAMATIS", "PERSONS", "TABLEAU", "SETTING", "TIME", "PLACE":
		return true
	}
	return false
}
