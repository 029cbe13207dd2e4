package tokenizer

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/infer/tokenizer/subword"
)

// A tokenizer takes time in proportion to the text, whatever its file says and whatever
// the text is. Each of these would take many minutes if it took the square.
func TestLongTextsTakeLittle(t *testing.T) {
	split := func(by string) string {
		quoted := strings.ReplaceAll(by, `\`, `\\`)
		return `{` + oneWord + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"` + quoted + `"},"behavior":"Isolated"}}`
	}
	var added, pieces strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&added, `{"id":%d,"content":"%s%04d","normalized":false},`, i+3, strings.Repeat("a", 200), i)
		fmt.Fprintf(&pieces, `"%d":%d,`, i, i+5)
	}
	half := strings.Repeat("a", 1<<15)
	for name, test := range map[string]struct {
		file, unit string
		ids        int
	}{
		"digits of Qwen":    {split(qwen2Pattern), "1", 4_000_000},
		"digits of Llama":   {split(llama3Pattern), "1", 1_333_334},
		"long literals":     {`{` + oneWord + `,"normalizer":{"type":"Replace","pattern":{"String":"` + half + `b"},"content":"c"}}`, "a", 1},
		"a long piece":      {`{"model":{"type":"WordPiece","vocab":{` + pieces.String() + `"[UNK]":0,"a":1,"##a":2,"` + strings.Repeat("b", 4096) + `":3},"max_input_chars_per_word":1000000000}}`, "a", 4_000_000},
		"many added tokens": {`{` + oneWord + `,"added_tokens":[` + added.String() + `{"id":4003,"content":"b"}]}`, "a", 1},
		"ordinary splits":   {split(`\p{L}+|\s*[\r\n]+|^a|\s+`), "It was a dark night.\n ", 4_000_000 / 22 * 12},
	} {
		tok, err := Read(strings.NewReader(test.file))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		e, err := tok.Encode(strings.Repeat(test.unit, 4_000_000/len(test.unit)))
		if err != nil || e.Len() != test.ids {
			t.Errorf("%s: %d ids, %v", name, e.Len(), err)
		}
	}
}

// An expression that looks far ahead of what it finds has only short texts.
func TestExpressionsThatReadTooOften(t *testing.T) {
	p, err := newExpression(`[^~]*~|[^~]`)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		split presplitter
		n     int
		over  error
	}{{byPattern(p, isolated), 300, nil}, {byPattern(p, isolated), 3000, errReread}, {byPattern(inverted{p}, removed), 3000, errReread}} {
		tok := &Tokenizer{presplit: test.split, model: none{}, encoders: newPool(), post: postprocessor{single: plainSingle}}
		if _, err := tok.Encode(strings.Repeat("a", test.n)); !errors.Is(err, test.over) {
			t.Errorf("%d: %v", test.n, err)
		}
	}
}

// none is a model that makes no ids.
type none struct{}

func (none) Pieces(_ string, out []subword.Piece) []subword.Piece { return out }

// A normalizer is tried with all characters once. With 900 steps, each of 1,000
// characters, that would take half an hour.
func TestCharactersAreTriedQuickly(t *testing.T) {
	file := `{"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0]]},"normalizer":{"type":"Sequence","normalizers":[{"type":"Replace","pattern":{"String":"a"},"content":"` +
		strings.Repeat("a", 1000) + `"},` + strings.Repeat(`{"type":"Replace","pattern":{"String":"b"},"content":"c"},`, 900) + `null]},"pre_tokenizer":{"type":"Metaspace","replacement":"▁"}}`
	if _, err := Read(strings.NewReader(file)); err != nil {
		t.Error(err)
	}
}

// The search finds what looking for each pattern at each place finds.
func TestSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func(most int) []rune {
		w := make([]rune, 1+random.IntN(most))
		for i := range w {
			w[i] = []rune("abé")[random.IntN(3)]
		}
		return w
	}
	for range 3000 {
		patterns := make([][]rune, random.IntN(6))
		for i := range patterns {
			patterns[i] = word(5)
		}
		text := word(20)
		s := newSearch(patterns)
		found, any := s.longest(text), false
		for i := range text {
			want := int32(-1)
			for k, p := range patterns {
				if len(p) <= len(text)-i && slices.Equal(p, text[i:i+len(p)]) && (want < 0 || len(p) > len(patterns[want])) {
					want, any = int32(k), true
				}
			}
			if found == nil && want >= 0 || found != nil && found[i] != want {
				t.Fatalf("%q in %q at %d: %v, want %d", patterns, string(text), i, found, want)
			}
		}
		if s.finds(string(text)) != any {
			t.Fatalf("%q in %q: %v", patterns, string(text), !any)
		}
	}
}
