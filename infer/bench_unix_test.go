//go:build unix

package infer

import (
	"slices"
	"syscall"
	"testing"
	"time"
)

// cpuSeconds is what the process has used so far: unlike the clock, it says
// something on a machine that others use too.
func cpuSeconds(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// Passages of 1 to 211 words, 106 on average: the default model, and a linear one of
// features alone.
func BenchmarkScoreFeatures(b *testing.B) {
	b.Run("default", func(b *testing.B) { scorePassages(b, defaultModel) })
	b.Run("linear", func(b *testing.B) { scorePassages(b, linearModel) })
}

func scorePassages(b *testing.B, dir string) {
	m := load(b, dir)
	passages := somePassages(8 * featureRows)
	begin := cpuSeconds(b)
	for b.Loop() {
		if _, err := m.Score(b.Context(), passages); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(passages)*b.N)/(cpuSeconds(b)-begin), "passages/CPUs")
}

// The graph alone, over vectors and terms that are there already.
func BenchmarkFeatureGraph(b *testing.B) {
	b.Run("default", func(b *testing.B) { runFeatureGraph(b, defaultModel) })
	b.Run("linear", func(b *testing.B) { runFeatureGraph(b, linearModel) })
}

func runFeatureGraph(b *testing.B, dir string) {
	m := load(b, dir)
	h := m.run.(*featureModel)
	s, err := h.space()
	if err != nil {
		b.Fatal(err)
	}
	defer h.giveBack(s)
	begin := cpuSeconds(b)
	for b.Loop() {
		if err := h.session.Run(s.inputs, s.outputs); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(h.rows)*float64(b.N)/(cpuSeconds(b)-begin), "rows/CPUs")
}

// Texts of all lengths through a tokenizer and a tiny graph, so that the time is what
// the program itself spends on each.
func BenchmarkTextHeads(b *testing.B) {
	b.Run("quotability", func(b *testing.B) { scorePassages(b, tinyModels+"/quotability") })
	b.Run("quotability-sequence", func(b *testing.B) { scorePassages(b, tinyModels+"/quotability-sequence") })
	b.Run("rank", func(b *testing.B) {
		m := load(b, tinyModels+"/rank")
		pairs := slices.Repeat(somePairs(), 16)
		begin := cpuSeconds(b)
		for b.Loop() {
			if _, err := m.ScorePairs(b.Context(), pairs); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(pairs)*b.N)/(cpuSeconds(b)-begin), "pairs/CPUs")
	})
}
