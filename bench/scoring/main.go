// Command scoring measures a model of the head embed, or of one that scores
// passages: what bench/scoring.sh runs beside
// sentence-transformers, turn about, and bench/gpu.sh on a GPU.
//
//	scoring [flags] MODEL-FOLDER TEXTS.jsonl COUNT [VECTORS.f32]
//
// Texts are read, embedded and forgotten a block at a time, with a line after
// each that says how much memory the process has then. COUNT may be more than the
// file holds: it is read again from the beginning. Vectors are written for
// compare.py.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bench/measure"
	"github.com/commonplace/commonplace/infer"
)

func main() {
	log.SetFlags(0)
	device := flag.String("device", "cpu", "cpu, cuda, tensorrt or auto")
	workers := flag.Int("workers", 1, "runs of the graph at once; 0 is as many as the machine keeps busy")
	block := flag.Int("block", 5000, "texts of one call")
	minutes := flag.Float64("minutes", 0, "go on for so long, and not only to COUNT")
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
	texts := openTexts(flag.Arg(1))
	defer texts.file.Close()
	run := measured{model: m, peak: *peakFlops, layers: float64(*layers), hidden: float64(*hidden), alone: *workers == 1}
	run.block(openTexts(flag.Arg(1)).next(16))
	fmt.Printf("commonplace, ONNX Runtime %s, %s on %s (%s)\n", infer.RuntimeVersion(), m.Manifest().Precision, m.Device(), m.DeviceReason())
	out := io.Discard
	if flag.NArg() == 4 {
		f, err := os.Create(flag.Arg(3))
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		out = f
	}
	run.start()
	for run.texts < count {
		vectors := run.block(texts.next(min(*block, count-run.texts)))
		fmt.Println(run.line(), fmt.Sprintf("%d MB resident", resident()))
		for _, v := range vectors {
			if err := binary.Write(out, binary.LittleEndian, v); err != nil {
				log.Fatal(err)
			}
		}
	}
	fmt.Println("all:", run.line(), fmt.Sprintf("peak memory %d MB", peak()))
	if *minutes == 0 {
		return
	}
	// A soak: a line a minute.
	end := time.Now().Add(time.Duration(*minutes * float64(time.Minute)))
	for time.Now().Before(end) {
		run.start()
		for begin := time.Now(); time.Since(begin) < time.Minute && time.Now().Before(end); {
			run.block(texts.next(min(*block, count)))
		}
		fmt.Println("soak:", run.line(), fmt.Sprintf("%d MB resident", resident()))
	}
}

// measured counts what embedding costs since start.
type measured struct {
	model                *infer.Model
	peak, layers, hidden float64
	alone                bool // one run of the graph at a time

	texts int
	spent float64 // CPU seconds
	wall  time.Duration
	from  infer.Counts
}

func (r *measured) start() {
	r.texts, r.spent, r.wall, r.from = 0, 0, 0, r.model.Counts()
}

// block runs the model over some texts; there are vectors from the head embed only.
func (r *measured) block(texts []string) (vectors [][]float32) {
	begin, wall := measure.CPU(), time.Now()
	var err error
	if r.model.ScoresPassages() {
		passages := make([]commonplace.Passage, len(texts))
		for i, text := range texts {
			passages[i] = commonplace.Passage{ID: commonplace.PassageID("d", int64(i)), DocID: "d", Index: int64(i), Text: text}
		}
		_, err = r.model.Score(context.Background(), passages)
	} else {
		vectors, _, err = r.model.Embed(context.Background(), texts)
	}
	if err != nil {
		log.Fatal(err)
	}
	r.texts, r.spent, r.wall = r.texts+len(texts), r.spent+measure.CPU()-begin, r.wall+time.Since(wall)
	return vectors
}

// line says what it cost so far. The share of the peak counts the products of a
// transformer over real tokens: 24 h^2 a token and layer, and 4 n h for attention
// over n tokens.
func (r *measured) line() string {
	now, n, elapsed := r.model.Counts(), float64(r.texts), r.wall.Seconds()
	tokens, padded := float64(now.Tokens-r.from.Tokens), float64(now.Padded-r.from.Padded)
	line := fmt.Sprintf("%d texts: %.1f CPU s = %.2f texts a CPU second; %.1f s = %.1f texts a second;", r.texts, r.spent, n/r.spent, elapsed, n/elapsed)
	if tokens > 0 {
		running := (now.Running - r.from.Running).Seconds()
		line += fmt.Sprintf(" %.0f tokens, %.1f %% filled up; %.1f s in the graph, all runs at once added up;", tokens, 100*(padded/tokens-1), running)
		if r.alone {
			line += fmt.Sprintf(" %.1f texts a second in it alone;", n/running)
		}
	}
	if r.peak > 0 {
		flops := tokens * r.layers * (24*r.hidden*r.hidden + 4*r.hidden*tokens/n)
		line += fmt.Sprintf(" %.1f %% of the peak;", 100*flops/elapsed/r.peak)
	}
	return line
}

// reader gives the texts of a file, again and again.
type reader struct {
	file  *os.File
	lines *bufio.Scanner
}

func openTexts(path string) *reader {
	f, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	r := &reader{file: f}
	r.rewind()
	return r
}

func (r *reader) rewind() {
	if _, err := r.file.Seek(0, io.SeekStart); err != nil {
		log.Fatal(err)
	}
	r.lines = bufio.NewScanner(r.file)
	r.lines.Buffer(nil, 1<<26)
}

func (r *reader) next(n int) []string {
	var texts []string
	for fresh := false; len(texts) < n; fresh = true {
		for len(texts) < n && r.lines.Scan() {
			var row struct{ Text string }
			if err := json.Unmarshal(r.lines.Bytes(), &row); err != nil {
				log.Fatal(err)
			}
			texts = append(texts, row.Text)
		}
		if err := r.lines.Err(); err != nil || fresh && len(texts) == 0 {
			log.Fatalf("%s holds no texts (%v)", r.file.Name(), err)
		}
		if len(texts) < n {
			r.rewind()
		}
	}
	return texts
}

// peak is the largest resident memory so far, in MB (Linux counts it in KiB).
func peak() int64 { return int64(measure.Usage().Maxrss) >> 10 }

// resident is the memory that the process has now, in MB.
func resident() int64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return peak()
	}
	var all, pages int64
	if _, err := fmt.Sscan(string(data), &all, &pages); err != nil {
		return peak()
	}
	return pages * int64(os.Getpagesize()) >> 20
}
