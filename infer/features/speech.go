package features

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jdkato/prose/v3/tag"
)

//go:embed tags.txt
var tagsText string

// archaic are words that the tagger's newspapers do not have, with their tags.
var archaic = func() tag.Lexicon {
	lexicon := tag.Lexicon{}
	for line := range strings.Lines(tagsText) {
		name, words, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		for _, w := range strings.Fields(words) {
			lexicon[w] = name
		}
	}
	return lexicon
}()

// class is a coarse part of speech.
type class uint8

const (
	stops class = iota // punctuation: no part of a triple
	noun
	verb
	adjective
	adverb
	pronoun
	determiner
	adposition
	conjunction
	numeral
	particle
	rest
)

// classNames are the names of the Universal Dependencies.
var classNames = [...]string{"PUNCT", "NOUN", "VERB", "ADJ", "ADV", "PRON", "DET", "ADP", "CCONJ", "NUM", "PART", "X"}

// classOf reads a tag of the Penn Treebank.
func classOf(tag string) class {
	switch tag {
	case "EX", "WP", "WP$", "PRP", "PRP$":
		return pronoun
	case "DT", "PDT", "WDT":
		return determiner
	case "IN":
		return adposition
	case "CC":
		return conjunction
	case "CD":
		return numeral
	case "TO", "RP", "POS":
		return particle
	case "MD":
		return verb
	case "WRB":
		return adverb
	}
	switch {
	case strings.HasPrefix(tag, "NN"):
		return noun
	case strings.HasPrefix(tag, "VB"):
		return verb
	case strings.HasPrefix(tag, "JJ"):
		return adjective
	case strings.HasPrefix(tag, "RB"):
		return adverb
	case tag == "FW", tag == "UH", tag == "LS", tag == "SYM":
		return rest
	}
	return stops
}

// speech counts the parts of speech of a text.
type speech struct {
	tagger  *tag.Tagger
	tokens  []tag.Token // of one sentence
	classes []class     // of the words of the whole text, stops between sentences
	count   [len(classNames)]int

	proper, past, present, future, participles, comparatives, superlatives int
}

func newSpeech() (*speech, error) {
	t, err := tag.New(tag.WithLexicon(archaic))
	return &speech{tagger: t}, err
}

// read counts the parts of speech of a text, and gives the bag its lemmas if there is one.
func (s *speech) read(text string, lemmas *Bag) {
	*s = speech{tagger: s.tagger, tokens: s.tokens, classes: s.classes[:0]}
	s.sentences(text, func(tokens []tag.Token) {
		for _, t := range tokens {
			s.add(t.Text, t.Tag)
			if lemmas != nil {
				lemmas.lemma(t.Text, t.Tag)
			}
		}
		s.classes = append(s.classes, stops)
	})
}

// sentences tags a text, sentence by sentence: a run of .!?… ends one.
func (s *speech) sentences(text string, yield func([]tag.Token)) {
	s.tokens = s.tokens[:0]
	flush := func() {
		if len(s.tokens) > 0 {
			s.tagger.TagTokens(s.tokens)
			yield(s.tokens)
		}
		s.tokens = s.tokens[:0]
	}
	for i := 0; i < len(text); {
		token, end := nextToken(text, i)
		i = end
		if token == "" {
			continue
		}
		s.word(token)
		if strings.HasPrefix(token, "…") || token[0] == '.' || token[0] == '!' || token[0] == '?' {
			flush()
		}
	}
	flush()
}

// contractions are endings that the tagger knows as words of their own.
var contractions = []string{"n't", "'s", "'re", "'ll", "'ve", "'d", "'m"}

// treebank is how marks are written in what the tagger learnt from.
var treebank = map[string]string{"“": "``", "‘": "`", "«": "``", "\"": "``", "”": "''", "’": "''", "»": "''", "'": "''", "—": "--", "–": "--"}

func (s *speech) word(token string) {
	switch token[0] {
	case '.', '!', '?':
		token = token[:1]
	case '-':
		token = token[:min(2, len(token))]
	default:
		if strings.HasPrefix(token, "…") {
			token = "."
		} else if mark, ok := treebank[token]; ok {
			token = mark
		}
	}
	if len(token) > 1 && strings.Contains(token, "’") {
		token = strings.ReplaceAll(token, "’", "'")
	}
	if strings.IndexByte(token, '\'') > 0 {
		for _, e := range contractions {
			if len(token) > len(e) && strings.EqualFold(token[len(token)-len(e):], e) {
				s.tokens = append(s.tokens, tag.Token{Text: token[:len(token)-len(e)]}, tag.Token{Text: token[len(token)-len(e):]})
				return
			}
		}
	}
	s.tokens = append(s.tokens, tag.Token{Text: token})
}

// add counts one tagged word.
func (s *speech) add(text, tag string) {
	c := classOf(tag)
	if c != stops && !isWord(text) {
		c = stops // the tagger took a mark for a word
	}
	s.classes = append(s.classes, c)
	if c == stops {
		return
	}
	s.count[c]++
	switch tag {
	case "NNP", "NNPS":
		s.proper++
	case "VBD":
		s.past++
	case "VBP", "VBZ":
		s.present++
	case "VBN":
		s.participles++
	case "JJR", "RBR":
		s.comparatives++
	case "JJS", "RBS":
		s.superlatives++
	case "MD":
		switch strings.ToLower(text) {
		case "will", "shall", "wilt", "shalt", "'ll":
			s.future++
		}
	}
}

// isWord says whether a token begins as a word does, or as an ending such as 's.
func isWord(token string) bool {
	first, _ := utf8.DecodeRuneInString(token)
	return letter(first) || token[0] == '\'' && len(token) > 1
}

// write writes the spoken features; words are those of the lexical scan.
func (s *speech) write(words int, vector []float32) {
	w := float32(words)
	for i, n := range []int{s.count[noun], s.count[verb], s.count[adjective], s.count[adverb], s.count[pronoun], s.proper, s.past, s.present, s.future} {
		vector[i] = float32(n) / w
	}
	vector[9], vector[10], vector[11] = bit(s.participles > 0), bit(s.comparatives > 0), bit(s.superlatives > 0)
}

// nextToken is the token at or after byte i, and where the text goes on: a word
// with the apostrophes inside it, a run of sentence ends or of hyphens, or one
// other mark. It is empty for white space.
func nextToken(text string, i int) (string, int) {
	r, size := utf8.DecodeRuneInString(text[i:])
	if unicode.IsSpace(r) {
		return "", i + size
	}
	end := i + size
	same := func(in func(r rune) bool) {
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if !in(r) {
				return
			}
			end += size
		}
	}
	switch {
	case letter(r):
		for {
			same(letter)
			if end == len(text) {
				break
			}
			mark, size := utf8.DecodeRuneInString(text[end:])
			if mark != '\'' && mark != '’' || !wordAt(text, end+size) {
				break
			}
			end += size
		}
	case r == '.' || r == '!' || r == '?' || r == '…':
		same(func(r rune) bool { return r == '.' || r == '!' || r == '?' || r == '…' })
	case r == '-':
		same(func(r rune) bool { return r == '-' })
	}
	return text[i:end], end
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
