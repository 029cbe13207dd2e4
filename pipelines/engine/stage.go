package engine

import (
	"context"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/table"
)

// Stage makes one table from other tables and from external inputs. Its tasks, one
// for each shard of the table, may run in any order, several at once, and twice.
//
// A stage that does more implements one of the interfaces below.
type Stage interface {
	Identity() Identity
	// Settings are what of the config decides the stage's rows.
	Settings(c *config.Config) any
	// Plan says what the tasks read. The tables that it asks for are committed.
	Plan(ctx context.Context, p *Planner) (Deps, error)
	// Make makes one shard.
	Make(ctx context.Context, t Task) (table.TaskRecord, error)
}

// Identity is what a stage is called, and what it makes.
type Identity struct {
	Name     string            // in commands, messages and fingerprints
	Formerly string            // its name in version 0.1.0, where that was another
	Table    string            // that it writes
	Revision int               // raised when the same inputs would give other rows
	Group    string            // command that runs it among others; empty: its own name
	Short    string            // what it does, for help
	Unit     string            // what it counts: in = taken + left out + rejected
	Cache    []string          // kinds of cache files that are made for it; --force rebuilds them; stages may share a kind
	Guarded  bool              // a build is refused where too much of its external inputs is gone
	Rows     bool              // and where too many rows of its table are
	OneShard bool              // its table has one shard, whatever the config says
	Because  map[string]string // by table that every task reads whole: what of it decides the rows, in words
	PerName  bool              // its settings are a map by name; a name more or less is another input and no other setting
	Keys     map[string]string // the config's keys of its settings, where they are not NAME.setting; "" has the prefix of all others
}

// Enabler is a stage that not all configs ask for.
type Enabler interface {
	Enabled(c *config.Config) bool
}

// Dispensable is an [Enabler] that runs only where there is work for it, and without
// which the others are whole. Unneeded says why a config has none.
type Dispensable interface {
	Unneeded() string
}

// PreJobber runs jobs of its own before it is planned, and returns notes for the user.
type PreJobber interface {
	PreJobs(ctx context.Context, r Request) (notes []string, err error)
}

// InputEnsurer makes what must be there before the stage is planned.
type InputEnsurer interface {
	EnsureInputs(ctx context.Context, r Request) error
}

// ExternalReader reads what is no table: files, a model.
type ExternalReader interface {
	External(ctx context.Context, p *Planner) (External, error)
}

// Setupper makes what all tasks read before they run. The task is one of them.
type Setupper interface {
	Setup(ctx context.Context, r Request, t Task) error
}

// Metered counts what the build's tasks have worked through in this process. Without
// it only shards are counted.
type Metered interface {
	Meter(ctx context.Context) Meter
}

// Estimator says in words what so many rows of the stage's first table will cost.
// -1 stands for a number that is not known. Empty: nothing to say.
type Estimator interface {
	Cost(ctx context.Context, c *config.Config, rows int64) string
}

// Pruner removes from the cache what the stage's tasks, of which t is one, no longer need.
type Pruner interface {
	Prune(ctx context.Context, c *config.Config, t Task) error
}

// Checker refuses a whole table before it is committed.
type Checker interface {
	Check(ctx context.Context, out string, c table.Commit) (Checks, error)
}

// Comparer compares a table that was just made with the version before it, in a few
// numbers by name: top_100_new 3.
type Comparer interface {
	Compare(ctx context.Context, out string) (map[string]int64, error)
}

// Noter says what the user should know of a committed table of a run.
type Noter interface {
	Notes(ctx context.Context, out string, c table.Commit) ([]string, error)
}

// Checks are how many things a table was checked for, by what was checked. The
// commit record keeps them.
type Checks map[string]int64
