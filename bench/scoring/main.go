// Command scoring measures an embedding model beside sentence-transformers and
// compares the vectors.
//
//	python3 bench/scoring/peer.py CHECKPOINT TEXTS.jsonl COUNT VECTORS.f32
//	go run ./bench/scoring [flags] MODEL-FOLDER TEXTS.jsonl COUNT [VECTORS.f32]
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/commonplace/commonplace/infer"
)

func main() {
	log.SetFlags(0)
	device := flag.String("device", "cpu", "cpu, cuda, tensorrt or auto")
	workers := flag.Int("workers", 1, "runs of the graph at once")
	minutes := flag.Float64("minutes", 0, "go on for so long, with a line a minute")
	peakFlops := flag.Float64("peak", 0, "the device's operations a second, such as 989e12, to print the share that was used")
	layers, hidden := flag.Int("layers", 6, "the model's layers"), flag.Int("hidden", 384, "and its width")
	flag.Parse()
	if flag.NArg() != 3 && flag.NArg() != 4 {
		log.Fatal("usage: scoring [flags] MODEL-FOLDER TEXTS.jsonl COUNT [VECTORS.f32]")
	}
	if *device == "cpu" && *workers == 1 {
		runtime.GOMAXPROCS(1) // as the Python side: one thread
	}
	m, err := infer.LoadModel(flag.Arg(0), infer.Options{Device: *device, Workers: *workers})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	count, err := strconv.Atoi(flag.Arg(2))
	if err != nil {
		log.Fatal(err)
	}
	texts := readTexts(flag.Arg(1), count)
	if _, err := m.Embed(context.Background(), texts[:min(16, len(texts))]); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("commonplace, ONNX Runtime %s, %s on %s (%s)\n", infer.RuntimeVersion(), m.Manifest().Precision, m.Device(), m.DeviceReason())
	vectors := measure(m, texts, *peakFlops, *layers, *hidden)
	for end := time.Now().Add(time.Duration(*minutes * float64(time.Minute))); time.Now().Before(end); {
		measure(m, texts, *peakFlops, *layers, *hidden)
	}
	if flag.NArg() == 4 {
		compare(vectors, flag.Arg(3))
	}
}

// measure embeds the texts once and prints what it cost. The share of the peak
// counts the products of a transformer: 24 h^2 a token and layer, and 4 n h for
// attention over n tokens.
func measure(m *infer.Model, texts []string, peakFlops float64, layers, hidden int) [][]float32 {
	before, begin, wall := m.Counts(), cpu(), time.Now()
	vectors, err := m.Embed(context.Background(), texts)
	if err != nil {
		log.Fatal(err)
	}
	spent, elapsed, after := cpu()-begin, time.Since(wall).Seconds(), m.Counts()
	n, tokens := float64(len(texts)), float64(after.Tokens-before.Tokens)
	fmt.Printf("%d texts, %.0f tokens: %.1f CPU s = %.2f texts a CPU second; %.1f s = %.1f texts a second, %.1f s of it in the graph (all workers); peak memory %d MB",
		len(texts), tokens, spent, n/spent, elapsed, n/elapsed, (after.Running - before.Running).Seconds(), peak())
	if h := float64(hidden); peakFlops > 0 {
		flops := tokens * float64(layers) * (24*h*h + 4*h*tokens/n)
		fmt.Printf("; %.1f %% of the peak", 100*flops/elapsed/peakFlops)
	}
	fmt.Println()
	return vectors
}

// compare prints the largest difference of a component, the lowest cosine, and
// Spearman's rho of the cosines of texts that stand 1, 10 and 100 apart.
func compare(vectors [][]float32, path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	d := len(vectors[0])
	worst, lowest := 0.0, 1.0
	var ours, theirs []float64
	peer := func(i, k int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*(i*d+k):])))
	}
	for i, v := range vectors {
		dot := 0.0
		for k, x := range v {
			y := peer(i, k)
			worst = max(worst, math.Abs(float64(x)-y))
			dot += float64(x) * y
		}
		lowest = min(lowest, dot)
		for _, apart := range []int{1, 10, 100} {
			j := (i + apart) % len(vectors)
			a, b := 0.0, 0.0
			for k, x := range v {
				a += float64(x) * float64(vectors[j][k])
				b += peer(i, k) * peer(j, k)
			}
			ours, theirs = append(ours, a), append(theirs, b)
		}
	}
	fmt.Printf("largest difference of a component %.2g, lowest cosine %.5f, Spearman of cosines between texts %.4f\n", worst, lowest, spearman(ours, theirs))
}

func spearman(a, b []float64) float64 {
	ranks := func(v []float64) []float64 {
		order := make([]int, len(v))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int {
			if v[i] < v[j] {
				return -1
			}
			return 1
		})
		r := make([]float64, len(v))
		for rank, i := range order {
			r[i] = float64(rank)
		}
		return r
	}
	x, y := ranks(a), ranks(b)
	n := float64(len(a))
	sum := 0.0
	for i := range x {
		sum += (x[i] - y[i]) * (x[i] - y[i])
	}
	return 1 - 6*sum/(n*(n*n-1))
}

func readTexts(path string, count int) []string {
	f, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	var texts []string
	for len(texts) < count && lines.Scan() {
		var row struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			log.Fatal(err)
		}
		texts = append(texts, row.Text)
	}
	return texts
}

func usage() syscall.Rusage {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return u
}

func cpu() float64 {
	u := usage()
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return seconds(u.Utime) + seconds(u.Stime)
}

// peak is the largest resident memory so far, in MB (Linux counts it in KiB).
func peak() int64 { return int64(usage().Maxrss) >> 10 }
