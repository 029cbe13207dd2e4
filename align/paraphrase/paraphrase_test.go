package paraphrase

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func random(r *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab, aa, bb = ab+float64(a[i])*float64(b[i]), aa+float64(a[i])*float64(a[i]), bb+float64(b[i])*float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

// Bytes say nearly what the floats say.
func TestCosineOfBytes(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 400; n += 13 {
		a, b := random(r, n), random(r, n)
		if got, want := Cosine(New(a), New(b)), cosine(a, b); math.Abs(got-want) > .02 {
			t.Errorf("of %d numbers %.4f, want %.4f", n, got, want)
		}
	}
	if Cosine(New([]float32{0, 0}), New([]float32{1, 0})) != 0 || Cosine(New([]float32{1}), New([]float32{1, 0})) != 0 {
		t.Error("nothing has a direction")
	}
}

func TestAVectorIsWrittenAndRead(t *testing.T) {
	t.Parallel()
	v := New([]float32{.5, -1, 0, .25})
	got, err := Parse(v.String())
	if err != nil || !slices.Equal(got.numbers, []int8{64, -127, 0, 32}) || got.norm != v.norm {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := Parse("?"); err == nil {
		t.Error("no error")
	}
}

// Closest is what sorting all similarities gives.
func TestClosestAsSorted(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		document := make([]Vector, r.IntN(12))
		for i := range document {
			document[i] = New(random(r, 3))
			if i > 0 && r.IntN(3) == 0 {
				document[i] = document[r.IntN(i)] // equals
			}
		}
		query := New(random(r, 3))
		got, ok := Closest(query, document)
		if ok != (len(document) > 0) {
			t.Fatal(ok)
		}
		if !ok {
			continue
		}
		order := make([]int, len(document))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			if x, y := Cosine(query, document[a]), Cosine(query, document[b]); x > y {
				return -1
			} else if x < y {
				return 1
			}
			return 0
		})
		want := Match{At: order[0], Similarity: Cosine(query, document[order[0]])}
		if next := order[1:min(len(order), 5)]; len(next) > 0 {
			sum := 0.0
			for _, i := range next {
				sum += Cosine(query, document[i])
			}
			want.Margin = want.Similarity - sum/float64(len(next))
		}
		if got != want {
			t.Fatalf("round %d: %+v, want %+v", round, got, want)
		}
	}
}
