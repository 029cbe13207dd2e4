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
	"unicode/utf8"

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
	width    int          // of the terminal; 0: unknown, or none
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
	} else if width, _, err := term.GetSize(int(f.Fd())); err == nil {
		p.width = width
	}
	return p
}

// least is the narrowest terminal for which lines are broken.
const least = 30

// narrow says that a bar with all that it can say is wider than the terminal.
func (p *progress) narrow() bool { return p.width > 0 && p.width < 100 }

// say prints a line, on a terminal broken at words. What goes on stands under the
// stage's table.
func (p *progress) say(line string) {
	if p.width < least || utf8.RuneCountInString(line) <= p.width {
		fmt.Fprintln(p.text, line)
		return
	}
	const indent = 11 // "crawl    ▶ "
	head, rest := cutAt(line, p.width)
	fmt.Fprintln(p.text, head)
	fmt.Fprintln(p.text, wrapped(rest, p.width-indent, strings.Repeat(" ", indent)))
}

// cutAt parts a line after as many words as a width has room for, with the spaces
// between them as they are.
func cutAt(line string, width int) (head, rest string) {
	at, column := 0, 0
	for i, r := range line {
		if r == ' ' && column <= width {
			at = i
		}
		column++
	}
	return strings.TrimRight(line[:at], " "), line[at:]
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
	if p.narrow() {
		options = append(options, progressbar.OptionSetWidth(10))
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
		if seconds := time.Since(start).Seconds(); seconds > 0 && !p.narrow() {
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
		p.say(p.columns.Stage(r.Stage) + " " + oneLine(note))
	}
	if r.Unneeded != "" {
		p.say(fmt.Sprintf("%-8s ▶ %-12s not needed: %s", r.Stage, r.Table, r.Unneeded))
		return
	}
	if r.Removed != "" {
		p.say(fmt.Sprintf("%s ▶ %s removed: the config does not ask for it, and it was made from another version of %s", p.columns.Stage(r.Stage), p.columns.Table(r.Table), r.Removed))
		return
	}
	line := fmt.Sprintf("%s ▶ %s %9d %s", p.columns.Stage(r.Stage), p.columns.Table(r.Table), r.Rows, commonplace.NounOf(r.Rows, "row"))
	if r.Fresh {
		p.say(line + ", fresh")
		return
	}
	if r.Stale < r.Tasks {
		line += fmt.Sprintf(", %d of %s made", r.Stale, commonplace.CountOf(r.Tasks, "shard"))
		if n, ok := r.Counters[r.Table]; ok {
			line += fmt.Sprintf(" (%s)", commonplace.CountOf(n, "row"))
		}
	}
	line += fmt.Sprintf(", %s from %d %s", took(r.Time), r.In, unitOf(int64(r.In), r.Unit))
	if n := r.Counts[engine.LeftOut]; n > 0 {
		line += fmt.Sprintf(", %d left out", n)
	}
	if r.Rejected > 0 {
		line += fmt.Sprintf(", %d rejected", r.Rejected)
	}
	p.say(line + also(r.Counts))
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
			parts = append(parts, fmt.Sprintf("%d %s (longer than the model reads)", n, name))
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

// unitOf is a stage's unit, whose name is in the plural, for n of them.
func unitOf(n int64, units string) string {
	if n != 1 {
		return units
	}
	if stem, y := strings.CutSuffix(units, "ies"); y {
		return stem + "y"
	}
	return strings.TrimSuffix(units, "s")
}
