package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/engine"
)

// progress reports stages on standard error: a bar on a terminal while a stage
// works, and one line a stage when it is done. Without a terminal there is a line now
// and then in place of the bar, and each line begins with the time.
type progress struct {
	w        io.Writer // for what draws
	text     io.Writer // for words
	terminal bool
	log      *slog.Logger // --log json: takes all lines in place of text; else nil
	columns  engine.Columns
	bar      *progressbar.ProgressBar
	line     bool // a line that is overwritten is on the terminal
	now      work // that is done, for a log
}

func newProgress(f *os.File, log *slog.Logger) *progress {
	p := &progress{w: f, text: commonplace.NewPrintableWriter(f), terminal: log == nil && term.IsTerminal(int(f.Fd())), log: log}
	p.now.began = time.Now()
	if !p.terminal {
		p.text = stamped{p.text, time.Now}
	}
	return p
}

// begin shows shards, or where models read passages these, with passages and
// tokens a second. The bar says how much time is left.
func (p *progress) begin(r engine.StageReport) func(engine.Progress) {
	if !p.terminal {
		return p.follow(r)
	}
	p.end()
	name, start := p.columns.Stage(r.Stage), time.Now()
	options := []progressbar.Option{
		progressbar.OptionSetWriter(p.w),
		progressbar.OptionSetDescription(name),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionClearOnFinish(),
	}
	bar := progressbar.NewOptions(r.Tasks, append(options, progressbar.OptionSetItsString("shards"))...)
	p.bar = bar
	return func(now engine.Progress) {
		done := now.Read.Units + now.Read.Kept
		if done == 0 {
			bar.Set(now.Done)
			return
		}
		if bar.GetMax64() != now.Expected {
			bar.ChangeMax64(now.Expected)
		}
		if seconds := time.Since(start).Seconds(); seconds > 0 {
			bar.Describe(name + rates(r.Unit, now.Read, seconds))
		}
		bar.Set64(min(done, now.Expected))
	}
}

// rates are units a second, and tokens where there are any.
func rates(unit string, read engine.Meter, seconds float64) string {
	line := fmt.Sprintf(" %.0f %s/s", float64(read.Units)/seconds, unit)
	if read.Tokens > 0 {
		line += fmt.Sprintf(", %.0f tokens/s", float64(read.Tokens)/seconds)
	}
	return line
}

func (p *progress) done(r engine.StageReport) {
	if p.log != nil {
		logDone(p.log, r)
		return
	}
	p.end()
	for _, note := range r.Notes {
		fmt.Fprintf(p.text, "%s %s\n", p.columns.Stage(r.Stage), oneLine(note))
	}
	if r.Unneeded != "" {
		fmt.Fprintf(p.text, "%-8s ▶ %-12s not needed: %s\n", r.Stage, r.Table, r.Unneeded)
		return
	}
	if r.Removed != "" {
		fmt.Fprintf(p.text, "%s ▶ %s removed: the config does not ask for it, and it was made from another version of %s\n", p.columns.Stage(r.Stage), p.columns.Table(r.Table), r.Removed)
		return
	}
	line := fmt.Sprintf("%s ▶ %s %9d rows", p.columns.Stage(r.Stage), p.columns.Table(r.Table), r.Rows)
	if r.Fresh {
		fmt.Fprintln(p.text, line+", fresh")
		return
	}
	if r.Stale < r.Tasks {
		line += fmt.Sprintf(", %d of %d shards made", r.Stale, r.Tasks)
		if n, ok := r.Counters[r.Table]; ok {
			line += fmt.Sprintf(" (%d rows)", n)
		}
	}
	line += fmt.Sprintf(", %s from %d %s", took(r.Time), r.In, r.Unit)
	if r.Rejected > 0 {
		line += fmt.Sprintf(", %d rejected", r.Rejected)
	}
	fmt.Fprintln(p.text, line+also(r.Counts))
}

// end takes an unfinished bar off the terminal.
func (p *progress) end() {
	if p.bar != nil {
		p.bar.Clear()
		p.bar = nil
	}
	if p.line {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.line = false
	}
}

// during tells every so often how far the build is, until end is called.
func (p *progress) during(ctx context.Context, every time.Duration) (end func()) {
	telling, quiet := context.WithCancel(ctx)
	go p.tell(telling, every)
	return func() {
		quiet()
		p.end()
	}
}

// also lists what the line does not say already.
func also(counts map[string]int64) string {
	var parts []string
	for name, n := range counts {
		if strings.HasPrefix(name, "truncated") && n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, name))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	slices.Sort(parts)
	return ", " + strings.Join(parts, ", ")
}

func took(d time.Duration) string {
	return d.Round(10 * time.Millisecond).String()
}
