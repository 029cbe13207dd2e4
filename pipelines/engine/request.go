package engine

import (
	"context"
	"log/slog"
	"time"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/table"
)

// Request says what to run.
type Request struct {
	Config *config.Config
	Stages []string // by name; none is all
	Alone  bool     // the stages are all that is asked for, as where no config is
	Force  bool     // rebuild everything, also with other settings than before
	Check  bool     // hash what is there and rebuild what is damaged

	Resettle   bool // rebuild what other settings than before touch
	Offline    bool // fetch nothing, and fail where something is missing
	AcceptLoss bool // go on though the guard says that too much is gone

	Log *slog.Logger // of the build, and of Beam; nil silences it

	// Planning is called when a stage begins: it looks at its inputs, which can take
	// long, before it knows what to make.
	Planning func(stage string)

	// Begin is called for each stage before it runs; the function that it returns
	// is called with the progress, and Done with the result.
	Begin func(StageReport) (step func(Progress))
	Done  func(StageReport)

	WouldRun func(stage string) // of a plan: is called for each stage that a build would run; nil: nothing is

	Fetching func(FetchReport) // is called with the progress of fetching; nil: nothing is

	// Around stands around each task of this process, and calls work, which makes the
	// shard; nil: nothing does. A test looks into a build with it.
	Around func(ctx context.Context, t Task, work MakeFunc) (table.TaskRecord, error)

	// ExitStatus is the program's exit status for how the build ended, for [RunFile];
	// nil leaves it out.
	ExitStatus func(error) int

	// Recorded is called when the status of the build or of a stage changes in [RunFile],
	// for who reports it elsewhere; nil: nothing is. It must not take long.
	Recorded func(Recorded)

	night  *table.Night   // in which the build works; Config.Out is its folder, once the build has begun
	runner *runner.Runner // the same
	record *recording     // of the build; nil records nothing
	dry    bool           // write nothing

	forgotten  Forgotten     // documents that are left out
	forgetting *ForgetReport // of a command that forgets some now; nil: it is a build
}

// RunJob runs a job of a stage before its tasks.
func (r Request) RunJob(ctx context.Context, j runner.Job) (map[string]int64, error) {
	return r.runner.Run(ctx, j)
}

// StageReport is what there is to say about a stage.
type StageReport struct {
	Stage, Table string
	Tasks, Stale int   // shards, and those that have to be made
	Fresh        bool  // nothing to do
	Rows         int64 // of the committed table
	Rejected     int64
	Unit         string // what In counts
	In           int64
	Counts       map[string]int64 // what else the committed table counts, such as truncated
	Counters     map[string]int64 // Beam's committed counters of this run
	Time         time.Duration
	Notes        []string // what the user should know of the stage's input
	Unneeded     string   // why the config has no work for the stage; nothing was made
	Removed      string   // the table is gone: the config does not ask for it, and this one of its inputs has changed
}

// Progress is how far a stage is.
type Progress struct {
	Done, Of int   // shards
	Read     Meter // in this process and stage; zero where tasks run in others, and for stages that count shards only
	Expected int64 // Read.Units and Read.Kept when all is done
}

// Meter counts what models have read, and units that they need not read, since
// what they gave before was kept.
type Meter struct{ Units, Tokens, Kept int64 }
