package pipelines

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/ingest"
	"github.com/commonplace/commonplace/pipelines/quotes"
	"github.com/commonplace/commonplace/pipelines/ranking"
)

// load is what decides the cost of a build.
type load struct {
	sources, derived float64 // MB of text
	largest          float64 // MB of the largest document
	quotes           float64 // listed quotations
	passageMS        float64 // of a CPU, for 200 words, by the model's own word; 0 without a model
	shards, workers  int
	guessed          bool
	unknown          []string // sources of which nothing says how much they hold
}

// Estimate is what a build takes.
type Estimate struct {
	CPU, Scoring time.Duration // Scoring is part of CPU
	Memory, Disk float64       // MB
}

// Rates were measured on 90 MB of books with 36,580 quotations (bench/RESULTS.md#estimates).
// CPU seconds are for an MB of the text that a stage reads; disk is MB for an MB.
var rates = map[string]struct{ cpu, disk float64 }{
	"crawl":           {0.021, 0.41},
	"segment":         {0.014, 0.47},
	"works":           {0.010, 0},
	"count":           {0.012, 0.003},
	"position_tokens": {0.019, 0.43},
	"feature_stats":   {0.32, 0},
	"rank":            {0.024, 0.64},
	"score":           {0, 0.20},
}

const (
	stageSeconds = 0.07 // of a CPU, for a stage that has next to nothing to do
	shardMB      = 0.005
	wordsPerMB   = 177_000
)

// estimate adds up what the named stages take.
func estimate(l load, stages []string) Estimate {
	var cpu, disk, scoring float64
	text := l.sources + l.derived
	for _, stage := range stages {
		rate, known := rates[stage]
		if !known {
			rate.cpu, rate.disk = 0.01, 0.02
		}
		cpu += stageSeconds
		disk += shardMB * float64(l.shards)
		switch stage {
		case "score":
			scoring = l.sources * wordsPerMB / 200 * l.passageMS / 1000
			cpu += scoring
			disk += rate.disk * l.sources
		case "match": // linear in what quotes, and nearly independent of what is quoted
			cpu += l.derived * 0.1 * math.Pow(max(1, l.sources/10), 0.17)
			disk += rate.disk * l.derived
		case "align": // the lists: by the text, and a little by their length
			if l.quotes > 0 {
				cpu += 0.05*l.sources + l.sources*l.quotes*1.6e-6
			}
			disk += 1e-4 * l.quotes
		case "quotes":
			cpu += l.quotes * 2.7e-5
			disk += l.quotes * 5e-5
		case "crawl":
			cpu += rate.cpu * text
			disk += rate.disk * text
		default:
			cpu += rate.cpu * l.sources
			disk += rate.disk * l.sources
		}
	}
	return Estimate{
		CPU: seconds(cpu), Scoring: seconds(scoring), Disk: disk,
		Memory: 280 + 15*l.largest*float64(l.workers) + l.quotes*0.006 + min(0.5*text, 300),
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// EstimateOf says in one line what the named stages of a config take, and by what it
// knows that.
func EstimateOf(ctx context.Context, c *config.Config, stages []string) (string, error) {
	l, err := loadOf(ctx, c)
	if err != nil {
		return "", err
	}
	if len(l.unknown) > 0 {
		return fmt.Sprintf("how long these take is unknown: how much %s holds shows only when it is fetched (docs/scale.md)", strings.Join(l.unknown, ", ")), nil
	}
	e := estimate(l, stages)
	about := ""
	if l.guessed {
		about = "; some of it is guessed, before it is fetched or chosen"
	}
	scoring := ""
	if e.Scoring > 0 {
		scoring = fmt.Sprintf(" (%s to score)", roughly(e.Scoring))
	}
	return fmt.Sprintf("made whole, these take about %s of one processor%s, %.0f MB of memory, %.0f MB of disk, for %.1f MB of text and about %.0f quotations%s (docs/scale.md)",
		roughly(e.CPU), scoring, e.Memory, math.Ceil(e.Disk), l.sources+l.derived, l.quotes, about), nil
}

// roughly rounds to what an estimate can know.
func roughly(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return fmt.Sprintf("%.0f s", math.Ceil(d.Seconds()))
	case d < 90*time.Minute:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

// loadOf looks at the files that a config names.
func loadOf(ctx context.Context, c *config.Config) (load, error) {
	shards, err := engine.ShardsOf(ctx, c)
	if err != nil {
		return load{}, err
	}
	l := load{shards: shards, workers: c.Runner.Parallelism, passageMS: ranking.PassageMS(ctx, c)}
	if l.workers == 0 {
		l.workers = runtime.GOMAXPROCS(0)
	}
	for _, s := range c.Sources {
		size, err := ingest.SizesOf(ctx, s)
		if err != nil {
			return l, err
		}
		if size.Unknown {
			l.unknown = append(l.unknown, s.Name)
		}
		if s.Role == "derived" {
			l.derived += mb(size.Text)
		} else {
			l.sources += mb(size.Text)
		}
		if s.Role == "both" {
			l.derived += mb(size.Text)
		}
		l.largest, l.guessed = max(l.largest, mb(size.Largest)), l.guessed || size.Guessed
	}
	for _, q := range c.Quotes {
		n, counted := entriesOf(ctx, q)
		l.quotes, l.guessed = l.quotes+n, l.guessed || !counted
	}
	return l, ctx.Err()
}

// entriesOf counts the entries of a list. A list that is not on this machine, or is so
// long that counting takes seconds, is guessed.
func entriesOf(ctx context.Context, q config.QuoteList) (n float64, counted bool) {
	const entry, long = 150, 20 << 20 // bytes of an entry, and of a long list
	info, err := os.Stat(q.Path)
	if err != nil {
		return 3000, false // in a bucket, or to be fetched
	}
	size, most := float64(info.Size()), int64(long)
	switch filepath.Ext(q.Path) {
	case ".gz", ".zst", ".zip", ".parquet":
		size, most = 2.7*size, long/10
	}
	if info.Size() < most {
		if n, err := quotes.CountList(ctx, q, q.Path); err == nil {
			return float64(n), true
		}
	}
	return math.Ceil(size / entry), false
}

func mb(bytes int64) float64 { return float64(bytes) / 1e6 }
