package label

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Dictionary is a list of words and how often each is used, to find the words of a text
// without white space. It is not changed once it is used.
type Dictionary struct {
	weights map[string]int64 // logarithms of probabilities
	unknown int64            // the same of a piece that the list does not have
	longest int              // word, in bytes
}

// weightUnits are the units of a logarithm. Sums of whole numbers are exact, so that equally
// probable paths are equal on every machine.
const weightUnits = 1 << 20

// ReadDictionary reads a dictionary of jieba's format: on each line a word, its frequency and,
// if one likes, its part of speech, with white space between. Frequencies of a word with
// several lines are added.
func ReadDictionary(file []byte) (*Dictionary, error) {
	frequencies := map[string]float64{}
	total, n := 0.0, 0
	for line := range bytes.Lines(bytes.TrimPrefix(file, []byte("\ufeff"))) {
		n++
		if !utf8.Valid(line) {
			return nil, fmt.Errorf("line %d is not UTF-8", n)
		}
		parts := strings.Fields(string(line))
		if len(parts) == 0 {
			continue
		}
		if len(parts) == 1 || len(parts) > 3 {
			return nil, fmt.Errorf("line %d, %.60q: expected a word, its frequency and at most a part of speech, with white space between", n, strings.TrimSpace(string(line)))
		}
		frequency, err := strconv.ParseInt(parts[1], 10, 64)
		if err != nil || frequency < 1 {
			return nil, fmt.Errorf("line %d: the frequency of %.60q is %.60q, must be a whole number from 1", n, parts[0], parts[1])
		}
		frequencies[parts[0]] += float64(frequency)
		total += float64(frequency)
	}
	if len(frequencies) == 0 {
		return nil, errors.New("it has no words; give a word and its frequency on each line")
	}
	weight := func(frequency float64) int64 { return int64(math.Round(math.Log(frequency/total) * weightUnits)) }
	d := &Dictionary{weights: map[string]int64{}, unknown: weight(1)}
	for word, frequency := range frequencies {
		d.weights[word] = weight(frequency)
		d.longest = max(d.longest, len(word))
	}
	return d, nil
}

// words joins pieces of a text to the most probable sequence of words, as jieba does without
// its hidden Markov model: each word is as probable as it is frequent, and where no word of the
// list begins, a single piece as one of frequency 1. Of equally probable sequences it takes that
// whose first word is longer. It returns how many pieces each word has.
func (d *Dictionary) words(pieces []string) []int {
	text := strings.Join(pieces, "")
	ends := make([]int, len(pieces)+1) // in bytes, of the pieces before
	for i, piece := range pieces {
		ends[i+1] = ends[i] + len(piece)
	}
	best := make([]int64, len(pieces)+1) // of what follows
	length := make([]int, len(pieces))   // of the first word there
	for i := len(pieces) - 1; i >= 0; i-- {
		for k := i + 1; k <= len(pieces) && ends[k]-ends[i] <= d.longest; k++ {
			weight, known := d.weights[text[ends[i]:ends[k]]]
			if weight += best[k]; known && (length[i] == 0 || weight >= best[i]) {
				best[i], length[i] = weight, k-i
			}
		}
		if length[i] == 0 {
			best[i], length[i] = d.unknown+best[i+1], 1
		}
	}
	var lengths []int
	for i := 0; i < len(pieces); i += length[i] {
		lengths = append(lengths, length[i])
	}
	return lengths
}
