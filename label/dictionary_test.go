package label

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// ourWords is the dictionary of configs/conversations-chinese.yaml.
func ourWords(t *testing.T) *Dictionary {
	t.Helper()
	file, err := os.ReadFile("../testdata/conversations/chinese-words.txt")
	if err != nil {
		t.Fatal(err)
	}
	d, err := ReadDictionary(file)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Words are those of jieba 0.42.1, Tokenizer("testdata/conversations/chinese-words.txt").cut(turn, HMM=False),
// for each turn of chinese.jsonl.
func TestWordsAreThoseOfJieba(t *testing.T) {
	file, err := os.ReadFile("testdata/jieba.txt")
	if err != nil {
		t.Fatal(err)
	}
	d := ourWords(t)
	for line := range strings.Lines(string(file)) {
		want := strings.TrimSpace(line)
		if got := strings.Join(d.pieces(strings.ReplaceAll(want, " ", "")), " "); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// Of all ways to divide a text, the dictionary's is the most probable one whose words are
// the longest from the left.
func TestWordsAreTheMostProbable(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letters := []string{"一", "二", "三", "é", "B"}
	draw := func(n int) []string {
		var pieces []string
		for range n {
			pieces = append(pieces, letters[random.IntN(len(letters))])
		}
		return pieces
	}
	differ := 0
	for range 3000 {
		var list strings.Builder
		for range 1 + random.IntN(30) {
			fmt.Fprintln(&list, strings.Join(draw(1+random.IntN(4)), ""), 1+random.IntN(9))
		}
		d, err := ReadDictionary([]byte(list.String()))
		if err != nil {
			t.Fatal(err)
		}
		pieces := draw(1 + random.IntN(9))
		want, ways := bestOfAll(d, pieces)
		if got := d.words(pieces); !slices.Equal(got, want) {
			t.Fatalf("%q of\n%s: got %v, want %v", pieces, list.String(), got, want)
		}
		if ways > 1 && len(want) < len(pieces) {
			differ++
		}
	}
	if differ < 500 {
		t.Errorf("only %d texts have a word of several pieces", differ)
	}
}

// bestOfAll tries every way to divide pieces; it returns the best and how many there are.
func bestOfAll(d *Dictionary, pieces []string) (best []int, ways int) {
	var most int64
	for bounds := range 1 << (len(pieces) - 1) {
		var lengths []int
		sum, begin, possible := int64(0), 0, true
		for end := 1; end <= len(pieces); end++ {
			if end < len(pieces) && bounds>>(end-1)&1 == 0 {
				continue
			}
			weight, known := d.weights[strings.Join(pieces[begin:end], "")]
			if !known {
				weight, possible = d.unknown, possible && end == begin+1 && !d.beginsWord(pieces[begin:])
			}
			sum += weight
			lengths = append(lengths, end-begin)
			begin = end
		}
		if !possible {
			continue
		}
		ways++
		if best == nil || sum > most || sum == most && slices.Compare(lengths, best) > 0 {
			best, most = lengths, sum
		}
	}
	return best, ways
}

// beginsWord says whether the first of the pieces begin with a word of the list.
func (d *Dictionary) beginsWord(pieces []string) bool {
	for end := range pieces {
		if _, known := d.weights[strings.Join(pieces[:end+1], "")]; known {
			return true
		}
	}
	return false
}

// A list with 甲乙 and without 甲: jieba 0.42.1 has no word 甲 there, however frequent 乙丙 is.
func TestAPieceIsAWordWhereNoneBegins(t *testing.T) {
	d, err := ReadDictionary([]byte("甲乙 1\n乙丙 500000\n丁 500000\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(d.pieces("甲乙丙甲丁"), " "); got != "甲乙 丙 甲 丁" {
		t.Errorf("the words are %s", got)
	}
}

func TestUnitsOfADictionary(t *testing.T) {
	d := ourWords(t)
	for text, want := range map[string]string{
		"那么还要再等一个礼拜吗？":      "那么|还|要|再|等|一个|礼拜|吗？",
		"邻居在地下室造了一条船，门却太窄。": "邻居|在|地下室|造|了|一条|船，|门|却|太|窄。",
		"——“我们”走。":          "——“我们”|走。",
		"地下室 在办公室":          "地下室|在|办公室", // white space is no longer the only bound
		"Go home，我们2人。":     "Go|home，|我们|2|人。",
		"𠀀地下室":              "𠀀|地下室",
		" ":                 "",
		"":                  "",
	} {
		var got []string
		for _, s := range d.Units(text) {
			got = append(got, commonplace.Slice(text, s))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	c := commonplace.Conversation{ID: "w", Turns: []string{"我们在办公室。你们呢？"}, Quotation: "画蛇添足"}
	replies, refused := NewQuotationList([]commonplace.Conversation{c}).Replies(c, options(d.Units, 4))
	var got []string
	for _, r := range replies {
		got = append(got, r.Target)
	}
	if want := []string{"画蛇添足", "在办公室。", "办公室。", "你们呢？", "呢？"}; refused != nil || !slices.Equal(got, want) {
		t.Errorf("targets %q, want %q, %v", got, want, refused)
	}
}

func TestReadDictionary(t *testing.T) {
	d, err := ReadDictionary([]byte("\ufeff礼拜 3 n\r\n\n礼\t1\n礼拜 2 t\n"))
	if err != nil || d.longest != len("礼拜") || len(d.weights) != 2 || d.weights["礼拜"] <= d.weights["礼"] || d.weights["礼"] != d.unknown {
		t.Errorf("%+v, %v", d, err)
	}
	for file, want := range map[string]string{
		"":                   "it has no words",
		" \n":                "it has no words",
		"礼拜 3\n地下室":          `line 2, "地下室": expected a word`,
		"礼拜 3 n x":           `line 1, "礼拜 3 n x": expected a word`,
		"礼拜 n 3":             `line 1: the frequency of "礼拜" is "n", must be a whole number from 1`,
		"礼拜 0":               `is "0", must be`,
		"礼拜 -1":              `is "-1", must be`,
		"礼拜 1.5":             `is "1.5", must be`,
		"礼拜 1\n\xb5\xd8 2\n": "line 2 is not UTF-8",
	} {
		if _, err := ReadDictionary([]byte(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", file, err, want)
		}
	}
}

func TestUndividedHan(t *testing.T) {
	for turns, want := range map[string]bool{
		"我们走吧。":          true,
		"我 们 走 ， 谢谢。":    false,
		"谢谢。/我们 走 吧 。":   false,
		"Hello/谢谢":       true,
		"Go home./好/3 个": false,
		"":               false,
	} {
		if got := UndividedHan(strings.Split(turns, "/")); got != want {
			t.Errorf("%q: %t", turns, got)
		}
	}
}

func FuzzReadDictionary(f *testing.F) {
	f.Add([]byte("礼拜 3 n\n地下室 2"), "等一个礼拜吗 ?")
	f.Fuzz(func(t *testing.T, file []byte, text string) {
		d, err := ReadDictionary(file)
		if err != nil {
			return
		}
		if pieces := d.pieces(text); strings.Join(pieces, "") != text {
			t.Errorf("%q becomes %q", text, pieces)
		}
		end := 0
		for _, s := range d.Units(text) {
			if s.Begin < end || s.End <= s.Begin {
				t.Errorf("%q: %v after %d", text, s, end)
			}
			end = s.End
		}
		if len(bytes.Fields(file)) < 2 {
			t.Errorf("%q has words", file)
		}
	})
}
