package eval

import (
	"math"
	"strings"
	"unicode"
)

// Baselines that read the passages of a document, each against the document as a
// whole: what is typical of it comes first. They have learnt nothing.

// contentWords are the words of a text in lower case: runs of letters and numbers.
func contentWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// TFIDF is the cosine of each passage and the mean of all passages of its
// document, both weighted by (1 + ln tf) ln((1 + n) / (1 + df)), as scikit-learn
// weighs them with sublinear_tf but for the 1 that it adds to the second factor.
func TFIDF(texts []string) []float64 {
	in := countsOf(texts)
	vectors, mean := make([]map[string]float64, len(texts)), map[string]float64{}
	for i, tf := range in.times {
		v := make(map[string]float64, len(tf.order))
		for _, w := range tf.order {
			v[w] = (1 + math.Log(float64(tf.n[w]))) * math.Log(float64(1+len(texts))/float64(1+in.passages[w]))
		}
		vectors[i] = v
		// In the order of the words, so that the sums are the same every time.
		if length := norm(v, tf.order); length > 0 {
			for _, w := range tf.order {
				v[w] /= length
				mean[w] += v[w]
			}
		}
	}
	scores := make([]float64, len(texts))
	for i, v := range vectors {
		for _, w := range in.times[i].order {
			scores[i] += v[w] * mean[w]
		}
	}
	return scores // not divided by the length of the mean, which is the same for all
}

func norm(v map[string]float64, order []string) float64 {
	sum := 0.0
	for _, w := range order {
		sum += v[w] * v[w]
	}
	return math.Sqrt(sum)
}

// BM25 scores each passage for its document as the query, every word of it once:
// k1 = 1.2, b = 0.75, idf = ln(1 + (n - df + 0.5) / (df + 0.5)).
func BM25(texts []string) []float64 {
	const k1, b = 1.2, 0.75
	in := countsOf(texts)
	mean := 0.0
	for _, tf := range in.times {
		mean += float64(tf.words) / float64(len(texts))
	}
	scores := make([]float64, len(texts))
	for i, tf := range in.times {
		for _, w := range tf.order {
			n, df := float64(tf.n[w]), float64(in.passages[w])
			idf := math.Log(1 + (float64(len(texts))-df+0.5)/(df+0.5))
			scores[i] += idf * n * (k1 + 1) / (n + k1*(1-b+b*float64(tf.words)/mean))
		}
	}
	return scores
}

// frequencies are how often a passage has each of its words.
type frequencies struct {
	n     map[string]int
	order []string // words by their first occurrence
	words int
}

// content is the words of a document's passages.
type content struct {
	times    []frequencies
	passages map[string]int // that have a word
}

func countsOf(texts []string) content {
	c := content{passages: map[string]int{}}
	for _, text := range texts {
		f := frequencies{n: map[string]int{}}
		for _, w := range contentWords(text) {
			if f.n[w] == 0 {
				f.order = append(f.order, w)
				c.passages[w]++
			}
			f.n[w]++
			f.words++
		}
		c.times = append(c.times, f)
	}
	return c
}
