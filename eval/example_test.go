package eval_test

import (
	"fmt"
	"log"

	"github.com/commonplace/commonplace/eval"
)

func Example() {
	e := eval.New([]eval.System{{Name: "model"}, {Name: "position"}}, eval.Options{})
	for _, d := range []struct {
		id             string
		counts, scores []float64
	}{
		{"alice", []float64{0, 3, 0, 1}, []float64{0.1, 0.9, 0.3, 0.4}},
		{"emma", []float64{2, 0, 0, 0}, []float64{0.9, 0.2, 0.8, 0.1}},
		{"unquoted", []float64{0, 0}, []float64{0.5, 0.5}},
	} {
		err := e.Add(eval.Document{ID: d.id, Counts: d.counts, Scores: [][]float64{d.scores, eval.Position(len(d.counts))}})
		if err != nil {
			log.Fatal(err)
		}
	}
	r := e.Result()
	fmt.Printf("%d documents, %d without a quoted passage\n", r.Documents, r.Unquoted)
	for _, row := range r.Rows {
		for _, f := range row.Figures {
			if f.Metric == "mAP" {
				fmt.Printf("%s: %s %.2f\n", row.Name, f.Metric, *f.Mean)
			}
		}
	}
	// Output:
	// 2 documents, 1 without a quoted passage
	// model: mAP 1.00
	// position: mAP 0.75
}

// Of four passages the second and the fourth are quoted; the scores put the second first.
func ExampleAveragePrecision() {
	scores := []float64{0.1, 0.9, 0.4, 0.3}
	fmt.Printf("%.2f\n", eval.AveragePrecision(scores, []bool{false, true, false, true}))
	// Output:
	// 0.83
}

// Equal scores say nothing: the figure is the mean over all orders.
func ExampleNDCG_ties() {
	counts := []float64{0, 3}
	fmt.Printf("%.3f\n", eval.NDCG([]float64{1, 1}, counts, 2))
	fmt.Printf("%.3f\n", (eval.NDCG([]float64{2, 1}, counts, 2)+eval.NDCG([]float64{1, 2}, counts, 2))/2)
	// Output:
	// 0.815
	// 0.815
}

func ExampleSpanF1() {
	fmt.Printf("%.2f\n", eval.SpanF1("the people, by the people", "of the people, by the people"))
	// Output:
	// 0.86
}
