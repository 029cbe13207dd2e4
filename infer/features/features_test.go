package features

import (
	"bufio"
	"encoding/json"
	"flag"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/jdkato/prose/v3/tag"

	"github.com/commonplace/commonplace"
)

var update = flag.Bool("update", false, "write testdata/golden.jsonl anew; then run python3 models/shipped/features.py --check")

// golden is one passage with all that is computed of it. Python computes the same
// from the passage and the tagger's tags.
type golden struct {
	Version  int                 `json:"version,omitempty"`
	Names    []string            `json:"names,omitempty"`
	Passage  commonplace.Passage `json:"passage"`
	Tags     [][][2]string       `json:"tags"` // sentences of words with their tags
	Features []float64           `json:"features"`
	Terms    map[string]int      `json:"terms"`
}

const goldenFile = "testdata/golden.jsonl"

func of(t testing.TB, p commonplace.Passage) golden {
	t.Helper()
	r, err := NewReader(Names)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSpeech()
	if err != nil {
		t.Fatal(err)
	}
	g := golden{Passage: p, Tags: [][][2]string{}, Terms: map[string]int{}}
	s.sentences(p.Text, func(tokens []tag.Token) {
		var sentence [][2]string
		for _, t := range tokens {
			sentence = append(sentence, [2]string{t.Text, t.Tag})
		}
		g.Tags = append(g.Tags, sentence)
	})
	v := everything(p.Text)
	bag, x := NewBag(v), make([]float32, Count)
	if err := bag.Read(r, &p, x); err != nil {
		t.Fatal(err)
	}
	for _, f := range x {
		g.Features = append(g.Features, float64(f))
	}
	for _, id := range bag.Terms() {
		g.Terms[v.Term(id)] = bag.Times(id)
	}
	return g
}

var wordPattern = regexp.MustCompile(`[\pL\pN]+(?:['’][\pL\pN]+)*`)

// everything is a vocabulary of all n-grams of a text and all triples there are.
func everything(text string) *Vocabulary {
	seen := map[string]bool{}
	words := wordPattern.FindAllString(text, -1)
	for i := range words {
		words[i] = strings.ReplaceAll(strings.Map(func(r rune) rune {
			if r < 128 {
				return unicode.ToLower(r)
			}
			return r
		}, words[i]), "’", "'")
	}
	for i := range words {
		for n := 1; n <= LongestGram && i+n <= len(words); n++ {
			seen[strings.Join(words[i:i+n], " ")] = true
		}
	}
	for _, a := range classNames {
		for _, b := range classNames {
			for _, c := range classNames {
				seen[a+" "+b+" "+c] = true
			}
		}
	}
	var lines []string
	for term := range seen {
		lines = append(lines, term)
	}
	slices.Sort(lines)
	v, err := ParseVocabulary(strings.Join(lines, "\n"))
	if err != nil {
		panic(err)
	}
	return v
}

// The golden file is written here and checked by models/shipped/features.py, which
// computes it from the definition anew: the parity of training and serving.
func TestGoldenFile(t *testing.T) {
	if *update {
		var b strings.Builder
		put := func(g golden) {
			line, err := json.Marshal(g)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(line, '\n'))
		}
		put(golden{Version: Version, Names: Names})
		for _, p := range samples() {
			put(of(t, p))
		}
		if err := os.WriteFile(goldenFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<22)
	rows := 0
	for ; lines.Scan(); rows++ {
		var want golden
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if rows == 0 {
			if want.Version != Version || !slices.Equal(want.Names, Names) {
				t.Fatalf("golden file is of version %d with names %v", want.Version, want.Names)
			}
			continue
		}
		got := of(t, want.Passage)
		for i, x := range want.Features {
			if math.Abs(got.Features[i]-x) > 1e-6*max(1, math.Abs(x)) {
				t.Errorf("%q: %s is %v, was %v", want.Passage.Text, Names[i], got.Features[i], x)
			}
		}
		a, _ := json.Marshal([]any{got.Tags, got.Terms})
		b, _ := json.Marshal([]any{want.Tags, want.Terms})
		if string(a) != string(b) {
			t.Errorf("%q: tags and terms are\n%s, were\n%s", want.Passage.Text, a, b)
		}
	}
	if rows < 20 {
		t.Fatalf("only %d rows", rows)
	}
}

func TestNamesFitTheScan(t *testing.T) {
	at := map[string]int{"words": iWords, "quotation": iQuotation, "symbol": iSymbol, "connective": iClasses, "ed": iEd,
		"has_quotation": iPresent, "noun": iSpoken, "position": iPlaced}
	for name, i := range at {
		if Names[i] != name {
			t.Errorf("place %d is %s, the scan writes %s", i, Names[i], name)
		}
	}
	if iClasses+classCount != iPresent {
		t.Errorf("%d classes end at %d, the scan at %d", classCount, iClasses+classCount, iPresent)
	}
	seen := map[string]bool{}
	for _, f := range Features {
		if seen[f.Name] || f.Means == "" || f.Source == "" {
			t.Errorf("feature %q is named twice, or not described", f.Name)
		}
		seen[f.Name] = true
	}
}

// A word's triples, counted from the tags as the paper does, one by one.
func TestTokensAreTheText(t *testing.T) {
	for _, p := range samples() {
		var b strings.Builder
		for i := 0; i < len(p.Text); {
			token, end := nextToken(p.Text, i)
			if end <= i {
				t.Fatalf("%q: stands still at %d", p.Text, i)
			}
			b.WriteString(token)
			i = end
		}
		if want := strings.Join(strings.FieldsFunc(p.Text, unicode.IsSpace), ""); b.String() != want {
			t.Errorf("tokens of %q are %q", p.Text, b.String())
		}
	}
}

func TestReaderReadsWhatIsAsked(t *testing.T) {
	p := samples()[3]
	whole := of(t, p).Features
	names := []string{"chapter_first", "noun", "words", "has_colon"}
	r, err := NewReader(names)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float32, len(names))
	if err := r.Read(&p, x); err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		if want := whole[slices.Index(Names, name)]; float64(x[i]) != want {
			t.Errorf("%s is %v, expected %v", name, x[i], want)
		}
	}
	if _, err := NewReader([]string{"rhyme"}); err == nil || err.Error() != `there is no feature "rhyme"` {
		t.Errorf("unknown feature: %v", err)
	}
	if err := r.Read(&p, x[:1]); err == nil {
		t.Error("a short vector is taken")
	}
}

func TestVocabularyRefusals(t *testing.T) {
	for text, want := range map[string]string{
		"":          "there is no term in it: unexpected EOF",
		"a\nb\na\n": `line 3: "a" stands in line 1 as well`,
		"a b c d\n": `line 1: "a b c d" is no n-gram of one to 3 words`,
		"a\n\nb\n":  `line 2: "" is no n-gram of one to 3 words`,
		"a  b\n":    `line 1: "a  b" is no n-gram of one to 3 words`,
	} {
		if _, err := ParseVocabulary(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, expected %s", text, err, want)
		}
	}
}

var page = strings.Repeat("He that keepeth a lamp through all the night shall want no morning; yet, said she, “no one keeps it” but by need. ", 9)

// lexicalNames are features that need no tagger.
func lexicalNames() []string { return slices.Concat(Names[:iSpoken], Names[iPlaced:]) }

func TestReadingAllocatesNothing(t *testing.T) {
	r, err := NewReader(lexicalNames())
	if err != nil {
		t.Fatal(err)
	}
	x, p := make([]float32, len(lexicalNames())), commonplace.Passage{Text: page, Position: 0.5}
	bag := NewBag(everything(page))
	bag.vocabulary.speech = false
	read := func() {
		if err := bag.Read(r, &p, x); err != nil {
			t.Fatal(err)
		}
	}
	read()
	if n := testing.AllocsPerRun(100, read); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzRead(f *testing.F) {
	for _, p := range samples() {
		f.Add(p.Text)
	}
	f.Add("Never\xff say… never — ’tis")
	f.Fuzz(func(t *testing.T, text string) {
		for i, v := range of(t, commonplace.Passage{Text: text, Position: 0.5}).Features {
			if math.IsNaN(v) || v < 0 || math.IsInf(v, 0) {
				t.Errorf("%s is %v", Names[i], v)
			}
		}
		for _, word := range strings.Fields(text) {
			for _, tag := range []string{"VBZ", "VBD", "VBG", "NNS", "JJR", "JJS", "NN"} {
				if lemmaOf(strings.ToLower(word), tag) == "" {
					t.Errorf("%q as %s has no lemma", word, tag)
				}
			}
		}
	})
}
