package segment

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	commonplace "github.com/commonplace/commonplace"
)

// all are the segmenters that the contract is held against.
func all(t testing.TB) []Segmenter {
	var segs []Segmenter
	for _, name := range append(Names(), "words:1", "words:7") {
		seg, err := Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		segs = append(segs, seg)
	}
	return segs
}

// texts are small and nasty.
var texts = []string{
	"", " ", "\n\n\n", "a", " a ", "a b c d e f g h i j",
	"One. Two! Three?\n\nFour: five; six... seven",
	"CHAPTER I.\r\n\r\nIt was a dark night.\r\nIt rained.\r\n\r\n\r\nCHAPTER II.\r\n\r\nThen it stopped.\r\n",
	"1:1 In the beginning God created the heaven and the earth. 1:2 And the earth was without form.\n\n1:3 And God said",
	"naïve café\u00a0au lait\u2003\u3000日本語。次の文。\u2029end\u0085next\x1cmore",
	"\xff\xfe broken \xe2\x80 bytes \xc2",
	"e\u0301\u0301 combining \u200d zero\u200bwidth \u202eright to left",
	strings.Repeat("x", 3000), strings.Repeat("word ", 700), strings.Repeat("\n", 500) + "end",
	strings.Repeat("Line of verse here,\n", 60),
	"\ufeffBOM first", "tab\tand\vvertical\fform",
	"ACT I\n\nSCENE I. A heath.\n\nFIRST WITCH. When shall we three meet again?\n  SECOND WITCH. When the hurlyburly's done.\n",
}

// Every segmenter keeps the promises of the package comment.
func TestContract(t *testing.T) {
	for _, seg := range all(t) {
		for _, text := range texts {
			checkContract(t, seg, text)
		}
	}
}

func checkContract(t *testing.T, seg Segmenter, text string) {
	t.Helper()
	doc := commonplace.Document{ID: "d", Text: text}
	runes := []rune(text)
	overlap := strings.HasPrefix(seg.By, "chunks")
	end, index := int64(0), int64(0)
	for p := range Passages(doc, seg) {
		if p.Begin < 0 || p.End > int64(len(runes)) || p.Begin >= p.End {
			t.Fatalf("%s of %q: passage %d is [%d, %d) of %d", seg.By, text, index, p.Begin, p.End, len(runes))
		}
		if p.Begin < end && !overlap {
			t.Fatalf("%s of %q: passage %d begins at %d before %d", seg.By, text, index, p.Begin, end)
		}
		if utf8.ValidString(text) && string(runes[p.Begin:p.End]) != p.Text {
			t.Fatalf("%s of %q: text[%d:%d] is %q, not %q", seg.By, text, p.Begin, p.End, string(runes[p.Begin:p.End]), p.Text)
		}
		if p.Text != commonplace.Slice(text, commonplace.Span{Begin: int(p.Begin), End: int(p.End)}) {
			t.Fatalf("%s of %q: Slice differs from the passage's text", seg.By, text)
		}
		if p.Index != index || p.ID != commonplace.PassageID("d", index) || p.By != seg.By {
			t.Fatalf("%s of %q: passage %d is called %s, %d, %s", seg.By, text, index, p.ID, p.Index, p.By)
		}
		if want := int64(len(oracleWords(p.Text))); p.Words != want {
			t.Fatalf("%s of %q: %d words in %q, want %d", seg.By, text, p.Words, p.Text, want)
		}
		if p.Position < 0 || p.Position >= 1 {
			t.Fatalf("%s of %q: position %v", seg.By, text, p.Position)
		}
		end = p.End
		index++
	}
}

// Long and monotonous texts take time and memory in proportion to their length:
// this test ends, in every segmenter.
func TestMonotony(t *testing.T) {
	n := 5_000
	for name, text := range map[string]string{
		"one word":      strings.Repeat("x", 10*n),
		"breaks":        strings.Repeat("\n", 10*n),
		"numbers":       "1\n\n2\n\n3\n\n" + strings.Repeat("1\n\n", n),
		"chapters":      strings.Repeat("CHAPTER I\n\nx\n\n", n),
		"contents":      "CONTENTS\n\n" + strings.Repeat("CHAPTER I\n\n", n),
		"stops":         strings.Repeat(". ", 5*n),
		"semicolons":    strings.Repeat("a;", n) + strings.Repeat("a; ", n),
		"quotes":        strings.Repeat("“a” ", n),
		"speakers":      "ACT I\n\nx\n\nACT II\n\n" + strings.Repeat("  TOM. x\n", n),
		"verses":        strings.Repeat("1:1 x ", n),
		"carriage":      strings.Repeat("a\r", 5*n),
		"no characters": strings.Repeat("\xe2", 5*n),
	} {
		for _, seg := range all(t) {
			for p := range Passages(commonplace.Document{ID: "d", Text: text}, seg) {
				if p.Text == "" {
					t.Fatalf("%s, %s: an empty passage", name, seg.By)
				}
			}
		}
	}
}

// pythonSpaces are the characters c for which Python 3.11 says chr(c).isspace().
var pythonSpaces = []rune{
	0x9, 0xa, 0xb, 0xc, 0xd, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680,
	0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a,
	0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
}

// oracleWords is the slow obvious str.split().
func oracleWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return slices.Contains(pythonSpaces, r) })
}

func TestEveryCodePointIsSpaceAsInPython(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if r >= 0xd800 && r <= 0xdfff {
			continue // no string holds one
		}
		want := 1
		if _, space := slices.BinarySearch(pythonSpaces, r); space {
			want = 2
		}
		if got := Words("a" + string(r) + "b"); got != want {
			t.Errorf("a, %U, b: %d words, want %d", r, got, want)
		}
	}
}

func TestWordsPieces(t *testing.T) {
	text := "\u00a0one two\r\n three\u2003four  five "
	var got []string
	for p := range ByWords(2)(text) {
		got = append(got, text[p.Begin:p.End])
	}
	want := []string{"one two", "three\u2003four", "five"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// words:N is equal to joining every N words of str.split().
func FuzzWords(f *testing.F) {
	for _, text := range texts {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, n int) {
		if n < 1 || n > 1000 {
			n = 200
		}
		words := oracleWords(text)
		for p := range ByWords(n)(text) {
			take := min(n, len(words))
			if got := oracleWords(text[p.Begin:p.End]); !slices.Equal(got, words[:take]) || p.Words != take {
				t.Fatalf("%q is not %q", got, words[:take])
			}
			words = words[take:]
			if b, e := trim(text, p.Begin, p.End); b != p.Begin || e != p.End {
				t.Fatalf("%q begins or ends with white space", text[p.Begin:p.End])
			}
		}
		if len(words) > 0 {
			t.Fatalf("%d words are in no piece", len(words))
		}
	})
}

func FuzzContract(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	segs := all(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, seg := range segs {
			checkContract(t, seg, text)
		}
	})
}

func TestParseRefuses(t *testing.T) {
	for spec, want := range map[string]string{
		"word:200":  "did you mean words:200?",
		"wrods:200": "did you mean words:200?",
		"words":     "such as words:200",
		"words:0":   "1 or more",
		"words:x":   `not "x"`,
		"":          "There are words:200",
	} {
		_, err := Parse(spec)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): %v, want %q in it", spec, err, want)
		}
	}
	if seg, err := Parse(" words:0200 "); err != nil || seg.By != "words:200" {
		t.Errorf("Parse of words:0200: %v, %v", seg.By, err)
	}
}
