package eval

import (
	"encoding/binary"
	"math"
	"unicode"
	"unicode/utf8"
)

// Baselines that read the passages of a document, each against the document as a
// whole: what is typical of it comes first. They have learnt nothing.

// TFIDF is the cosine of each passage and the mean of all passages of its
// document, both weighted by (1 + ln tf) ln((1 + n) / (1 + df)), as scikit-learn
// weighs them with sublinear_tf but for the 1 that it adds to the second factor.
func (c Content) TFIDF() []float64 {
	n := float64(1 + len(c.passages))
	idf := make([]float64, len(c.having))
	for w, df := range c.having {
		idf[w] = math.Log(n / float64(1+df))
	}
	weights, mean := make([][]float64, len(c.passages)), make([]float64, len(c.having))
	for i, words := range c.passages {
		v := make([]float64, len(words))
		squares := 0.0
		for k, w := range words {
			v[k] = (1 + math.Log(float64(w.times))) * idf[w.word]
			squares += v[k] * v[k]
		}
		if length := math.Sqrt(squares); length > 0 {
			for k, w := range words {
				v[k] /= length
				mean[w.word] += v[k]
			}
		}
		weights[i] = v
	}
	scores := make([]float64, len(c.passages))
	for i, words := range c.passages {
		for k, w := range words {
			scores[i] += weights[i][k] * mean[w.word]
		}
	}
	return scores // not divided by the length of the mean, which is the same for all
}

// BM25 scores each passage for its document as the query, every word of it once:
// k1 = 1.2, b = 0.75, idf = ln(1 + (n - df + 0.5) / (df + 0.5)).
func (c Content) BM25() []float64 {
	const k1, b = 1.2, 0.75
	n := float64(len(c.passages))
	idf := make([]float64, len(c.having))
	for w, df := range c.having {
		idf[w] = math.Log(1 + (n-float64(df)+0.5)/(float64(df)+0.5))
	}
	mean := 0.0
	for _, length := range c.lengths {
		mean += float64(length) / n
	}
	scores := make([]float64, len(c.passages))
	for i, words := range c.passages {
		for _, w := range words {
			times := float64(w.times)
			scores[i] += idf[w.word] * times * (k1 + 1) / (times + k1*(1-b+b*float64(c.lengths[i])/mean))
		}
	}
	return scores
}

// Content is the words of a document's passages, in lower case: runs of letters and
// numbers. Words are numbered by their first occurrence, so that sums over them are
// the same every time.
type Content struct {
	passages [][]occurrence // of each passage, by first occurrence
	lengths  []int          // of the passages, in words
	having   []int          // number of passages that have a word
}

// occurrence is how often a passage has a word.
type occurrence struct{ word, times int32 }

// ContentOf reads the passages of a document.
func ContentOf(texts []string) Content {
	c := Content{passages: make([][]occurrence, len(texts)), lengths: make([]int, len(texts))}
	known := numbers{short: map[uint64]int32{}, long: map[string]int32{}}
	var at, last []int // of a word: its place in the last passage that has it, and that passage
	for i, text := range texts {
		add := func(word []byte) {
			n, found := known.of(word, int32(len(c.having)))
			if !found {
				c.having, at, last = append(c.having, 0), append(at, 0), append(last, -1)
			}
			if last[n] != i {
				last[n], at[n] = i, len(c.passages[i])
				c.passages[i] = append(c.passages[i], occurrence{word: n})
				c.having[n]++
			}
			c.passages[i][at[n]].times++
			c.lengths[i]++
		}
		eachWord(text, add)
	}
	return c
}

// numbers are those of words. Most words have at most eight bytes and are looked up as
// one number, which takes half the time.
type numbers struct {
	short map[uint64]int32
	long  map[string]int32
}

// of is the number of a word; one that was not found gets the next.
func (n numbers) of(word []byte, next int32) (number int32, found bool) {
	if len(word) > 8 {
		if number, found = n.long[string(word)]; !found {
			n.long[string(word)], number = next, next
		}
		return number, found
	}
	var padded [8]byte // no word has a byte of zero
	copy(padded[:], word)
	key := binary.LittleEndian.Uint64(padded[:])
	if number, found = n.short[key]; !found {
		n.short[key], number = next, next
	}
	return number, found
}

// eachWord calls add with the words of a text; it uses the bytes again.
func eachWord(text string, add func(word []byte)) {
	var word []byte
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf { // as most are
			i++
			if low := lower[c]; low != 0 {
				word = append(word, low)
				continue
			}
		} else {
			r, size := utf8.DecodeRuneInString(text[i:])
			i += size
			r = unicode.ToLower(r)
			if unicode.IsLetter(r) || unicode.IsNumber(r) {
				word = utf8.AppendRune(word, r)
				continue
			}
		}
		if len(word) > 0 {
			add(word)
			word = word[:0]
		}
	}
	if len(word) > 0 {
		add(word)
	}
}

// lower are the letters of ASCII in lower case, and its digits.
var lower = func() (low [utf8.RuneSelf]byte) {
	for c := byte('a'); c <= 'z'; c++ {
		low[c], low[c-'a'+'A'] = c, c
	}
	for c := byte('0'); c <= '9'; c++ {
		low[c] = c
	}
	return low
}()
