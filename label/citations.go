package label

import (
	"regexp"
	"slices"
	"strings"
)

// A citation says where something stands, in brackets: (p. 149), (pp. 12-13; 15),
// (ch. iv), (II. 3), (149), (Smith 1990, p. 12), (Austen 149; Butler 22), (ibid.).
// A year alone is none, and neither are dates and lives: (1931), (May 1931),
// (Jane Austen, 1775-1817).
const (
	citedSignal = `(?:(?i:see(?: also)?|cf\.?|e\.g\.,?|quoted in|qtd\.? in)\s+)?`
	citedName   = `["“‘'_]?\p{Lu}[\pL'’.&-]*["”’'_]?`
	citedNames  = citedName + `(?:,?\s+(?:(?:and|&|of|the|in|to|a)\s+)*` + citedName + `|,?\s+et\s+al\.?)*,?\s+`
	citedYear   = `(?:1[5-9]|20)\d\d[a-z]?`
	citedRange  = `(?:\s*[-–—]\s*\d{1,4})?(?:nn?\.?\s?\d*|ff?\.?)?`
	citedPages  = `\d{1,3}` + citedRange + `(?:,\s*\d{1,4}` + citedRange + `)*`
	citedMarker = `(?:(?:pp?|ll?|nn?|ss?|chs?|chap|vols?|bks?|secs?|pars?|fols?|act|sc)\.|pp?|[Cc]hapters?|[Pp]ages?|[Ll]ines?|[Vv]olume|[Bb]ook|[Aa]ct|[Ss]cene|§§?)`
	citedPlace  = citedMarker + `\s*(?:\d{1,4}` + citedRange + `|[ivxlcIVXLC]+\b)`
	citedAct    = `(?:[IVXLCivxlc]+|\d{1,3})(?:\s*[.,:]\s*(?:[ivxlc]+|\d{1,4}` + citedRange + `))+`
	citedAgain  = `(?i:ibid|idem|loc\. cit|op\. cit)\.?`
)

var (
	bracketed = regexp.MustCompile(`[\s\x{a0}]*(?:\([^()\[\]]{1,120}\)|\[[^()\[\]]{1,120}\])`)
	// cited is what one of the parts between semicolons can be.
	cited = regexp.MustCompile(`^` + citedSignal + `(?:` + strings.Join([]string{
		`(?:` + citedNames + `)?` + citedPages,
		`(?:` + citedNames + `)?` + citedAct,
		`(?:` + citedNames + `)?(?:` + citedYear + `[,:.]?\s+)?` + citedPlace + `(?:[,.:]?\s*(?:` + citedPlace + `|\d{1,4}` + citedRange + `))*`,
		citedNames + citedYear + `(?:[,:]\s*\d{1,4}` + citedRange + `)*`,
		`(?:` + citedNames + `)?` + citedAgain + `(?:,?\s*(?:` + citedPlace + `|` + citedPages + `))?`,
	}, "|") + `)\.?$`)
	citedPage = regexp.MustCompile(`\bpp?\.\s*\d`)
	dated     = regexp.MustCompile(`^(?:In|By|Since|About|Circa|Before|After|Spring|Summer|Autumn|Winter|January|February|March|April|May|June|July|August|September|October|November|December|A\.?D\.?)\s`)
)

// citations yields the bytes [begin, end) of each citation of a text, with the white
// space before it.
func citations(text string) [][]int {
	return slices.DeleteFunc(bracketed.FindAllStringIndex(text, -1), func(at []int) bool {
		inner := strings.TrimFunc(text[at[0]:at[1]], isSpace)
		inner = strings.TrimFunc(inner[1:len(inner)-1], isSpace)
		if citedPage.MatchString(inner) {
			return false
		}
		for part := range strings.SplitSeq(inner, ";") {
			part = strings.TrimFunc(part, isSpace)
			if dated.MatchString(part) || !cited.MatchString(part) {
				return true
			}
		}
		return false
	})
}

// WithoutCitations takes in-line citations out of a text (RELiC, Appendix A).
func WithoutCitations(text string) string {
	var b strings.Builder
	from := 0
	for _, at := range citations(text) {
		b.WriteString(text[from:at[0]])
		from = at[1]
	}
	return b.String() + text[from:]
}

// BlankCitations replaces every byte of an in-line citation with a space, so that a text is
// cut into sentences as it would be without them, and offsets stay.
func BlankCitations(text string) string {
	found := citations(text)
	if len(found) == 0 {
		return text
	}
	b := []byte(text)
	for _, at := range found {
		for i := at[0]; i < at[1]; i++ {
			if b[i] != '\n' { // an empty line still ends a paragraph
				b[i] = ' '
			}
		}
	}
	return string(b)
}
