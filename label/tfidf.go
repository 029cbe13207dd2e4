package label

import "math"

// TFIDFIndex holds passages as vectors of term frequency times inverse document
// frequency, ln((1+N)/(1+n)) + 1, of length 1: what scikit-learn's
// TfidfVectorizer computes by default.
type TFIDFIndex struct {
	passages int
	places   map[string][]place
	idf      map[string]float64
}

// NewTFIDF reads the words of each passage.
func NewTFIDF(passages [][]string) *TFIDFIndex {
	t := &TFIDFIndex{passages: len(passages), places: map[string][]place{}, idf: map[string]float64{}}
	for i, words := range passages {
		for _, w := range words {
			list := t.places[w]
			if n := len(list); n > 0 && list[n-1].passage == int32(i) {
				list[n-1].weight++
				continue
			}
			t.places[w] = append(list, place{int32(i), 1})
		}
	}
	for w, list := range t.places {
		t.idf[w] = math.Log(float64(1+len(passages))/float64(1+len(list))) + 1
	}
	norm := make([]float64, len(passages))
	for i, words := range passages { // by passage, so that sums are the same every time
		seen := map[string]float64{}
		var order []string
		for _, w := range words {
			if seen[w] == 0 {
				order = append(order, w)
			}
			seen[w] += t.idf[w]
		}
		for _, w := range order {
			norm[i] += seen[w] * seen[w]
		}
		norm[i] = math.Sqrt(norm[i])
	}
	for w, list := range t.places {
		for k := range list {
			list[k].weight *= t.idf[w] / norm[list[k].passage]
		}
	}
	return t
}

// Scores are the cosine similarities of all passages to a query, 0 to 1.
func (t *TFIDFIndex) Scores(query []string) []float64 {
	counts := map[string]float64{}
	var order []string
	for _, w := range query {
		if t.idf[w] == 0 {
			continue // no passage has it
		}
		if counts[w] == 0 {
			order = append(order, w)
		}
		counts[w]++
	}
	out := make([]float64, t.passages)
	norm := 0.0
	for _, w := range order {
		weight := counts[w] * t.idf[w]
		norm += weight * weight
		for _, p := range t.places[w] {
			out[p.passage] += weight * p.weight
		}
	}
	if norm > 0 {
		for i := range out {
			out[i] /= math.Sqrt(norm)
		}
	}
	return out
}
