package tokenizer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/infer/tokenizer/internal/tokenfile"
)

const oneWord = `"model":{"type":"WordLevel","vocab":{"<unk>":0,"a":1},"unk_token":"<unk>"}`

// A text may grow, but not without end, whichever step makes it grow, and whether it is
// whole or in parts.
func TestTextsThatGrow(t *testing.T) {
	was := mostRunes
	mostRunes = 1 << 16
	defer func() { mostRunes = was }()
	long := strings.Repeat("b", 2000)
	model := `{"type":"WordLevel","vocab":{"<unk>":0,"x":1},"unk_token":"<unk>"}`
	for name, test := range map[string]struct{ normalizer, text string }{
		"words":                   {`{"type":"Replace","pattern":{"String":"a"},"content":"` + long[:1000] + `"}`, strings.Repeat("a ", 1000)},
		"one word":                {`{"type":"Replace","pattern":{"String":"a"},"content":"` + long[:1000] + `"}`, strings.Repeat("a", 1000)},
		"a replacement":           {`{"type":"Replace","pattern":{"String":"a"},"content":"` + long + `"}`, strings.Repeat("a", 1000)},
		"between added tokens":    {`{"type":"Replace","pattern":{"String":"a"},"content":"` + long + `"}`, strings.Repeat("ax", 1000)},
		"a compatibility form":    {`{"type":"NFKD"}`, strings.Repeat("\ufdfa", 5000)},
		"and composed again":      {`{"type":"NFKC"}`, strings.Repeat("\ufdfa", 5000)},
		"then another step":       {`{"type":"Sequence","normalizers":[{"type":"NFKD"},{"type":"StripAccents"},{"type":"Strip","strip_left":true,"strip_right":true},{"type":"Lowercase"}]}`, strings.Repeat("\ufdfa", 5000)},
		"a text that is long now": {`{"type":"Lowercase"}`, strings.Repeat("A", 1<<17)},
	} {
		file := `{"normalizer":` + test.normalizer + `,"model":` + model + `,"added_tokens":[{"id":1,"content":"x","normalized":false}]}`
		if strings.HasSuffix(name, "word") || name == "words" { // which are cut at spaces, and kept
			file = `{"normalizer":` + test.normalizer + `,"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["b",0]]},"pre_tokenizer":{"type":"Metaspace","replacement":"▁"}}`
		}
		tok, err := Read(strings.NewReader(file))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text, err := strconv.Unquote(`"` + test.text + `"`)
		if err != nil {
			t.Fatal(err)
		}
		grows := name != "a text that is long now"
		if _, err := tok.Encode(text); errors.Is(err, errGrown) != grows {
			t.Errorf("%s: %v", name, err)
		}
		if n := len(tok.Bare(text).IDs); n > mostRunes {
			t.Errorf("%s: %d ids", name, n)
		}
		if _, err := tok.Encode("a x a"); err != nil {
			t.Errorf("%s, and then a short one: %v", name, err)
		}
	}
}

// A tokenizer.json of anybody: one sentence, little memory, no panic.
func TestHostileTokenizers(t *testing.T) {
	unigram := func(vocab string) string {
		return `{"model":{"type":"Unigram","unk_id":0,"vocab":[` + vocab + `]}}`
	}
	doubling := strings.Repeat(`{"type":"Replace","pattern":{"String":"a"},"content":"aa"},`, 40)
	levels := strings.Repeat(`{"type":"ByteLevel"},`, 40)
	growing := ""
	for i := range 50 {
		growing += fmt.Sprintf(`{"id":%d,"content":"%s%d","normalized":true},`, i+3, strings.Repeat("a", 100), i)
	}
	trims := strings.Repeat(`{"type":"ByteLevel"},`, 900)
	template := func(single, tokens string) string {
		return `{` + oneWord + `,"post_processor":{"type":"TemplateProcessing","single":[` + single + `],"pair":[],"special_tokens":{"x":{"ids":[` + tokens + `]}}}}`
	}
	special := `{"SpecialToken":{"id":"x","type_id":0}}`
	for name, test := range map[string]struct{ file, want string }{
		"largest id, with tables":   {`{"model":{"type":"WordLevel","vocab":{"<unk>":0,"a":2147483647}},"post_processor":{"type":"ByteLevel"}}`, "id 2147483647 of token"},
		"large id, with tables":     {`{"model":{"type":"WordLevel","vocab":{"<unk>":0,"a":2147483646}},"post_processor":{"type":"ByteLevel"}}`, "lies outside 0 to"},
		"id beyond int32":           {`{"model":{"type":"WordLevel","vocab":{"<unk>":0,"a":2147483648}}}`, "model.vocab"},
		"negative id":               {`{"model":{"type":"WordLevel","vocab":{"<unk>":0,"a":-1}}}`, "lies outside"},
		"one id for two":            {`{"model":{"type":"WordLevel","vocab":{"<unk>":0,"b":1,"a":1}}}`, `the tokens "a" and "b" have the same id 1`},
		"negative id, then another": {`{` + oneWord + `,"added_tokens":[{"id":-5,"content":"b"},{"id":2,"content":"b"}],"post_processor":{"type":"ByteLevel"}}`, "the id -5"},
		"a very long token":         {unigram(`["<unk>",0],["` + strings.Repeat("a", 1<<20) + `",0]`), "has 1048576 bytes"},
		"too many bytes":            {unigram(`["<unk>",0]` + strings.Repeat(`,["`+strings.Repeat("a", 4000)+`",0]`, 4500)), "more than 16777216 bytes"},
		"no tokens":                 {unigram(""), "without unk_id"},
		"empty entries":             {unigram(strings.Repeat(`[],`, 100) + `[]`), "entry 0"},
		"added tokens of nothing":   {`{` + oneWord + `,"added_tokens":[` + strings.Repeat("{},", 1<<20) + `{}]}`, "more than 65536 elements"},
		"a text that doubles":       {`{` + oneWord + `,"normalizer":{"type":"Sequence","normalizers":[` + doubling + `{"type":"NFC"}]}}`, "more than 2048 characters of one"},
		"a long replacement":        {`{` + oneWord + `,"normalizer":{"type":"Replace","pattern":{"Regex":"."},"content":"` + strings.Repeat("b", 3000) + `"}}`, "more than 2048 characters of one"},
		"bytes of bytes":            {`{` + oneWord + `,"pre_tokenizer":{"type":"Sequence","pretokenizers":[` + levels + `{"type":"WhitespaceSplit"}]}}`, "more than 2048 characters of one"},
		"steps without end":         {`{` + oneWord + `,"pre_tokenizer":{"type":"Sequence","pretokenizers":[` + strings.Repeat(`{},`, 2000) + `{}]}}`, "more than 1000 elements"},
		"a text that is not there":  {template(`{"Sequence":{"id":"B","type_id":0}}`, "1"), `"B" stands twice, or in the template of one text`},
		"a text many times":         {template(strings.Repeat(`{"Sequence":{"id":"A","type_id":0}},`, 9)+special, "1"), `"A" stands twice`},
		"a set of many words":       {`{` + oneWord + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"` + strings.Repeat(`\\w`, 10_000) + `"},"behavior":"Removed"}}`, "regular expression"},
		"expressions without end":   {`{` + oneWord + `,"pre_tokenizer":{"type":"Sequence","pretokenizers":[` + strings.Repeat(`{"type":"Split","pattern":{"Regex":"`+strings.Repeat("a{1000}", 10)+`"},"behavior":"Removed"},`, 900) + `null]}}`, "is too large"},
		"many large expressions":    {`{` + oneWord + `,"pre_tokenizer":{"type":"Sequence","pretokenizers":[` + strings.Repeat(`{"type":"Split","pattern":{"Regex":"a{1000}"},"behavior":"Removed"},`, 900) + `null]}}`, "too large together"},
		"steps of steps":            {`{` + oneWord + `,"normalizer":{"type":"Sequence","normalizers":[` + strings.Repeat(`{"type":"Sequence","normalizers":[`+strings.Repeat(`{"type":"StripAccents"},`, 99)+`null]},`, 99) + `null]}}`, "more than 1000 steps"},
		"added tokens that grow":    {`{` + oneWord + `,"normalizer":{"type":"Replace","pattern":{"String":"a"},"content":"` + strings.Repeat("b", 2000) + `"},"added_tokens":[{"id":2,"content":"` + strings.Repeat("a", 4000) + `","normalized":true}]}`, "added_tokens"},
		"many that grow":            {`{` + oneWord + `,"normalizer":{"type":"Replace","pattern":{"String":"a"},"content":"` + strings.Repeat("b", 2000) + `"},"added_tokens":[` + growing + `{"id":2,"content":"c"}]}`, "added_tokens"},
		"Sequences in Sequences":    {`{` + oneWord + `,"normalizer":` + strings.Repeat(`{"type":"Sequence","normalizers":[`, 9) + strings.Repeat(`]}`, 9) + `}`, "more than 8 Sequences"},
		"splits in one another":     {`{` + oneWord + `,"pre_tokenizer":` + strings.Repeat(`{"type":"Sequence","pretokenizers":[`, 9) + strings.Repeat(`]}`, 9) + `}`, "more than 8 Sequences"},
		"processors in one another": {`{` + oneWord + `,"post_processor":` + strings.Repeat(`{"type":"Sequence","processors":[`, 9) + strings.Repeat(`]}`, 9) + `}`, "more than 8 Sequences"},
		"a long text to look for":   {`{` + oneWord + `,"normalizer":{"type":"Replace","pattern":{"String":"` + strings.Repeat("a", 1<<17) + `"},"content":"b"}}`, "more than 65536 characters"},
		"a long prefix":             {`{"model":{"type":"BPE","vocab":{"a":0},"merges":[],"continuing_subword_prefix":"` + strings.Repeat("#", 1<<17) + `"}}`, "has 131072 bytes"},
		"bytes of a prefix":         {`{"model":{"type":"BPE","vocab":{"<0x23>":0,"<0x61>":1},"merges":[],"byte_fallback":true,"continuing_subword_prefix":"##"}}`, "byte_fallback"},
		"many special tokens":       {template(strings.Repeat(special+`,`, 900)+special, "1,1,1,1"), "has 3604 special tokens"},
		"a special id":              {template(special, "-1"), `id -1 of token "x"`},
		"a special id without end":  {`{` + oneWord + `,"post_processor":{"type":"BertProcessing","sep":["a",1e300],"cls":["a",1]}}`, "lies outside"},
		"padding without end":       {`{` + oneWord + `,"padding":{"strategy":{"Fixed":1000000000000}}}`, "padding to 1000000000000 ids"},
		"a multiple without end":    {`{` + oneWord + `,"padding":{"strategy":"BatchLongest","pad_to_multiple_of":1000000000000}}`, "a multiple of 1000000000000"},
		"truncation below nothing":  {`{` + oneWord + `,"truncation":{"max_length":-1}}`, "truncation to -1 ids"},
		"deep":                      {`{"model":` + strings.Repeat("[", 10000) + strings.Repeat("]", 10000) + `}`, "deep"},

		"empty tokens":            {`{"model":{"type":"WordPiece","vocab":{"":0,"##":1,"[UNK]":2}}}`, ""},
		"empty tokens to merge":   {`{"model":{"type":"BPE","vocab":{"":0,"a":1,"b":2},"merges":["a "," a"," "],"ignore_merges":true}}`, ""},
		"merges in a circle":      {`{"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2,"ba":3,"aba":4,"bab":5},"merges":["a b","b a","ab a","b ab","a ba","ba b","a b"]}}`, ""},
		"steps of null":           {`{` + oneWord + `,"normalizer":{"type":"Sequence","normalizers":[null]},"pre_tokenizer":{"type":"Sequence","pretokenizers":[null,null]}}`, ""},
		"8 Sequences":             {`{` + oneWord + `,"normalizer":` + strings.Repeat(`{"type":"Sequence","normalizers":[`, 8) + strings.Repeat(`]}`, 8) + `}`, ""},
		"tables many times":       {`{"model":{"type":"WordLevel","vocab":{"<unk>":0,"a":4194303}},"post_processor":{"type":"Sequence","processors":[` + trims + `{"type":"ByteLevel"}]}}`, ""},
		"an unknown token, empty": {unigram(`["",0],["a",-1e308],["b",1e308]`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			tok, err := Read(strings.NewReader(test.file))
			runtime.ReadMemStats(&after)
			if took := int64(after.TotalAlloc-before.TotalAlloc) - 12*int64(len(test.file)); took > 80<<20 {
				t.Errorf("%d MB were allocated", took>>20)
			}
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Fatalf("%.300v, want %q", err, test.want)
			}
			if err != nil {
				if len(err.Error()) > 300 || strings.Contains(err.Error(), "\n") {
					t.Errorf("no sentence: %.400v", err)
				}
				return
			}
			encodeAll(t, tok)
		})
	}
}

// encodeAll holds a tokenizer to what any text may cost and any span may say.
func encodeAll(t *testing.T, tok *Tokenizer) {
	for _, text := range []string{"", "a", "ab aba b<unk>", strings.Repeat("abab", 40), "ﷺ é\u0301가 \u2028\xff\x00\u202e", strings.Repeat("▁ ", 30)} {
		for _, texts := range [][]string{{text}, {text, "a b"}} {
			var e Encoding
			if err := tok.EncodeTo(&e, texts...); err != nil {
				continue
			}
			most := 2*mostGrowth*(len(text)+8) + tokenfile.MostSteps
			if p := tok.Padding; p != nil {
				most += p.Length + p.MultipleOf
			}
			if e.Len() > most {
				t.Fatalf("%q becomes %d ids", text, e.Len())
			}
			for k, s := range e.Spans {
				n := len([]rune(texts[max(0, e.Sequence[k])]))
				if s.Begin < 0 || s.End < s.Begin || s.End > n || e.IDs[k] < 0 || e.IDs[k] > tokenfile.LargestID {
					t.Fatalf("%q: id %d, span %v of %d", text, e.IDs[k], s, n)
				}
			}
		}
	}
}

// FuzzTokenizer reads any file and then any text with it.
func FuzzTokenizer(f *testing.F) {
	for _, name := range all {
		raw, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			f.Fatal(err)
		}
		if len(raw) < 9000 {
			f.Add(raw)
		}
	}
	steps := func(n, p string) { f.Add(fmt.Appendf(nil, `{%s,"normalizer":%s,"pre_tokenizer":%s}`, oneWord, n, p)) }
	steps(`{"type":"Sequence","normalizers":[{"type":"NFKD"},{"type":"Prepend","prepend":"▁"},{"type":"Strip","strip_left":true}]}`, `{"type":"Metaspace","replacement":"▁","prepend_scheme":"first"}`)
	steps(`{"type":"BertNormalizer","lowercase":true,"handle_chinese_chars":true}`, `{"type":"Sequence","pretokenizers":[{"type":"Digits"},{"type":"ByteLevel"}]}`)
	steps(`{"type":"Precompiled","precompiled_charsmap":"CAAAAAAEAAABAAAAYQBiAA=="}`, `{"type":"Split","pattern":{"Regex":"\\s+"},"behavior":"MergedWithNext","invert":true}`)
	f.Add([]byte(`{"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2,"<0x61>":3,"u":4},"merges":[["a","b"]],"unk_token":"u","fuse_unk":true,"byte_fallback":true,"continuing_subword_prefix":"","end_of_word_suffix":""},"added_tokens":[{"id":9,"content":" b","lstrip":true,"rstrip":true,"normalized":true}]}`))
	f.Add([]byte(`{"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["a",-1],["ab",-2.5],["<0x62>",-3]],"byte_fallback":true},"post_processor":{"type":"RobertaProcessing","sep":["a",1],"cls":["ab",2]},"truncation":{"max_length":8,"strategy":"LongestFirst"},"padding":{"strategy":{"Fixed":9},"direction":"Left","pad_id":1}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		tok, err := Read(strings.NewReader(string(raw)))
		if err == nil {
			encodeAll(t, tok)
		}
	})
}
