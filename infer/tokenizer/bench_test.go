package tokenizer

import (
	"strings"
	"testing"
)

// ordinary is running text without the hard cases.
func ordinary() string {
	var b strings.Builder
	for i := range 40 {
		b.WriteString([]string{
			"The lamp in the harbour burned all night, and nobody asked who had lit it.\n",
			"She said, “I’ll not go—don’t ask me again,” and went before the bell had rung. ",
			"Every kindness is remembered by someone; every cruelty, by everyone.\r\n",
			"Ships came in, ships went out; the old captain watched and said nothing. ",
		}[i%4])
	}
	return b.String()
}

func BenchmarkEncode(b *testing.B) {
	for _, name := range []string{"bert", "roberta", "xlmr", "gpt2"} {
		b.Run(name, func(b *testing.B) {
			t, err := Open("testdata/" + name + ".json")
			if err != nil {
				b.Fatal(err)
			}
			t = t.With(nil, nil)
			text := ordinary()
			var e Encoding
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := t.EncodeTo(&e, text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
