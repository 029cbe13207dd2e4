package features

import (
	"strings"

	"github.com/commonplace/commonplace"
)

// samples are passages of our own that touch every feature and every trap of the
// scan.
func samples() []commonplace.Passage {
	place := func(of string, passage, passages, index, count int64) commonplace.Place {
		return commonplace.Place{Kind: of, Index: index, Count: count, PassageIndex: passage, Passages: passages,
			Position: float64(passage) / float64(passages), Decile: 10 * passage / passages, First: passage == 0, Last: passage == passages-1}
	}
	chapter := []commonplace.Place{place("document", 20, 40, 0, 1), place("chapter", 0, 9, 1, 5), place("paragraph", 3, 4, 17, 60)}
	scene := []commonplace.Place{place("document", 99, 100, 0, 1), place("act", 49, 50, 4, 5), place("scene", 0, 1, 19, 20), place("speech", 0, 3, 44, 300)}
	alone := []commonplace.Place{place("document", 0, 1, 0, 1)}
	within := func(of string, index, count int64) commonplace.Place {
		p := place(of, 2, 8, 3*index, 3*count)
		p.IndexWithin, p.CountWithin = index, count
		return p
	}
	scene2 := []commonplace.Place{place("document", 30, 100, 0, 1), within("act", 1, 5), within("scene", 6, 7), place("speech", 0, 3, 44, 300)}
	section := []commonplace.Place{place("document", 4, 30, 0, 1), within("chapter", 0, 3), within("section", 4, 9), within("paragraph", 8, 9)}
	long := "He that keepeth a lamp through all the night shall want no morning; yet no one keeps it but by need. "
	var out []commonplace.Passage
	for _, s := range []struct {
		position float64
		places   []commonplace.Place
		text     string
	}{
		{0, nil, ""},
		{1, alone, "   \n\t — … "},
		{0.5, alone, "Every man is the author of his own silence, and never its master."},
		{0.01, chapter, "I think, therefore nothing is wholly lost; but who can say: the wiser or the wisest?"},
		{0.99, scene, "And he said unto them, Whosoever loveth wisdom hath found the greater light: thou art the least, and shalt be."},
		{0.02, nil, "CHAPTER XII.  The Lamp-lighter’s Daughter . . . . . . . . 214\nCHAPTER XIII.  At Sea . . . . 231"},
		{0.3, chapter, "“Don't go,” she whispered--“don’t, I beg you!” ‘No,’ said the boy (quietly) [aside]. He'll have gone; it’s broken."},
		{0.4, scene, "NEVER AGAIN!!! What?! Wait... what… No."},
		{0.6, nil, "Ünder Österreichs Himmel; ÉCOLE NORMALE, naïve façade, Ελλάδα ΑΘΗΝΑ, Москва."},
		{0.61, nil, "cafe\u0301 re\u0301sume\u0301 n\u0303ame — e\u0301"},
		{0.7, nil, "日本語の文章。静けさは答えである。 中文 1234 ½ ⅷ ² ٣٤"},
		{0.8, nil, "emoji 😀 between words 👩‍👩‍👧 and 'quotes' and rock'n'roll's ' alone ' :-) :( @you"},
		{0.9, nil, "Supercalifragilisticexpialidociousnessandmuchlongerthanthirtytwobytesness ended the words around it"},
		{0.951, nil, "a_b_c *bold* #1 x=y|z 50% $5 <tag> {brace} ~tilde ^hat \\back a/b @home &c +1"},
		{0.049, alone, "The oldest stories were told and written twice: The Better Part. A Short End"},
		{0.05, nil, "- -- --- ---- -a- a--b a-b –x— …..!"},
		{0.25, nil, "ambition ambitions kindness happiness nation mission friendship boredom realism absence distance payment solitude tude ness"},
		{0.75, nil, "’tis ‘tis 'tis ’’ '' o’ o’clock O’Brien's MACDONALD’S Mc’D"},
		{0.1, nil, "I'm I’ll I I I said: \"You're right.\" It's he's WE'RE they'd I've can't"},
		{0.2, nil, "\ufeffBom first. ʼmodifier ª º Ⅻ Ⅻth ǅ title ﬁne ſharp ẞ"},
		{0.33, scene, strings.Repeat(long, 3)},
		{0.35, scene2, "Speak, and be silent."},
		{0.36, section, "Gallia est omnis divisa in partes tres."},
		{0.34, chapter, strings.Repeat(strings.ReplaceAll(long, " ", "\n"), 2)},
	} {
		out = append(out, commonplace.Passage{Text: s.text, Position: s.position, Places: s.places})
	}
	return out
}
