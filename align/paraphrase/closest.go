package paraphrase

import "math"

// neighbours are the sentences beside the closest one whose mean similarity a margin is
// taken from.
const neighbours = 4

// Match is the closest sentence of a document.
type Match struct {
	At         int     // its place in the document
	Similarity float64 // cosine, -1 to 1
	Margin     float64 // similarity less the mean of the next four; 0 where there are none
}

// Score is what says how likely a match is a paraphrase: similarity plus margin.
func (m Match) Score() float64 { return m.Similarity + m.Margin }

// Closest is the sentence of a document whose vector is the most similar to a query's, the
// first among equals; false of an empty document.
func Closest(query Vector, document []Vector) (Match, bool) {
	if len(document) == 0 {
		return Match{}, false
	}
	best := Match{At: -1}
	var most [neighbours + 1]float64 // the largest, descending
	n := 0
	for i, v := range document {
		s := Cosine(query, v)
		if n == len(most) && s <= most[n-1] {
			continue
		}
		if n < len(most) {
			n++
		}
		at := n - 1
		for ; at > 0 && most[at-1] < s; at-- {
			most[at] = most[at-1]
		}
		most[at] = s
		if at == 0 {
			best.At = i
		}
	}
	best.Similarity = most[0]
	if n > 1 {
		sum := 0.0
		for _, s := range most[1:n] {
			sum += s
		}
		best.Margin = best.Similarity - sum/float64(n-1)
	}
	return best, true
}

// Cosine of two vectors, -1 to 1; 0 where one has no length or they are not equally long.
func Cosine(a, b Vector) float64 {
	if len(a.numbers) != len(b.numbers) || a.norm == 0 || b.norm == 0 {
		return 0
	}
	return float64(dot(a.numbers, b.numbers)) / math.Sqrt(float64(a.norm)*float64(b.norm))
}

func dot(a, b []int8) int64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 int32 // 127 * 127 * 100,000 numbers fit
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += int32(a[i]) * int32(b[i])
		s1 += int32(a[i+1]) * int32(b[i+1])
		s2 += int32(a[i+2]) * int32(b[i+2])
		s3 += int32(a[i+3]) * int32(b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += int32(a[i]) * int32(b[i])
	}
	return int64(s0) + int64(s1) + int64(s2) + int64(s3)
}
