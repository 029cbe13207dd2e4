package tokenizer

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
)

func open(t testing.TB, name string) *Tokenizer {
	t.Helper()
	tok, err := Open(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// shortcuts are the tokenizers that have a quick way.
var shortcuts = []string{"bert", "bert-cased", "roberta", "gpt2", "xlmr"}

var all = []string{"bert", "bert-cased", "roberta", "gpt2", "xlmr", "t5", "llama", "odd", "words"}

// The short cut must say what the long way says, whatever the text.
func FuzzShortcutEqualsTheLongWay(f *testing.F) {
	for _, row := range readTexts(f, "testdata/texts.jsonl") {
		f.Add(row.Text)
	}
	var fast, slow []*Tokenizer
	for _, name := range shortcuts {
		t := open(f, name).With(nil, nil)
		if t.fast == nil {
			f.Fatalf("%s has no short cut", name)
		}
		u := t.With(nil, nil)
		u.fast = nil
		fast, slow = append(fast, t), append(slow, u)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			t.Skip("the reference takes valid text only")
		}
		for i := range fast {
			got, err := fast[i].Encode(text)
			if err != nil {
				t.Fatal(err)
			}
			want, err := slow[i].Encode(text)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %q:\n%v %v, want\n%v %v", shortcuts[i], text, got.IDs, got.Spans, want.IDs, want.Spans)
			}
			n := utf8.RuneCountInString(text)
			for k, s := range got.Spans {
				if s.Begin < 0 || s.End < s.Begin || s.End > n {
					t.Errorf("%q: span %d is %v of %d", text, k, s, n)
				}
			}
		}
	})
}

// Every token of a plain text says where it stands.
func TestSpansAreTheTokensOwnText(t *testing.T) {
	tok := open(t, "bert").With(nil, nil)
	text := "“Nothing,” said Zoë, “is LOST.”"
	e, err := tok.Encode(text)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, s := range e.Spans {
		if e.Sequence[i] == 0 {
			b.WriteString(commonplace.Slice(text, s))
		}
	}
	if got, want := b.String(), strings.ReplaceAll(text, " ", ""); got != want {
		t.Errorf("the spans make %q, want %q", got, want)
	}
}

func TestEncodeFromManyGoroutines(t *testing.T) {
	tok := open(t, "roberta")
	texts := readTexts(t, "testdata/texts.jsonl")
	var want []Encoding
	for _, row := range texts {
		e, err := tok.Encode(row.Text)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, e)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for i, row := range texts {
				if got, err := tok.Encode(row.Text); err != nil || !reflect.DeepEqual(got, want[i]) {
					t.Errorf("text %d differs between goroutines: %v", i, err)
					return
				}
			}
		})
	}
	wait.Wait()
}

func TestTruncationOfPairs(t *testing.T) {
	tok := open(t, "bert")
	first, second := "the lamp in the harbour", "every kindness is remembered by someone; every cruelty, by everyone"
	full, err := tok.With(nil, nil).EncodePair(first, second)
	if err != nil {
		t.Fatal(err)
	}
	count := func(e Encoding, s int8) (n int) {
		for _, q := range e.Sequence {
			if q == s {
				n++
			}
		}
		return n
	}
	a, b := count(full, 0), count(full, 1)
	for _, test := range []struct {
		truncation Truncation
		a, b       int
	}{
		{Truncation{Max: full.Len()}, a, b},
		{Truncation{Max: full.Len() - 3, Strategy: OnlySecond}, a, b - 3},
		{Truncation{Max: full.Len() - 3, Strategy: OnlyFirst}, a - 3, b},
		{Truncation{Max: full.Len() - 3, Strategy: LongestFirst}, a, b - 3},
		{Truncation{Max: full.Len() - b + 1, Strategy: OnlySecond}, a, 1},
		{Truncation{Max: full.Len() - b + 1, Strategy: OnlySecond, Least: 3}, a - 2, 3},
		{Truncation{Max: full.Len() - b - 1, Strategy: OnlySecond, Least: 3}, a - 4, 3},
		{Truncation{Max: full.Len() - 3, Strategy: OnlySecond, Least: 3}, a, b - 3},
		{Truncation{Max: full.Len() - a + 1, Strategy: OnlyFirst, Least: a + 9}, a, b - a + 1},
	} {
		e, err := tok.With(&test.truncation, nil).EncodePair(first, second)
		if err != nil {
			t.Fatal(err)
		}
		if count(e, 0) != test.a || count(e, 1) != test.b || e.Truncated != (test.a+test.b < a+b) {
			t.Errorf("%+v leaves %d and %d (truncated %v), want %d and %d", test.truncation, count(e, 0), count(e, 1), e.Truncated, test.a, test.b)
		}
	}
	if _, err := tok.With(&Truncation{Max: 2, Strategy: OnlySecond}, nil).EncodePair(first, second); err == nil {
		t.Error("a pair that cannot be cut to two ids was cut")
	}
}

// edited is a tokenizer.json with one part replaced.
func edited(t *testing.T, name, old, value string) string {
	data, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var f map[string]json.RawMessage
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	f[old] = json.RawMessage(value)
	if data, err = json.Marshal(f); err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestWhatIsNotSupportedIsNamed(t *testing.T) {
	for _, test := range []struct{ part, value, want string }{
		{"normalizer", `{"type":"Nmt"}`, `normalizer "Nmt" is not supported`},
		{"normalizer", `{"type":"Sequence","normalizers":[{"type":"Lowercase"},{"type":"Rot13"}]}`, `normalizer "Rot13" is not supported`},
		{"normalizer", `{"type":"Precompiled","precompiled_charsmap":"AA=="}`, `normalizer Precompiled`},
		{"pre_tokenizer", `{"type":"UnicodeScripts"}`, `pre_tokenizer "UnicodeScripts" is not supported`},
		{"pre_tokenizer", `{"type":"Split","pattern":{"Regex":"a(?=b)"},"behavior":"Isolated","invert":false}`, `looks ahead or behind`},
		{"pre_tokenizer", `{"type":"Split","pattern":{"Regex":"("},"behavior":"Isolated","invert":false}`, `is not supported`},
		{"pre_tokenizer", `{"type":"Split","pattern":{"String":"a"},"behavior":"Sideways","invert":false}`, `split behavior "Sideways" is not supported`},
		{"post_processor", `{"type":"Martian"}`, `post_processor "Martian" is not supported`},
		{"post_processor", `{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[X]","type_id":0}}],"pair":[],"special_tokens":{}}`, `no special token "[X]"`},
		{"truncation", `{"max_length":5,"strategy":"Backwards","stride":0}`, `truncation strategy "Backwards" is not supported`},
		{"model", `{"type":"Telepathy","vocab":{}}`, `model "Telepathy" is not supported`},
		{"model", `{"type":"BPE","vocab":{"a":0},"merges":[],"dropout":0.1}`, `model.dropout is not supported`},
		{"model", `{"type":"BPE","vocab":{"a":0},"merges":["a b"]}`, `not in the vocabulary`},
		{"model", `{"type":"BPE","vocab":{"a":0},"merges":["a"]}`, `has one part`},
		{"model", `{"type":"WordPiece","vocab":{"a":0},"unk_token":"[UNK]"}`, `"[UNK]", is not in the vocabulary`},
		{"model", `{"type":"WordLevel","vocab":{"a":-1,"<unk>":1}}`, `lies outside`},
		{"model", `null`, `there is no model`},
	} {
		_, err := Read(strings.NewReader(edited(t, "bert", test.part, test.value)))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: error %v, want %q", test.part, test.value, err, test.want)
		}
	}
	if _, err := Read(strings.NewReader("not json")); err == nil || !strings.Contains(err.Error(), "not a tokenizer.json") {
		t.Errorf("error %v", err)
	}
}

// Whatever the text, every family answers and every id is where it says.
func FuzzEncode(f *testing.F) {
	var tokenizers []*Tokenizer
	for _, name := range all {
		tokenizers = append(tokenizers, open(f, name))
	}
	f.Add("a\xffb", "\xf0\x9f")
	f.Add("ﬁne ﷺ e\u0301 ", "가 <mask>")
	f.Fuzz(func(t *testing.T, first, second string) {
		for i, tok := range tokenizers {
			e, err := tok.EncodePair(first, second)
			if err != nil {
				continue // cut too short, which is said
			}
			for k, s := range e.Spans {
				text := first
				if e.Sequence[k] == 1 {
					text = second
				}
				if n := utf8.RuneCountInString(text); s.Begin < 0 || s.End < s.Begin || s.End > n {
					t.Errorf("%s, %q: span %d is %v of %d", all[i], text, k, s, n)
				}
			}
		}
	})
}

func TestEncodeJSONL(t *testing.T) {
	tok := open(t, "bert")
	var out strings.Builder
	n, err := tok.EncodeJSONL(strings.NewReader("{\"id\":\"a\",\"text\":\"the lamp\"}\n\n{\"id\":7,\"text\":\"é\",\"pair\":\"lamp\"}"), &out)
	if err != nil || n != 2 {
		t.Fatalf("%d rows, %v", n, err)
	}
	e, err := tok.EncodePair("é", "lamp")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	var row struct {
		ID      int      `json:"id"`
		IDs     []int64  `json:"input_ids"`
		Offsets [][2]int `json:"offsets"`
	}
	if err := json.Unmarshal([]byte(lines[1]), &row); err != nil {
		t.Fatal(err)
	}
	if row.ID != 7 || !reflect.DeepEqual(row.IDs, e.IDs) || len(row.Offsets) != e.Len() || row.Offsets[1] != [2]int{0, 1} {
		t.Errorf("row %s, encoding %+v", lines[1], e)
	}
	for in, want := range map[string]string{"{\"id\":1}": "line 1: it has no text", "{\"text\":\"a\"}\n[": "line 2: "} {
		if _, err := tok.EncodeJSONL(strings.NewReader(in), &out); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", in, err, want)
		}
	}
}

// A line that is too long ends the command before it is kept whole.
func TestLongLines(t *testing.T) {
	tok := open(t, "bert")
	long := `{"text": "` + strings.Repeat("lamp ", maxLine/5) + `"}`
	for _, in := range []string{long, long + "\n" + `{"text": "lamp"}`} {
		if n, err := tok.EncodeJSONL(strings.NewReader(in), io.Discard); !errors.Is(err, errLongLine) || n != 0 || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%d rows, %v", n, err)
		}
	}
	endless := &counted{from: strings.NewReader(strings.Repeat("x", 4*maxLine))}
	if _, err := tok.EncodeJSONL(endless, io.Discard); !errors.Is(err, errLongLine) || endless.n > maxLine+1<<20 {
		t.Errorf("%v after %d bytes", err, endless.n)
	}
}

// counted counts what is read.
type counted struct {
	from io.Reader
	n    int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += n
	return n, err
}
