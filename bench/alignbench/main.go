// Command alignbench runs the aligner on a folder of the benchmark's generator
// and writes what its scorer reads.
//
//	go run ./bench/alignbench --data small --docs docs.jsonl --quotes quotes.jsonl
//
// The folder holds sources/*.txt, derived/*.txt and quotes.jsonl. Times are CPU
// seconds of the process, printed to stderr one measurement a line.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/bench/measure"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("alignbench: ")
	data := flag.String("data", "small", "folder of the generator")
	docsOut := flag.String("docs", "", "write alignments of derived documents here (JSON lines)")
	quotesOut := flag.String("quotes", "", "write finds of listed quotes here (JSON lines)")
	list := flag.String("list", "", "quote list (JSON lines of quote_id, text); default DATA/quotes.jsonl")
	threads := flag.Int("threads", 1, "threads")
	parts := flag.Int("parts", 1, "index parts")
	all := flag.Bool("all", false, "a row for every place of a group, not for the best alone")
	repeat := flag.Int("repeat", 1, "go over the derived documents so many times")
	only := flag.String("only", "", "only these derived documents, with commas between")
	chance := flag.Float64("chance", align.Defaults().DocumentChance, "chance finds per million letters of derived text")
	maxFalse := flag.Float64("max-false", 0, "share of false finds accepted in a list")
	drawn := flag.String("pairs", "", "give every pair of these (JSON lines of a, b) its similarity, to stdout, and do nothing else")
	profile := flag.String("cpuprofile", "", "write a CPU profile here")
	flag.Parse()
	if *drawn != "" {
		pairs(*drawn)
		return
	}
	runtime.GOMAXPROCS(*threads)
	o := align.Defaults()
	o.DocumentChance, o.MaxFalse = *chance, *maxFalse
	sources := measure.Texts(filepath.Join(*data, "sources"))
	about(*data, sources)
	size := 0
	for _, d := range sources {
		size += len(d.Text)
	}
	mb := float64(size) / 1e6

	stop := profiling(*profile)
	defer stop()
	letters := 0
	t := start()
	for _, d := range sources {
		letters += align.Letters(d.Text)
	}
	// The yardstick: a quiet core of this kind folds 250 MB per CPU s and more.
	t.print(mb, "fold %d letters", letters)
	t = start()
	stats := align.NewStats(o)
	for _, d := range sources {
		stats.Count(d)
	}
	t.print(mb, "count %d sources, %.1f MB", len(sources), mb)
	if *docsOut != "" {
		documents(*data, *docsOut, sources, stats, o, *threads, *parts, *all, *repeat, *only)
	}
	if *quotesOut != "" {
		if *list == "" {
			*list = filepath.Join(*data, "quotes.jsonl")
		}
		quotes(*list, *quotesOut, sources, stats, o, *threads)
	}
	log.Printf("peak memory %d MB", measure.Usage().Maxrss/1024)
}

// about reads the authors and titles of the sources, where the folder has them.
func about(data string, sources []commonplace.Document) {
	b, err := os.ReadFile(filepath.Join(data, "about.jsonl"))
	if os.IsNotExist(err) {
		return
	}
	measure.Check(err)
	of := map[string]commonplace.Document{}
	for line := range strings.Lines(string(b)) {
		var d struct{ ID, Author, Title string }
		measure.Check(json.Unmarshal([]byte(line), &d))
		of[d.ID] = commonplace.Document{Author: d.Author, Title: d.Title}
	}
	for i := range sources {
		sources[i].Author, sources[i].Title = of[sources[i].ID].Author, of[sources[i].ID].Title
	}
}

func pairs(path string) {
	b, err := os.ReadFile(path)
	measure.Check(err)
	w := bufio.NewWriter(os.Stdout)
	for line := range strings.Lines(string(b)) {
		var p struct {
			Kind       string  `json:"kind"`
			A          string  `json:"a"`
			B          string  `json:"b"`
			Similarity float64 `json:"similarity"`
		}
		measure.Check(json.Unmarshal([]byte(line), &p))
		p.Similarity = align.Similarity(p.A, p.B)
		measure.Check(json.NewEncoder(w).Encode(p))
	}
	measure.Check(w.Flush())
}

func documents(data, out string, sources []commonplace.Document, stats *align.Stats, o align.Options, threads, parts int, all bool, repeat int, only string) {
	dir, err := os.MkdirTemp("", "alignbench")
	measure.Check(err)
	defer os.RemoveAll(dir)
	var open []*align.Part
	var index, text int64
	t := start()
	for k := range parts {
		share := sources[len(sources)*k/parts : len(sources)*(k+1)/parts]
		var b bytes.Buffer
		info, err := align.BuildPart("", &b, slices.Values(share), stats, o)
		measure.Check(err)
		index, text = index+info.Bytes, text+info.TextBytes
		measure.Check(os.WriteFile(filepath.Join(dir, fmt.Sprint(k)), b.Bytes(), 0o644))
	}
	t.print(float64(text)/1e6, "build %d parts", parts)
	log.Printf("index %.3f times the text", float64(index)/float64(text))
	t = start()
	for k := range parts {
		p, err := align.OpenPart(filepath.Join(dir, fmt.Sprint(k)), stats, o)
		measure.Check(err)
		open = append(open, p)
	}
	t.print(float64(text)/1e6, "open")
	derived := measure.Texts(filepath.Join(data, "derived"))
	if only != "" {
		derived = slices.DeleteFunc(derived, func(d commonplace.Document) bool { return !slices.Contains(strings.Split(only, ","), d.ID) })
	}
	size := 0
	for _, d := range derived {
		size += len(d.Text)
	}
	rows := make([][]commonplace.Alignment, len(derived))
	t = start()
	for range repeat {
		each(len(derived), threads, func(i int) {
			var c []align.Candidate
			for _, p := range open {
				c = append(c, p.Find(derived[i])...)
			}
			rows[i] = align.Merge(c, o)
		})
	}
	t.print(float64(size*repeat)/1e6, "match %d documents, %.1f MB", len(derived), float64(size)/1e6)
	f, err := os.Create(out)
	measure.Check(err)
	w := bufio.NewWriter(f)
	for _, rs := range rows {
		for _, r := range rs {
			if !all && r.Group != "" && r.Group != r.ID {
				continue
			}
			measure.Check(json.NewEncoder(w).Encode(r))
		}
	}
	measure.Check(w.Flush())
	measure.Check(f.Close())
}

func quotes(list, out string, sources []commonplace.Document, stats *align.Stats, o align.Options, threads int) {
	b, err := os.ReadFile(list)
	measure.Check(err)
	var qs []commonplace.Quote
	for line := range strings.Lines(string(b)) {
		var q commonplace.Quote
		measure.Check(json.Unmarshal([]byte(line), &q))
		qs = append(qs, q)
	}
	t := start()
	l, err := align.NewQuoteList(qs, stats, o)
	measure.Check(err)
	measure.Check(l.Learn(func(yield func(commonplace.Document, error) bool) {
		for _, d := range sources {
			if !yield(d, nil) {
				return
			}
		}
	}))
	t.print(0, "prepare %d quotes", len(qs))
	t = start()
	found := make([][]commonplace.Alignment, len(sources))
	each(len(sources), threads, func(i int) { found[i] = l.Find(sources[i]) })
	s, wall := t.stop()
	log.Printf("look for %d quotes: %.2f CPU s, %.3f ms per quote, wall %.2f s", len(qs), s, 1000*s/float64(len(qs)), wall)
	rows := slices.Concat(found...)
	slices.SortStableFunc(rows, align.BestFirst)
	f, err := os.Create(out)
	measure.Check(err)
	w := bufio.NewWriter(f)
	for _, r := range rows {
		measure.Check(json.NewEncoder(w).Encode(r))
	}
	measure.Check(w.Flush())
	measure.Check(f.Close())
}

// each calls f(0..n-1) on so many goroutines.
func each(n, threads int, f func(int)) {
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	for range threads {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	wg.Wait()
}

// timer measures the process's CPU seconds.
type timer struct {
	cpu  float64
	wall time.Time
}

func start() timer { return timer{measure.CPU(), time.Now()} }

func (t timer) stop() (cpuSeconds, wall float64) {
	return measure.CPU() - t.cpu, time.Since(t.wall).Seconds()
}

// print prints what took how long, and the rate where mb is not 0.
func (t timer) print(mb float64, what string, args ...any) {
	s, wall := t.stop()
	rate := ""
	if mb > 0 {
		rate = fmt.Sprintf(", %.1f MB per CPU s", mb/s)
	}
	log.Printf("%s: %.3f CPU s%s, wall %.2f s", fmt.Sprintf(what, args...), s, rate, wall)
}

func profiling(path string) func() {
	if path == "" {
		return func() {}
	}
	f, err := os.Create(path)
	measure.Check(err)
	measure.Check(pprof.StartCPUProfile(f))
	return func() {
		pprof.StopCPUProfile()
		measure.Check(f.Close())
	}
}
