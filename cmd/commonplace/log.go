package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/engine"
)

// A build without a terminal is read afterwards, by people and programs: every line
// has its time, and one comes now and then while a stage works.

// Formats of the log, for --log.
const (
	logText = "text"
	logJSON = "json"
)

// jsonLog writes one JSON object a line, with times in UTC.
func jsonLog(w io.Writer) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey && len(groups) == 0 {
			a.Value = slog.TimeValue(a.Value.Time().UTC())
		}
		return a
	}}))
}

// stamped puts the time before each line. A line is one Write.
type stamped struct {
	to  io.Writer
	now func() time.Time
}

func (s stamped) Write(line []byte) (int, error) {
	if _, err := fmt.Fprintf(s.to, "%s %s", s.now().UTC().Format(time.RFC3339), line); err != nil {
		return 0, err
	}
	return len(line), nil
}

// work is what a build does now.
type work struct {
	mu      sync.Mutex
	stage   string
	began   time.Time
	report  *engine.StageReport // once its shards are being made
	at      engine.Progress
	fetched *engine.FetchReport // of what is being fetched
}

// planning notes that a stage begins.
func (p *progress) planning(stage string) {
	w := &p.now
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stage, w.began, w.report, w.fetched = stage, time.Now(), nil, nil
	if p.log != nil {
		p.log.Info("stage begins", "stage", stage)
	}
}

// follow notes how far the stage's shards are.
func (p *progress) follow(r engine.StageReport) func(engine.Progress) {
	w := &p.now
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report, w.at, w.fetched = &r, engine.Progress{Done: r.Tasks - r.Stale, Of: r.Tasks}, nil
	return func(now engine.Progress) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.at = now
	}
}

func (w *work) fetching(r engine.FetchReport) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fetched = &r
}

// tell logs what is done now, again and again until the context ends.
func (p *progress) tell(ctx context.Context, every time.Duration) {
	if p.terminal || every <= 0 {
		return
	}
	engine.Repeat(ctx, every, func() { p.tellOnce(time.Now()) })
}

func (p *progress) tellOnce(now time.Time) {
	w := &p.now
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case p.log != nil:
		p.log.Info("progress", w.attributes(now)...)
	default:
		fmt.Fprintln(p.text, oneLine(w.words(p.columns, now)))
	}
}

// failed logs that the stage did not end well; the error follows it.
func (p *progress) failed() {
	w := &p.now
	w.mu.Lock()
	defer w.mu.Unlock()
	if !p.terminal && p.log == nil && w.stage != "" {
		fmt.Fprintf(p.text, "%s   did not finish, after %s\n", p.columns.Stage(w.stage), took(time.Since(w.began)))
	}
}

// words are a line of a log.
func (w *work) words(columns engine.Columns, now time.Time) string {
	took := now.Sub(w.began)
	if w.fetched != nil {
		return fetchLine(*w.fetched, now) + ", " + took.Round(time.Second).String()
	}
	name := columns.Stage(cmp.Or(w.stage, "build"))
	if w.report == nil {
		return fmt.Sprintf("%s   looks at its inputs, %s", name, took.Round(time.Second))
	}
	line := fmt.Sprintf("%s   %d of %s", name, w.at.Done, commonplace.CountOf(w.at.Of, "shard"))
	if w.at.Expected > 0 {
		line += fmt.Sprintf(", %d of %d %s,", w.at.Read.Units+w.at.Read.Kept, w.at.Expected, w.report.Unit) + rates(w.report.Unit, w.at.Read, max(1, took.Seconds()))
	}
	return line + ", " + took.Round(time.Second).String()
}

// attributes are the same for programs.
func (w *work) attributes(now time.Time) []any {
	all := []any{"stage", w.stage, "seconds", now.Sub(w.began).Seconds()}
	if w.fetched != nil {
		all = append(all, "wanted", w.fetched.Wanted, "settled", w.fetched.Settled, "requests", w.fetched.Requests, "bytes", w.fetched.Bytes)
	}
	if w.report != nil {
		all = append(all, "shards_done", w.at.Done, "shards", w.at.Of)
	}
	if w.at.Expected > 0 {
		all = append(all, "done", w.at.Read.Units+w.at.Read.Kept, "expected", w.at.Expected, "unit", w.report.Unit)
	}
	return all
}

// logDone logs what became of a stage.
func logDone(log *slog.Logger, r engine.StageReport) {
	for _, note := range r.Notes {
		log.Warn(note, "stage", r.Stage)
	}
	switch {
	case r.Unneeded != "":
		log.Info("stage not needed", "stage", r.Stage, "table", r.Table, "because", r.Unneeded)
	case r.Removed != "":
		log.Info("table removed", "stage", r.Stage, "table", r.Table, "outdated_by", r.Removed)
	default:
		log.Info("stage done", "stage", r.Stage, "table", r.Table, "rows", r.Rows, "in", r.In, "unit", r.Unit, "rejected", r.Rejected,
			"shards", r.Tasks, "made", r.Stale, "fresh", r.Fresh, "seconds", r.Time.Seconds())
	}
}
