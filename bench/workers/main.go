// Command workers plays how a run goes on many workers, and prints what is to be
// expected of libraries that nobody here has: bytes, hours, storage and money, and
// how many workers pay off.
//
//	go run ./bench/workers [-price 0.05] [-runs 40]
//
// It is a simulation: documents of random lengths are assigned to shards, shards
// become tasks, tasks wait for workers, workers differ in speed, some tasks
// straggle, workers die. The rates below were measured (docs/scale.md); all else
// is assumed, and stands in constants. Each row is the mean of some runs with other random
// numbers, always the same, so the tables are always the same.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/pipelines/config"
)

func main() {
	price := flag.Float64("price", 0.05, "what one core costs an hour")
	times := flag.Int("runs", 40, "how often each row is played")
	flag.Parse()
	w := os.Stdout
	printRates(w)
	fmt.Fprintln(w, "| | documents | text | passages | features, CPU h | MiniLM int8, CPU h | MiniLM, GPU h | a list of 6,000, CPU h | 1 GB of essays, CPU h | shuffled | tables and index | money, without a model of language |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, l := range libraries {
		fmt.Fprintln(w, l.line(*price))
	}
	runs := append(slices.Clone(libraries), libraries[0], libraries[0])
	runs[3].miniLM, runs[4].miniLM, runs[4].shards = true, true, 4096
	for _, l := range runs {
		fmt.Fprintf(w, "\n%s, %d shards, %s and a list of 6,000. The submitting machine alone takes %s h:\n\n", l.name, l.shards, l.model(), hours(l.alone()))
		fmt.Fprintln(w, "| workers | hours | faster | least and most | busy | of it lost to deaths | money | longest task, min |")
		fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|")
		var one float64
		for _, n := range []int{1, 8, 32, 64, 128, 256, 512, 1024, 2048} {
			r, least, most := playAll(l, n, *times)
			if one == 0 {
				one = r.wall
			}
			fmt.Fprintf(w, "| %d | %s | %.0f | %.0f, %.0f | %.0f %% | %.1f %% | %s | %.1f |\n", n, hours(r.wall), one/r.wall, one/most, one/least,
				100*r.busy/(r.wall*float64(n)), 100*r.lost/r.busy, money(r.wall*float64(n)/3600**price), r.longest/60)
		}
	}
}

// library is what is to be read.
type library struct {
	name      string
	documents int
	megabytes float64
	spread    float64 // standard deviation of the logarithm of a document's length
	largest   float64 // megabytes
	shards    int
	miniLM    bool // scores, in place of the features
}

func (l library) model() string {
	if l.miniLM {
		return "MiniLM (int8)"
	}
	return "features"
}

// cost is that of a stage, in CPU seconds a megabyte.
func (l library) cost(name string, cost float64) float64 {
	if name == "score" && l.miniLM {
		return 1e6 / passageBytes / int8Rate
	}
	return cost
}

var libraries = []library{
	{"Project Gutenberg", 73_000, 44_000, 0.9, 30, config.ShardsFor(44e9), false},
	{"11 million newspaper pages", 11_000_000, 220_000, 0.6, 0.2, config.ShardsFor(220e9), false},
	{"17 million HathiTrust volumes", 17_000_000, 12_000_000, 0.7, 30, config.ShardsFor(12e12), false},
}

// What was measured, in CPU seconds of one core a megabyte of text unless it says
// otherwise; rates says by which command.
const (
	passageBytes  = 1_100          // 40 million passages of 44 GB
	readCost      = 1 / 33.0       // crawl: decode, frame, language, write
	cutCost       = 1 / 28.0       // segment
	countCost     = 1 / 50.0       // the aligner's counts
	quoteCost     = 0.4e-3 / 17.9  // a quote of a list
	groupCost     = 1 / 40.0       // works, groups, examples, quote counts
	featureRate   = 3_700.0        // passages of 200 words a second
	int8Rate      = 63.1           // texts of 200 words a second
	rankCost      = 1 / 35.0       // join and write
	hashCost      = 1 / 550.0      // a worker hashes what it lists
	nameCost      = 20.4e-6        // the submitting machine sorts a document's name
	sketchCost    = 1 / 58.0       // workers sketch sources, to find editions
	compareCost   = 150e-6         // the submitting machine reads the sketch of a document and compares it with the others
	orderCost     = 1.75 * 0.61e-6 // workers put a score in order, in parts; 0.61 µs is one machine
	matchRate     = 5.0            // megabytes of derived text a second and part of 256 MB
	partMegabytes = 256.0
	gpuRate       = 15_000.0 // texts of 200 words a second: the lower end of what 25 to 40 % of an H200's arithmetic gives; nothing was run on one
	tableShare    = 1.35     // tables to text, zstd
	indexShare    = 1.6      // the aligner's parts to text, where documents quote documents
	listed        = 6_000    // quotes
)

// rates are what was measured as it is printed, each with the command that
// measures it again.
var rates = []struct{ what, rate, command string }{
	{"crawl: read, decode, write", perSecond(readCost), "`bench/overhead.sh 400`, crawl"},
	{"segment", perSecond(cutCost), "`bench/overhead.sh 400`"},
	{"counts of the aligner", perSecond(countCost), "`go run ./bench/alignscale --sources … --derived …`, count"},
	{"a list of quotes", fmt.Sprintf("%.2f ms a quote on 17.9 MB", quoteCost*17.9e3), "the same, quote list of 10,000"},
	{"derived text against a part of 256 MB", fmt.Sprintf("%.0f MB", matchRate), "the same, match; extrapolated from 33.7 MB by count of hits"},
	{"works, groups, examples, counts", perSecond(groupCost), profiled + "`makeWorks`, `makeGroups`, `makeExamples`, `makeCounts`"},
	{"rank: join and write", perSecond(rankCost), profiled + "`makeRankings`"},
	{"hashes of sources", perSecond(hashCost), profiled + "`hashFile`"},
	{"names of documents, on the submitting machine", fmt.Sprintf("%.0f thousand", 1e-3/nameCost), "`go test ./pipelines/ingest -run XXX -bench ListedItems`"},
	{"sketches of sources", perSecond(sketchCost), profiled + "`sketchesOf`"},
	{"sketches read and compared, on the submitting machine", fmt.Sprintf("%.1f thousand", 1e-3/compareCost), "half each: `go test ./label/group -run XXX -bench Works -cpuprofile F`, its `Add` and `Works`; `go test ./pipelines/datasets -run XXX -bench ReadSketches`"},
	{"scores in order", fmt.Sprintf("%.1f million", 1e-6/orderCost), profiled + "`makeOrder`, and 1.75 times that in parts: `go test ./pipelines/ranking -run XXX -bench Order`"},
	{"features", fmt.Sprintf("%.0f passages of 200 words", featureRate), "`go run ./bench/scoring` on paragraphs of books; docs/models.md"},
	{"MiniLM, int8", fmt.Sprintf("%.1f texts of 200 words", int8Rate), "`bench/scoring.sh`"},
	{"MiniLM, a GPU", fmt.Sprintf("%.0f texts of 200 words", gpuRate), "none: a quarter of what an H200's arithmetic gives"},
}

const profiled = "`commonplace build --cpuprofile` of the library of `bench/grow.sh`, `go tool pprof -peek` "

func perSecond(cost float64) string { return fmt.Sprintf("%.0f MB", 1/cost) }

func printRates(w io.Writer) {
	fmt.Fprintln(w, "| | a CPU second | measured by |")
	fmt.Fprintln(w, "|---|---|---|")
	for _, r := range rates {
		fmt.Fprintf(w, "| %s | %s | %s |\n", r.what, r.rate, r.command)
	}
	fmt.Fprintln(w)
}

// What is assumed of the machines.
const (
	taskSeconds = 0.05       // a task beside its work: hand over, open, sync
	jobSeconds  = 6.0        // a job on a cluster: translate, start, commit
	speedSpread = 0.08       // of workers, standard deviation
	stragglers  = 0.01       // share of tasks that take three times as long
	between     = 500 * 3600 // seconds between the deaths of one worker
	afterDeath  = 8.0        // until the job runs again; all tasks under way begin again, as on Flink
	mostCounts  = 512        // elements of the job that counts words (pipelines/quotes/wordcounts.go)
	mostSorted  = 512        // elements of the jobs that put scores in order (pipelines/ranking/orderparts.go)
	mergeTime   = 3.0        // the last 16 files of counts, on one worker while the others wait; the levels before are not counted
)

// stages of a run with a list of quotes and the features model, in CPU seconds a
// megabyte.
var stages = []struct {
	name string
	cost float64
	most int // elements; 0: one a shard
}{
	{"list", hashCost, 0}, {"crawl", readCost, 0}, {"segment", cutCost, 0}, {"count words", countCost, mostCounts}, {"align", listed * quoteCost, 0},
	{"sketch", sketchCost, 0}, {"label", groupCost, 0}, {"score", 1e6 / passageBytes / featureRate, 0}, {"sort scores", orderCost * 1e6 / passageBytes, mostSorted}, {"rank", rankCost, 0},
}

func (l library) passages() float64 { return l.megabytes * 1e6 / passageBytes }

func (l library) line(price float64) string {
	plain := 0.0
	for _, s := range stages {
		plain += s.cost
	}
	p, mb := l.passages(), l.megabytes
	quoted := listed * quoteCost * mb
	essays := 1000 / matchRate * math.Ceil(mb/partMegabytes)
	features := p / featureRate
	cells := []string{
		l.name, count(float64(l.documents)), size(mb), count(p), hours(features), hours(p / int8Rate), hours(p / gpuRate), hours(quoted), hours(essays),
		// names of tasks and commit rows, never text
		size(float64(len(stages)*l.shards) * 1.5e-3), size(mb*tableShare) + ", " + size(mb*indexShare), money(plain * mb / 3600 * price),
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

// outcome of a run, in seconds.
type outcome struct{ wall, busy, lost, longest float64 }

// alone is what the submitting machine or one worker does while the others wait.
func (l library) alone() float64 {
	return float64(l.documents)*(nameCost+compareCost) + mergeTime
}

// playAll plays some runs: their mean, and the shortest and the longest.
func playAll(l library, workers, times int) (mean outcome, least, most float64) {
	least = math.Inf(1)
	for seed := range times {
		r := play(l, workers, rand.New(rand.NewPCG(uint64(seed+1), uint64(workers))))
		least, most = math.Min(least, r.wall), math.Max(most, r.wall)
		n := float64(times)
		mean = outcome{mean.wall + r.wall/n, mean.busy + r.busy/n, mean.lost + r.lost/n, mean.longest + r.longest/n}
	}
	return mean, least, most
}

// play runs all stages, each when the one before it is whole.
func play(l library, workers int, r *rand.Rand) outcome {
	sizes := l.deal(r)
	slices.SortFunc(sizes, func(a, b float64) int { return cmp.Compare(b, a) }) // the longest task is begun first
	speeds := make([]float64, workers)
	for i := range speeds {
		speeds[i] = math.Max(0.5, 1+speedSpread*r.NormFloat64())
	}
	o := outcome{wall: l.alone()}
	for _, s := range stages {
		elements := gathered(sizes, s.most)
		tasks := make([]float64, len(elements))
		for i, mb := range elements {
			tasks[i] = taskSeconds + l.cost(s.name, s.cost)*mb
			if r.Float64() < stragglers {
				tasks[i] *= 3
			}
		}
		st := stage(tasks, speeds, r)
		o.wall, o.busy, o.lost, o.longest = o.wall+jobSeconds+st.wall, o.busy+st.busy, o.lost+st.lost, math.Max(o.longest, st.longest)
	}
	return o
}

// gathered are the sizes of at most so many elements, each of some shards.
func gathered(sizes []float64, most int) []float64 {
	if most == 0 || len(sizes) <= most {
		return sizes
	}
	all := make([]float64, most)
	for i, mb := range sizes {
		all[i%most] += mb
	}
	return all
}

// deal gives the megabytes of each shard.
func (l library) deal(r *rand.Rand) []float64 {
	sizes := make([]float64, l.shards)
	mean := l.megabytes / float64(l.documents)
	mu := math.Log(mean) - l.spread*l.spread/2
	if perShard := l.documents / l.shards; perShard > 500 { // so many that their sum is all but certain
		sd := mean * math.Sqrt((math.Exp(l.spread*l.spread)-1)*float64(perShard))
		for k := range sizes {
			sizes[k] = mean*float64(perShard) + sd*r.NormFloat64()
		}
		return sizes
	}
	for range l.documents {
		sizes[r.IntN(len(sizes))] += math.Min(l.largest, math.Exp(mu+l.spread*r.NormFloat64()))
	}
	return sizes
}

func count(n float64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f billion", n/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.0f million", n/1e6)
	}
	return fmt.Sprintf("%.0f thousand", n/1e3)
}

func size(mb float64) string {
	switch {
	case mb >= 1e6:
		return fmt.Sprintf("%.1f TB", mb/1e6)
	case mb >= 1e3:
		return fmt.Sprintf("%.0f GB", mb/1e3)
	}
	return fmt.Sprintf("%.0f MB", mb)
}

func money(n float64) string {
	if n < 10 {
		return fmt.Sprintf("%.2f", n)
	}
	return fmt.Sprintf("%.0f", n)
}

func hours(seconds float64) string {
	switch h := seconds / 3600; {
	case h >= 10:
		return fmt.Sprintf("%.0f", h)
	case h >= 0.1:
		return fmt.Sprintf("%.1f", h)
	default:
		return fmt.Sprintf("%.2f", h)
	}
}
