// Package features turns a passage into the numbers that the small quotability
// models read, after Appendix E of "Content-based models of quotation": length,
// capitals, stop words, punctuation, dialogue words, abstract nouns, universal
// quantifiers, comparatives, participles, parts of speech, pronouns, articles,
// tenses, and where in its book, act, scene, chapter, section and paragraph it
// stands.
// docs/features.md describes them one by one with their sources.
//
//	reader, err := features.NewReader(features.Names)
//	x := make([]float32, len(features.Names))
//	reader.Read(&passage, x)
//
// Where the paper counts, these are rates per word, so that a verse of 25 words
// and a paragraph of 200 stand on one scale; what the paper asks with yes or no
// has has_ before its name. The words behind the classes are data, in
// lexicon.txt. Bags of words and of parts of speech are [Vocabulary]'s.
//
// Training in Python has the same definition (models/shipped/features.py). The file
// testdata/golden.jsonl holds both sides to each other: a change here is a new
// [Version], a new golden file and newly fitted models. A feature that is added behind
// the others is a new golden file alone, for models name their features.
package features

import (
	"fmt"
	"math"
	"slices"

	"github.com/commonplace/commonplace"
)

// Version names this set of features. A model is fitted on one version and
// refuses to be loaded with another.
const Version = 2

// Feature is one number of the vector and where it comes from.
type Feature struct {
	Name   string
	Means  string // unit and shape
	Source string // of the idea: the paper's section, or ours
}

// Features are all features, in the order of the vector. A text without words
// has zeros for all but its places.
var Features = slices.Concat(lexical, present, spoken, placed)

const (
	paper = "Appendix E.2"
	ours  = "ours"
)

// lexical features need one pass over the text.
var lexical = []Feature{
	{"words", "ln(1 + number of words)", paper + ", length"},
	{"characters", "ln(1 + number of code points)", paper + ", length"},
	{"word_length", "mean length of a word in code points", paper + ", length"},
	{"shortest_word", "length of the shortest word, at most 20", paper + ", length"},
	{"longest_word", "length of the longest word, at most 20", paper + ", length"},
	{"long_words", "words of eight code points or more, per word", ours},
	{"sentence_words", "ln(1 + words for each run of .!?…), the mean held within 12 to 40", ours},
	{"capitals", "words with a capital inside a sentence, I excepted, per word", paper + ", capitalization"},
	{"upper", "words all in capitals (two or more), per word", ours},
	{"digits", "words with a digit, per word", ours},
	{"stop", "stop words, per word", paper + ", stop words"},
	{"unknown", "words in none of the lexicon's classes, per word", ours},
	{"begins_stop", "1 when the first word is a stop word", paper + ", stop words"},
	{"begins_connect", "1 when the first word is and, but, for ...", ours},
	{"begins_capital", "1 when the first word begins with a capital", ours},
	{"quotation", "double and curly opening quotation marks, per word", paper + ", punctuation"},
	{"parenthesis", "( and [, per word", paper + ", punctuation"},
	{"colon", "per word", paper + ", punctuation"},
	{"semicolon", "per word", paper + ", punctuation"},
	{"comma", "per word", ours},
	{"dash", "– and — and runs of hyphens, per word", paper + ", punctuation"},
	{"exclamation", "per word", ours},
	{"question", "per word", ours},
	{"period", ". per word", ours},
	{"symbol", `_ * # = | + / @ & $ % < > { } ~ ^ \, per word`, ours},
	{"connective", "words of the lexicon's class, per word; so are those that follow", ours},
	{"dialogue", "said, saith, asked ...", paper + ", dialogue words"},
	{"quantifier", "the paper's 20 universal quantifiers", paper + ", quantifiers (Bendersky and Smith 2012)"},
	{"indefinite", "a, an", paper + ", generality (Tan et al. 2018)"},
	{"definite", "the", ours},
	{"demonstrative", "this, that, there ...", ours},
	{"first", "pronouns of the first person", paper + ", personal pronouns (Tan et al. 2018)"},
	{"second", "of the second, thou and ye among them", paper + ", personal pronouns (Tan et al. 2018)"},
	{"third", "of the third", paper + ", personal pronouns (Tan et al. 2018)"},
	{"negation", "not, never, none ...", ours},
	{"present", "frequent verbs in the present tense", paper + ", verb tenses, without a tagger"},
	{"past", "frequent verbs in the past tense", paper + ", verb tenses, without a tagger"},
	{"modal", "shall, may, must ...", paper + ", verb tenses, without a tagger"},
	{"condition", "if, whoever, unless ...", ours},
	{"preposition", "of, unto, against ...", ours},
	{"comparative", "better, wiser ...", paper + ", emphasis, without a tagger"},
	{"superlative", "best, wisest ...", paper + ", emphasis, without a tagger"},
	{"abstract", "our list of abstract nouns, and words with an abstract ending", paper + ", abstract concepts"},
	{"theme", "what maxims are about: man, heart, friend ...", ours},
	{"participle", "irregular participles; regular ones are in ed", paper + ", past participle, without a tagger"},
	{"ed", "words of four letters or more that end in ed", paper + ", past participle, without a tagger"},
	{"number", "one, hundred ...", ours},
	{"paratext", "words of books about themselves: chapter, exeunt ...", ours},
	{"roman", "ii to l", ours},
}

// present features are 1 when the text has at least one, else 0.
var present = []Feature{
	{"has_quotation", "1 when there is a quotation mark", paper + ", punctuation"},
	{"has_parenthesis", "1 when there is a parenthesis", paper + ", punctuation"},
	{"has_colon", "1 when there is a colon", paper + ", punctuation"},
	{"has_dash", "1 when there is a dash", paper + ", punctuation"},
	{"has_semicolon", "1 when there is a semicolon", paper + ", punctuation"},
	{"has_dialogue", "1 when there is a dialogue word", paper + ", dialogue words"},
	{"has_quantifier", "1 when there is a universal quantifier", "Table 4, universal quantifiers"},
	{"has_abstract", "1 when there is an abstract noun", "Table 4, generality"},
	{"has_comparative", "1 when the lexicon has a comparative of it", paper + ", emphasis"},
	{"has_superlative", "1 when the lexicon has a superlative of it", paper + ", emphasis"},
}

// spoken features need the tagger of parts of speech.
var spoken = []Feature{
	{"noun", "NN, NNS, NNP, NNPS, per word", paper + ", part of speech"},
	{"verb", "VB..., MD, per word", paper + ", part of speech"},
	{"adjective", "JJ, JJR, JJS, per word", paper + ", part of speech"},
	{"adverb", "RB, RBR, RBS, WRB, per word", paper + ", part of speech"},
	{"pronoun", "PRP, PRP$, WP, WP$, EX, per word", paper + ", part of speech"},
	{"proper", "NNP, NNPS, per word", ours},
	{"tagged_past", "VBD, per word", paper + ", verb tenses (Danescu-Niculescu-Mizil et al. 2012)"},
	{"tagged_present", "VBP, VBZ, per word", paper + ", verb tenses (Danescu-Niculescu-Mizil et al. 2012)"},
	{"tagged_future", "will, shall, wilt, shalt and 'll as MD, per word", paper + ", verb tenses (Danescu-Niculescu-Mizil et al. 2012)"},
	{"has_tagged_participle", "1 when there is a VBN", paper + ", past participle"},
	{"has_tagged_comparative", "1 when there is a JJR or RBR", paper + ", emphasis"},
	{"has_tagged_superlative", "1 when there is a JJS or RBS", paper + ", emphasis"},
}

// Names are the names of [Features].
var Names = func() (names []string) {
	for _, f := range Features {
		names = append(names, f.Name)
	}
	return names
}()

// Count is the length of a whole vector.
var Count = len(Names)

// Places of the groups in the vector.
var (
	iPresent = len(lexical)
	iSpoken  = iPresent + len(present)
	iPlaced  = iSpoken + len(spoken)
)

// Reader reads chosen features of passages, and does no work that they do not
// need: without spoken ones no tagger runs. It is not safe for concurrent use.
type Reader struct {
	columns []int
	spoken  bool
	full    []float32
	text    counts
	tagger  *speech
}

// NewReader reads the named features in the order of the names. An unknown name
// is an error.
func NewReader(names []string) (*Reader, error) {
	if errLexicon != nil {
		return nil, errLexicon
	}
	r := &Reader{full: make([]float32, Count)}
	for _, name := range names {
		i := slices.Index(Names, name)
		if i < 0 {
			return nil, fmt.Errorf("there is no feature %q", name)
		}
		r.columns = append(r.columns, i)
		r.spoken = r.spoken || i >= iSpoken && i < iPlaced
	}
	return r, nil
}

// Read writes the passage's features into vector, which must be as long as the
// names are many.
func (r *Reader) Read(p *commonplace.Passage, vector []float32) error {
	return r.read(p, nil, vector)
}

// read is Read that gives the words to the bag as well.
func (r *Reader) read(p *commonplace.Passage, b *Bag, vector []float32) error {
	if len(vector) != len(r.columns) {
		return fmt.Errorf("the vector has room for %d features, expected %d", len(vector), len(r.columns))
	}
	clear(r.full)
	lemmas := b
	if b != nil && !b.vocabulary.Lemmas {
		lemmas = nil
		r.text = counts{sink: b}
	} else {
		r.text = counts{}
	}
	r.text.scan(p.Text)
	if r.text.words > 0 {
		r.text.write(p.Text, r.full)
	}
	triples := b != nil && b.vocabulary.speech
	if r.spoken || triples || lemmas != nil {
		if r.tagger == nil {
			t, err := newSpeech()
			if err != nil {
				return err
			}
			r.tagger = t
		}
		r.tagger.read(p.Text, lemmas)
		if r.text.words > 0 {
			r.tagger.write(r.text.words, r.full[iSpoken:iPlaced])
		}
		if triples {
			b.triples(r.tagger.classes)
		}
	}
	writePlaces(p, r.full[iPlaced:])
	for i, column := range r.columns {
		vector[i] = r.full[column]
	}
	return nil
}

func bit(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// logOf is ln(1 + n).
func logOf[N int | int64](n N) float32 { return float32(math.Log1p(float64(n))) }
