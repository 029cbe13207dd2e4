package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// RunFile is the file in a run's folder that says what its last build did. A build
// writes it when it begins and when it ends, also when it fails; one that is killed
// leaves the first of the two. No table, fingerprint or record depends on it.
const RunFile = "run.json"

// recordPatience is how long the end of a build waits for a store to take its record:
// one that was interrupted because the store hangs must end.
const recordPatience = 10 * time.Second

// runFormat is the version of the file's shape.
const runFormat = 1

// What became of a build, and of one of its stages.
const (
	RunRunning = "running" // it works, or was killed
	RunDone    = "done"
	RunFailed  = "failed"
	RunStopped = "stopped" // the user or the scheduler ended it
	RunFresh   = "fresh"   // of a stage: its table was up to date
	RunRemoved = "removed" // of a stage: its table is gone, the config does not ask for it
)

// RunRecord is what [RunFile] says.
type RunRecord struct {
	Format      int           `json:"format"`
	Version     string        `json:"version"`          // of the program
	Commit      string        `json:"commit,omitempty"` // that it was built from
	Runner      string        `json:"runner"`
	Status      string        `json:"status"`
	ExitStatus  *int          `json:"exit_status,omitempty"` // of the program
	Error       string        `json:"error,omitempty"`
	Started     time.Time     `json:"started"`
	Ended       *time.Time    `json:"ended,omitempty"`
	LastSuccess *time.Time    `json:"last_success,omitempty"` // when a build of all stages was last done
	Seconds     float64       `json:"seconds"`
	CPUSeconds  float64       `json:"cpu_seconds"`    // of this process: workers elsewhere have their own
	PeakBytes   int64         `json:"peak_bytes"`     // most memory of this process
	Only        []string      `json:"only,omitempty"` // stages that were asked for; none: all
	Tables      []string      `json:"tables"`         // that the config asks for
	Inputs      []string      `json:"inputs"`         // paths of the config that could last be read
	Stages      []StageRecord `json:"stages"`
}

// StageRecord is what [RunFile] says of a stage.
type StageRecord struct {
	Stage      string           `json:"stage"`
	Table      string           `json:"table"`
	Status     string           `json:"status"`
	Unit       string           `json:"unit"`    // what rows_in counts
	RowsIn     int64            `json:"rows_in"` // of the whole table, also where few shards were made
	RowsOut    int64            `json:"rows_out"`
	Rejected   int64            `json:"rejected"`
	Lost       map[string]int64 `json:"lost,omitempty"` // what the build before had and this one has not, by source or list
	Shards     int              `json:"shards"`
	Made       int              `json:"made"`  // shards
	Bytes      int64            `json:"bytes"` // of the table
	Seconds    float64          `json:"seconds"`
	CPUSeconds float64          `json:"cpu_seconds"`
	Compared   map[string]int64 `json:"compared,omitempty"` // with the version before
	Notes      []string         `json:"notes,omitempty"`
}

// ReadRun reads what the last build of a folder did. There is nothing where no build
// of this or a later release has begun.
func ReadRun(ctx context.Context, out string) (*RunRecord, error) {
	path := storage.Join(table.Home(out), RunFile)
	b, err := storage.ReadFile(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := &RunRecord{}
	if err := json.Unmarshal(b, r); err != nil {
		return nil, fmt.Errorf("%s: %w: %v; the next build writes it again", path, storage.ErrDamaged, err)
	}
	if r.Format > runFormat {
		return nil, fmt.Errorf("%s: %w: it has format %d, and this program reads format %d; the next build writes it again", path, storage.ErrFormat, r.Format, runFormat)
	}
	return r, nil
}

// recording is the record of a build that is at work. Without one, as in a dry run,
// nothing is recorded.
type recording struct {
	r     Request
	now   RunRecord
	cpu   time.Duration // of the process, when the build began
	open  bool          // the last stage is at work
	began time.Time     // of the stage
	spent time.Duration // of the process, when the stage began
	lost  map[string]map[string]int64

	follows following
}

// record begins a build's record. A record that cannot be read is replaced.
func record(ctx context.Context, r Request) (*recording, error) {
	cpu, _ := usage()
	b := &recording{r: r, cpu: cpu, lost: map[string]map[string]int64{}, now: RunRecord{
		Format: runFormat, Version: commonplace.Version, Commit: commonplace.Commit(), Runner: r.Config.Runner.Name,
		Status: RunRunning, Started: time.Now().UTC().Truncate(time.Millisecond),
		Only: r.Stages, Tables: asked(r), Inputs: []string{}, Stages: []StageRecord{},
	}}
	if was, err := ReadRun(ctx, r.Config.Out); err == nil && was != nil {
		b.now.LastSuccess = was.LastSuccess
		b.now.Inputs = was.Inputs
	}
	if err := b.write(ctx); err != nil {
		return b, err
	}
	b.tell(Recorded{At: b.now.Started})
	return b, nil
}

func (b *recording) write(ctx context.Context) error {
	text, err := json.MarshalIndent(b.now, "", "  ")
	if err != nil {
		return err
	}
	return storage.WriteFile(ctx, storage.Join(b.r.Config.Out, RunFile), append(text, '\n'))
}

// losses notes what is gone of a table's inputs.
func (b *recording) losses(of string, before, now map[string]int64) {
	if b == nil {
		return
	}
	for name, had := range before {
		has, still := now[name]
		if still && has < had {
			if b.lost[of] == nil {
				b.lost[of] = map[string]int64{}
			}
			b.lost[of][name] = had - has
		}
	}
}

// inputsRead notes that everything that the config names could be read.
func (b *recording) inputsRead(ctx context.Context) {
	b.now.Inputs = slices.DeleteFunc(b.r.Config.Inputs(), func(path string) bool { return !isThere(ctx, path) })
}

// begin notes that a stage begins.
func (b *recording) begin(s *registered) {
	if b == nil {
		return
	}
	b.began = time.Now()
	b.spent, _ = usage()
	b.now.Stages = append(b.now.Stages, StageRecord{Stage: s.Name, Table: s.Table, Unit: s.Unit, Status: RunRunning})
	b.open, b.follows = true, following{}
}

// done notes that the stage is done.
func (b *recording) done(report StageReport, c table.Commit, compared map[string]int64) {
	if b == nil {
		return
	}
	s := b.last()
	s.RowsIn, s.RowsOut, s.Rejected, s.Shards, s.Made = report.In, report.Rows, report.Rejected, report.Tasks, report.Stale
	s.Compared, s.Notes = compared, report.Notes
	for _, shard := range c.Shards {
		s.Bytes += shard.Bytes
	}
	status := RunDone
	if report.Fresh {
		status = RunFresh
	}
	b.close(status, c, nil)
}

// close ends the stage that is at work.
func (b *recording) close(status string, c table.Commit, err error) {
	if !b.open {
		return
	}
	cpu, _ := usage()
	s := b.last()
	s.Status = status
	s.Seconds, s.CPUSeconds = seconds(time.Since(b.began)), seconds(cpu-b.spent)
	b.open = false
	b.tellEnd(c, err)
}

func (b *recording) last() *StageRecord { return &b.now.Stages[len(b.now.Stages)-1] }

// removed notes that a table was removed.
func (b *recording) removed(s *registered) {
	if b != nil {
		b.now.Stages = append(b.now.Stages, StageRecord{Stage: s.Name, Table: s.Table, Unit: s.Unit, Status: RunRemoved})
	}
}

// end writes how the build ended. What went wrong before is the error; that the
// record cannot be written is one where nothing else is.
func (b *recording) end(ctx context.Context, err error) error {
	b.settle(ctx, err)
	writing, stop := context.WithTimeout(context.WithoutCancel(ctx), recordPatience)
	defer stop()
	if failed := b.write(writing); err == nil && failed != nil {
		err, b.now.Status, b.now.Error = failed, RunFailed, failed.Error()
	}
	b.tell(Recorded{At: *b.now.Ended, Err: err})
	return err
}

// abandon ends the record and does not write it: the folder is another's, its record too.
func (b *recording) abandon(ctx context.Context, lost error) {
	b.settle(ctx, lost)
	b.tell(Recorded{At: *b.now.Ended, Err: lost})
}

// settle notes how the build ended.
func (b *recording) settle(ctx context.Context, err error) {
	ended := time.Now().UTC().Truncate(time.Millisecond)
	cpu, peak := usage()
	b.now.Status, b.now.Ended = RunDone, &ended
	b.now.Seconds, b.now.CPUSeconds, b.now.PeakBytes = seconds(ended.Sub(b.now.Started)), seconds(cpu-b.cpu), peak
	switch {
	case err == nil:
		if len(b.r.Stages) == 0 {
			b.now.LastSuccess = &ended
		}
	case ctx.Err() != nil:
		b.now.Status = RunStopped
	default:
		b.now.Status = RunFailed
	}
	if err != nil {
		b.now.Error = err.Error()
		b.close(b.now.Status, table.Commit{}, err)
	}
	b.noteLosses()
	if b.r.ExitStatus != nil {
		status := b.r.ExitStatus(err)
		b.now.ExitStatus = &status
	}
}

// noteLosses puts what is lost to its stages, also to one that did not begin because of it.
func (b *recording) noteLosses() {
	for _, s := range stages {
		lost := b.lost[s.Table]
		at := slices.IndexFunc(b.now.Stages, func(r StageRecord) bool { return r.Table == s.Table })
		switch {
		case len(lost) == 0:
		case at >= 0:
			b.now.Stages[at].Lost = lost
		default:
			b.now.Stages = append(b.now.Stages, StageRecord{Stage: s.Name, Table: s.Table, Unit: s.Unit, Status: RunFailed, Lost: lost})
		}
	}
}

func seconds(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }
