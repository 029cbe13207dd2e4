package features

import (
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// Lemmas of words with their tags, as an editor of a dictionary would have them.
func TestLemmas(t *testing.T) {
	for lemma, forms := range map[string]string{
		"be": "is/VBZ are/VBP was/VBD art/VBP being/VBG 's/VBZ", "have": "hath/VBZ had/VBD hast/VBP", "shall": "shalt/MD",
		"walk": "walketh/VBZ walkest/JJS walked/VBD walking/VBG walks/VBZ walk/VB", "love": "loveth/NN lovest/JJS loved/VBN lovedst/VBP loving/VBG",
		"sit": "sitteth/RB sitting/VBG sat/VBD", "hope": "hoping/VBG hoped/VBD hopeth/VBZ", "hop": "hopped/VBD hopping/VBG", "sing": "singing/VBG sang/VBD singeth/NN",
		"plan": "planned/VBN", "plane": "planed/VBN", "call": "called/VBD calleth/VBZ", "carry": "carries/VBZ carried/VBD carrieth/VBZ", "lie": "lies/VBZ lieth/VBZ lying/VBG",
		"see": "seeth/VBZ saw/VBD sawest/VBP", "agree": "agreed/VBD", "go": "goest/JJS goeth/VBZ went/VBD goes/VBZ", "break": "brake/VB broken/VBN", "speak": "spake/VBD spoken/VBN",
		"find": "found/VBD", "found": "found/VB", "leave": "leaves/VBZ left/VBD", "leaf": "leaves/NNS", "house": "houses/NNS", "box": "boxes/NNS", "church": "churches/NNS",
		"ache": "aches/NNS", "shoe": "shoes/NNS", "hero": "heroes/NNS", "pie": "pies/NNS", "city": "cities/NNS", "wife": "wives/NNS", "husbandman": "husbandmen/NNS",
		"child": "children/NNS", "jew": "jews/NNPS", "james": "james/NNP", "give": "gavest/JJS", "bring": "broughtest/JJS", "manifest": "manifest/JJS", "amen": "amen/NNS", "righteousness": "righteousness/NN righteousness/NNS", "riches": "riches/NNS",
		"great": "greatest/JJS greater/JJR", "large": "larger/JJR", "happy": "happiest/JJS", "long": "longest/JJS", "good": "better/JJR best/JJS", "near": "nearest/JJS",
		"need": "need/VBD", "interest": "interest/NN", "priest": "priest/NN", "forest": "forest/NN", "honest": "honest/JJ", "death": "death/NN", "nazareth": "nazareth/NNP",
		"he": "him/PRP he/PRP", "his": "his/PRP$", "this": "these/DT", "not": "n't/RB not/RB", "can": "ca/MD canst/MD", "rasp's": "rasp's/NN", "über": "über/NNS", "s": "s/NNS s/VBZ", "es": "es/VBZ es/NNS", "est": "est/JJS", "eth": "eth/NN", "ed": "ed/VBD", "ing": "ing/VBG", "er": "er/JJR",
	} {
		for _, form := range strings.Fields(forms) {
			word, tag, _ := strings.Cut(form, "/")
			if got := lemmaOf(word, tag); got != lemma {
				t.Errorf("the lemma of %s is %s, expected %s", form, got, lemma)
			}
		}
	}
}

// A bag of lemmas counts n-grams of lemmas, and triples as a bag of words does.
func TestBagOfLemmas(t *testing.T) {
	bags := map[bool]map[string]int{}
	for _, of := range []bool{false, true} {
		v := NewVocabulary(true)
		v.Lemmas = of
		r, err := NewReader([]string{"words"})
		if err != nil {
			t.Fatal(err)
		}
		bag, terms, x := NewBag(v), map[string]int{}, make([]float32, 1)
		for range 2 { // the second passage has nothing of the first
			if err := bag.Read(r, &commonplace.Passage{Text: "They didn’t go: he goeth — “they went?” " + strings.Repeat("x", 33) + " ended."}, x); err != nil {
				t.Fatal(err)
			}
		}
		for _, id := range bag.Terms() {
			terms[v.Term(id)] = bag.Times(id)
		}
		bags[of] = terms
	}
	for term, n := range map[string]int{"go": 3, "do not go": 1, "go he go": 1, "they": 2, "end": 1, "went": 0, "they go": 1} {
		if bags[true][term] != n {
			t.Errorf("%q is there %d times, expected %d, in %v", term, bags[true][term], n, bags[true])
		}
	}
	for term, n := range bags[false] {
		if isClass(strings.Fields(term)[0]) && bags[true][term] != n {
			t.Errorf("%q is there %d times among lemmas, and %d among words", term, bags[true][term], n)
		}
	}
	if bags[false]["PRON VERB PART"]+bags[false]["PRON VERB ADV"] == 0 || bags[false]["they didn't go"] != 1 {
		t.Errorf("the bag of words is %v", bags[false])
	}
}
