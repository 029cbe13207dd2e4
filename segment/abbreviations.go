package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// abbreviations that a name or a number follows: they never end a sentence.
var abbreviations = setOf(`Mr Mrs Ms Messrs Mme Mlle Mdme Mons Dr Drs St Ste Rev Revd Hon Prof Gen Col Capt Cpt Comdr Cmdr Lieut Lt Sergt Serg Sgt
	Corp Cpl Maj Gov Pres Sen Rep Supt Insp Adm Amb Bp Abp Archb Card Fr Br Sr Sra Srta Don Mt Ft Pt Ld Bart Viz Cf Vs Vid Ibid Op Cit
	mr mrs dr st viz cf vs vid ibid e.g i.e op cit al Phil Wm Geo Chas Jas Jos Thos Benj Robt Saml Alex Edw Hy Rob Nath`)

// beforeNumbers are abbreviations when a number follows.
var beforeNumbers = setOf(`No Nos no nos Vol Vols vol vols Chap Chaps chap Ch ch Sec Sect sec sect Art art Fig Figs fig p pp P Pp l ll v vv Bk bk Pt pt
	Jan Feb Mar Apr Aug Sept Sep Oct Nov Dec Act Sc sc Par par Ps Gen Exod Lev Num Deut Matt Rom Cor Gal Eph Col Tim Heb Jas Pet Rev`)

// sayings are the verbs that say who speaks.
var sayings = setOf(`said says cried asked answered replied exclaimed returned continued added observed remarked whispered shouted muttered
	murmured repeated began inquired enquired rejoined retorted called growled interrupted responded demanded pursued resumed sighed gasped
	screamed roared ejaculated declared announced suggested protested thought`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// endsWithAbbreviation says that the full stop at the end of left is not its
// sentence's: it stands after an abbreviation or the initial of a name.
func endsWithAbbreviation(left, right string) bool {
	if !strings.HasSuffix(left, ".") {
		return false
	}
	word := lastWord(left[:len(left)-1])
	switch {
	case abbreviations[word]:
		return true
	case beforeNumbers[word]:
		return begins(right, func(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune("IVXLC", r) }) && !begins(right, unicode.IsLower)
	}
	return isInitial(word, left, right)
}

// lastWord is what stands after the last space or opening mark.
func lastWord(s string) string {
	for i := len(s); i > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		if unicode.IsSpace(r) || strings.ContainsRune("“\"'‘(_[{—-–", r) {
			return s[i:]
		}
		i -= size
	}
	return s
}

// isInitial recognises "S. Place" and "J. H. W. Smith". A lone "I." is the end
// of "It was I." unless another initial stands beside it.
func isInitial(word, left, right string) bool {
	r, size := utf8.DecodeRuneInString(word)
	if size != len(word) || !unicode.IsUpper(r) {
		return false
	}
	if r != 'I' {
		return begins(right, unicode.IsUpper)
	}
	before := strings.TrimRight(left[:len(left)-len(word)-1], " ")
	next, _ := cutWord(right)
	return strings.HasSuffix(before, ".") && utf8.RuneCountInString(lastWord(strings.TrimSuffix(before, "."))) == 1 ||
		utf8.RuneCountInString(next) == 1 && strings.HasPrefix(strings.TrimLeft(right, " ")[len(next):], ".")
}

// saysWho says that right, after closing quotation marks, tells who spoke: "I
// answered", "Holmes said", with the mark of a footnote before it or not.
func saysWho(right string) bool {
	right = strings.TrimLeft(right, " \t\u00a0")
	if right != "" && strings.ContainsRune("[{(", rune(right[0])) {
		if end := strings.IndexAny(right[:min(len(right), 8)], "]})"); end > 0 {
			right = strings.TrimLeft(right[end+1:], " ")
		}
	}
	first, rest := cutWord(right)
	second, _ := cutWord(rest)
	return startsUpper(first) && strings.HasPrefix(rest, " ") && sayings[second]
}
