package paraphrase

import (
	"encoding/base64"
	"fmt"
	"math"
)

// Vector is a sentence's vector with a signed byte for each number. Its direction alone
// counts. A cosine of two of them differs from that of the floats by some thousandths.
type Vector struct {
	numbers []int8
	norm    int64 // sum of squares
}

// New scales a vector so that its largest number is 127 or -127.
func New(v []float32) Vector {
	most := 0.0
	for _, x := range v {
		most = max(most, math.Abs(float64(x)))
	}
	numbers := make([]int8, len(v))
	if most > 0 {
		for i, x := range v {
			numbers[i] = int8(math.RoundToEven(float64(x) * 127 / most))
		}
	}
	return vectorOf(numbers)
}

func vectorOf(numbers []int8) Vector { return Vector{numbers, dot(numbers, numbers)} }

// String is the vector in base64, a byte a number.
func (v Vector) String() string {
	raw := make([]byte, len(v.numbers))
	for i, x := range v.numbers {
		raw[i] = byte(x)
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// Parse reads what String wrote.
func Parse(s string) (Vector, error) {
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return Vector{}, fmt.Errorf("a vector: %w", err)
	}
	numbers := make([]int8, len(raw))
	for i, x := range raw {
		numbers[i] = int8(x)
	}
	return vectorOf(numbers), nil
}
