//go:build unix

package infer

import (
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
	b.Run("default", func(b *testing.B) { scoreFeatures(b, defaultModel) })
	b.Run("linear", func(b *testing.B) { scoreFeatures(b, linearModel) })
}

func scoreFeatures(b *testing.B, dir string) {
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
	b.Run("default", func(b *testing.B) { featureGraph(b, defaultModel) })
	b.Run("linear", func(b *testing.B) { featureGraph(b, linearModel) })
}

func featureGraph(b *testing.B, dir string) {
	m := load(b, dir)
	h := m.features
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
	b.ReportMetric(float64(m.features.rows)*float64(b.N)/(cpuSeconds(b)-begin), "rows/CPUs")
}
