// Command alignscale measures what the aligner costs and how the cost grows: with
// derived text, with sources, with threads.
//
//	go run ./bench/alignscale --sources small/sources,held/sources --derived medium/derived
//
// Every figure is the least and the median of several rounds, in CPU seconds of
// the process; what is compared is run in turns, so that a busy machine bears on
// all of it alike. The rate of folding says how busy it is: a quiet core folds 250
// MB per CPU s and more.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
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
	log.SetPrefix("alignscale: ")
	sourceDirs := flag.String("sources", "small/sources", "folders of texts, with commas between")
	derivedDirs := flag.String("derived", "small/derived", "folders of texts, with commas between")
	rounds := flag.Int("rounds", 5, "rounds of every measurement")
	flag.Parse()
	sources, derived := read(*sourceDirs), read(*derivedDirs)
	dir, err := os.MkdirTemp("", "alignscale")
	measure.Check(err)
	defer os.RemoveAll(dir)
	o := align.Defaults()

	fmt.Printf("%d sources, %.1f MB; %d derived documents, %.1f MB; least and median of %d rounds\n", len(sources), size(sources), len(derived), size(derived), *rounds)
	stats := align.NewStats(o)
	for _, d := range sources {
		stats.Count(d)
	}
	var info align.PartInfo
	build := func(name string, docs []commonplace.Document, s *align.Stats) string {
		path := filepath.Join(dir, name)
		f, err := os.Create(path)
		measure.Check(err)
		info, err = align.BuildPart("", f, slices.Values(docs), s, o)
		measure.Check(err)
		measure.Check(f.Close())
		return path
	}
	var path string
	steps := inTurns(*rounds,
		step{"fold", size(sources), func() { fold(sources) }},
		step{"count", size(sources), func() {
			s := align.NewStats(o)
			for _, d := range sources {
				s.Count(d)
			}
		}},
		step{"build", size(sources), func() { path = build("all", sources, stats) }},
	)
	steps.print()
	fmt.Printf("index %.3f times the text, %d seeds\n", float64(info.Bytes)/float64(info.TextBytes), info.Seeds)
	open := func(path string, s *align.Stats) *align.Part {
		p, err := align.OpenPart(path, s, o)
		measure.Check(err)
		return p
	}
	part := open(path, stats)

	fmt.Println("\nderived text, one thread")
	var some []step
	for _, share := range []int{8, 4, 2, 1} {
		docs := derived[:max(1, len(derived)/share)]
		some = append(some, step{fmt.Sprintf("%.1f MB", size(docs)), size(docs), func() { find(part, docs, 1, o) }})
	}
	inTurns(*rounds, some...).print()

	fmt.Println("\nsources, one thread, the first documents")
	few := derived[:min(len(derived), 200)]
	some = nil
	for _, share := range []int{8, 4, 2, 1} {
		docs := sources[:max(1, len(sources)/share)]
		s := align.NewStats(o)
		for _, d := range docs {
			s.Count(d)
		}
		p := open(build(fmt.Sprint("of", share), docs, s), s)
		some = append(some, step{fmt.Sprintf("%.1f MB", size(docs)), size(few), func() { find(p, few, 1, o) }})
	}
	inTurns(*rounds, some...).print()

	fmt.Println("\nthreads")
	var walls, cpus []float64
	for range *rounds {
		var wall, spent [2]float64
		for k := range wall {
			t, c := time.Now(), measure.CPU()
			find(part, few, k+1, o)
			wall[k], spent[k] = time.Since(t).Seconds(), measure.CPU()-c
		}
		walls, cpus = append(walls, wall[0]/wall[1]), append(cpus, 2*spent[0]/spent[1])
	}
	slices.Sort(walls)
	slices.Sort(cpus)
	median := len(walls) / 2
	fmt.Printf("two threads are %.2f times one by the clock (median of %d pairs; %.2f to %.2f), which needs two free cores;\n", walls[median], *rounds, walls[0], walls[len(walls)-1])
	fmt.Printf("%.2f times by the CPU seconds that they spend on the same work (%.2f to %.2f)\n", cpus[median], cpus[0], cpus[len(cpus)-1])

	big := slices.MaxFunc(derived, func(a, b commonplace.Document) int { return len(a.Text) - len(b.Text) })
	for _, d := range []commonplace.Document{big, {ID: "all", Text: join(derived, 4<<20)}} {
		debug.SetGCPercent(-1)
		runtime.GC()
		runtime.GC() // empties the pool of scratch memory
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		part.Find(d)
		runtime.ReadMemStats(&after)
		debug.SetGCPercent(100)
		fmt.Printf("working memory for a document of %.2f MB: %.1f MB, nothing freed meanwhile\n", float64(len(d.Text))/1e6, float64(after.HeapAlloc-before.HeapAlloc)/1e6)
	}
}

// step is something to be measured, over so many MB.
type step struct {
	name string
	mb   float64
	do   func()
}

type measured []struct {
	step
	seconds []float64
}

// inTurns does all steps in turns.
func inTurns(rounds int, steps ...step) measured {
	out := make(measured, len(steps))
	for range rounds {
		for i, s := range steps {
			t := measure.CPU()
			s.do()
			out[i].step = s
			out[i].seconds = append(out[i].seconds, measure.CPU()-t)
		}
	}
	return out
}

func (m measured) print() {
	for _, s := range m {
		slices.Sort(s.seconds)
		least, median := s.seconds[0], s.seconds[len(s.seconds)/2]
		fmt.Printf("%-8s %7.3f CPU s (median %.3f), %6.1f MB per CPU s (median %.1f)\n", s.name, least, median, s.mb/least, s.mb/median)
	}
}

// find aligns docs on so many threads.
func find(p *align.Part, docs []commonplace.Document, threads int, o align.Options) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	next := make(chan commonplace.Document, len(docs))
	for _, d := range docs {
		next <- d
	}
	close(next)
	var wg sync.WaitGroup
	for range threads {
		wg.Go(func() {
			for d := range next {
				align.Merge(p.Find(d), o)
			}
		})
	}
	wg.Wait()
}

// fold folds docs one by one, counting their letters.
func fold(docs []commonplace.Document) {
	for _, d := range docs {
		for text := d.Text; text != ""; { // in pieces, so that memory stays in the cache
			n := min(len(text), 1<<16)
			align.Letters(text[:n])
			text = text[n:]
		}
	}
}

// join is the text of the documents up to so many bytes.
func join(docs []commonplace.Document, most int) string {
	var b strings.Builder
	for _, d := range docs {
		if b.Len()+len(d.Text) > most {
			break
		}
		b.WriteString(d.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

func size(docs []commonplace.Document) float64 {
	n := 0
	for _, d := range docs {
		n += len(d.Text)
	}
	return float64(n) / 1e6
}

// read reads the texts of folders with commas between them.
func read(dirs string) []commonplace.Document {
	var docs []commonplace.Document
	for dir := range strings.SplitSeq(dirs, ",") {
		docs = append(docs, measure.Texts(dir)...)
	}
	if len(docs) == 0 {
		log.Fatalf("no *.txt in %s", dirs)
	}
	return docs
}
