// Command scoring measures an embedding model beside sentence-transformers and
// compares the vectors.
//
//	python3 bench/scoring/peer.py CHECKPOINT TEXTS.jsonl COUNT VECTORS.f32
//	go run ./bench/scoring MODEL-FOLDER TEXTS.jsonl COUNT VECTORS.f32
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"syscall"

	"github.com/commonplace/commonplace/infer"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 5 {
		log.Fatal("usage: scoring MODEL-FOLDER TEXTS.jsonl COUNT VECTORS.f32")
	}
	runtime.GOMAXPROCS(1)
	m, err := infer.LoadModel(os.Args[1], infer.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	count, err := strconv.Atoi(os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	texts := readTexts(os.Args[2], count)
	if _, err := m.Embed(context.Background(), texts[:min(16, len(texts))]); err != nil {
		log.Fatal(err)
	}
	begin := cpu()
	vectors, err := m.Embed(context.Background(), texts)
	if err != nil {
		log.Fatal(err)
	}
	spent := cpu() - begin
	fmt.Printf("commonplace, ONNX Runtime %s, %s: %d texts in %.1f CPU s = %.2f texts a CPU second; peak memory %d MB\n",
		infer.RuntimeVersion(), m.Manifest().Precision, len(texts), spent, float64(len(texts))/spent, peak())
	compare(vectors, os.Args[4])
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
