package features

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
)

// LongestGram is the number of words in the longest n-gram of a [Vocabulary].
const LongestGram = 3

// gramClasses is the number of parts of speech in a term of them.
const gramClasses = 3

// Vocabulary is the n-grams that a model knows, one a line: one to three words in
// lower case with one space between them, or three parts of speech in capitals,
// such as DET NOUN VERB (Appendix E.1 and E.2: bags of words and of triples). The
// first line is term 1, since a graph fills its rows up with 0.
//
// Words are those of the lexical features: runs of letters and numbers with
// apostrophes between them. Marks and ends of sentences do not part words, and
// do part parts of speech. A word of more than 32 bytes parts words.
type Vocabulary struct {
	Lemmas bool  // its words are lemmas of English words: "he go" for he went
	Forms  Forms // its words are lemmas of these forms, of another language

	ids    map[string]int32
	terms  []string
	speech bool // some are parts of speech
	grows  bool
}

// Words gives the words of a text as the n-grams of a [Vocabulary] have them, A to Z
// in lower case, and the byte at which each begins; an empty one for a word of more
// than 32 bytes, which parts the others.
func Words(text string, each func(word string, begin int)) {
	c := counts{each: each}
	c.scan(text)
}

// NewVocabulary is one that learns every term that a [Bag] meets. Parts of speech are terms too if the passages
// are English, which the tagger expects.
func NewVocabulary(english bool) *Vocabulary {
	return &Vocabulary{ids: map[string]int32{}, terms: []string{""}, speech: english, grows: true}
}

// ParseVocabulary reads the lines of a vocabulary. A term that stands there twice
// or has too many words is an error that names the line.
func ParseVocabulary(text string) (*Vocabulary, error) {
	v := &Vocabulary{ids: map[string]int32{}, terms: []string{""}}
	for line := range strings.Lines(text) {
		term := strings.TrimSuffix(line, "\n")
		n := len(v.terms)
		words := strings.Count(term, " ") + 1
		if term == "" || strings.Join(strings.Fields(term), " ") != term || words > LongestGram {
			return nil, fmt.Errorf("line %d: %q is no n-gram of one to %d words", n, term, LongestGram)
		}
		if v.ids[term] != 0 {
			return nil, fmt.Errorf("line %d: %q stands in line %d as well", n, term, v.ids[term])
		}
		v.learn(term)
		v.speech = v.speech || words == gramClasses && isClass(strings.Fields(term)[0])
	}
	if len(v.ids) == 0 {
		return nil, fmt.Errorf("there is no term in it: %w", io.ErrUnexpectedEOF)
	}
	return v, nil
}

func isClass(word string) bool {
	for _, name := range classNames {
		if name == word {
			return true
		}
	}
	return false
}

func (v *Vocabulary) learn(term string) int32 {
	id := int32(len(v.terms))
	v.ids[term] = id
	v.terms = append(v.terms, term)
	return id
}

// Len is the number of terms.
func (v *Vocabulary) Len() int { return len(v.terms) - 1 }

// Term is the n-gram of a number from 1.
func (v *Vocabulary) Term(id int32) string { return v.terms[id] }

// Bag counts the terms of a vocabulary in passages, one passage after another. It
// is not safe for concurrent use.
type Bag struct {
	vocabulary *Vocabulary
	words      []byte  // in lower case, a space between them
	begins     []int32 // of each word; -1 parts words
	counts     []int32 // by term, of which those of order are not zero
	order      []int32 // terms by their first occurrence
	triple     []byte
	low        []byte // a token in lower case, then its lemma
}

// NewBag makes a bag for a vocabulary.
func NewBag(v *Vocabulary) *Bag {
	return &Bag{vocabulary: v, counts: make([]int32, len(v.terms))}
}

// Read reads the features of a passage and counts its terms in one go. The bag
// holds the counts until it is read into again.
func (b *Bag) Read(r *Reader, p *commonplace.Passage, vector []float32) error {
	for _, id := range b.order {
		b.counts[id] = 0
	}
	b.words, b.begins, b.order = b.words[:0], b.begins[:0], b.order[:0]
	return r.read(p, b, vector)
}

// Terms are the terms that the passage has, by their first occurrence, words
// before parts of speech. They are good until the next Read.
func (b *Bag) Terms() []int32 { return b.order }

// Times is how often the passage has a term.
func (b *Bag) Times(id int32) int { return int(b.counts[id]) }

func (b *Bag) count(term []byte) {
	id := b.vocabulary.ids[string(term)]
	if id == 0 {
		if !b.vocabulary.grows {
			return
		}
		id = b.vocabulary.learn(string(term))
	}
	if int(id) >= len(b.counts) {
		b.counts = append(b.counts, make([]int32, len(b.vocabulary.terms)-len(b.counts))...)
	}
	if b.counts[id] == 0 {
		b.order = append(b.order, id)
	}
	b.counts[id]++
}

// word takes the next word and counts the n-grams that end with it.
func (b *Bag) word(low []byte) {
	if low == nil {
		b.begins = append(b.begins, -1)
		return
	}
	if len(b.words) > 0 {
		b.words = append(b.words, ' ')
	}
	b.begins = append(b.begins, int32(len(b.words)))
	if lemma, ok := b.vocabulary.Forms[string(low)]; ok {
		b.words = append(b.words, lemma...)
	} else {
		b.words = append(b.words, low...)
	}
	for k := len(b.begins) - 1; k >= max(0, len(b.begins)-LongestGram) && b.begins[k] >= 0; k-- {
		b.count(b.words[b.begins[k]:])
	}
}

// lemma takes the next token as its lemma; one that is a mark is none.
func (b *Bag) lemma(token, tag string) {
	if !isWord(token) || token == "''" { // the tagger's closing quotation mark
		return
	}
	if len(token) > longestLexiconWord {
		b.word(nil)
		return
	}
	b.low = append(b.low[:0], token...)
	for i, c := range b.low {
		if c < utf8.RuneSelf && kindOf[c] == upper {
			b.low[i] += 'a' - 'A'
		}
	}
	b.low = append(b.low[:0], lemmaOf(string(b.low), tag)...)
	b.word(b.low)
}

// triples counts the terms of parts of speech.
func (b *Bag) triples(classes []class) {
	for i := gramClasses; i <= len(classes); i++ {
		b.triple = b.triple[:0]
		for _, c := range classes[i-gramClasses : i] {
			if c == stops {
				b.triple = b.triple[:0]
				break
			}
			if len(b.triple) > 0 {
				b.triple = append(b.triple, ' ')
			}
			b.triple = append(b.triple, classNames[c]...)
		}
		if len(b.triple) > 0 {
			b.count(b.triple)
		}
	}
}
