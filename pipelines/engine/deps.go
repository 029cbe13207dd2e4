package engine

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/commonplace/commonplace/pipelines/config"
)

// Deps are what the tasks of a stage read of tables.
type Deps struct {
	Inputs Inputs // of each task; nil: none

	// Some tasks read a table whole and need of it only what concerns their own
	// shard. Such tables stand in no task's fingerprint, and what concerns it does.
	Whole    []string
	Concerns func(shard int) string // hash of what concerns the shard; nil: all of every table
}

// Inputs are the input shards of one task.
type Inputs func(ctx context.Context, p *Planner, shard, of int) ([]Input, error)

// External is what a stage reads beside tables.
type External struct {
	Contents func(shard, of int) string          // fingerprint of what one task reads
	Parts    Parts                               // the same, by name, where all tasks read it
	Extra    func(shard, of int) json.RawMessage // where the task finds it
	Notes    []string                            // what the user should know of it
	Rules    string                              // hash of a file that decides what counts, such as phrases to ignore: fewer rows by other rules are no loss

	Count     func(context.Context) (map[string]int64, error) // how much there is of each source or list; nil: it is not guarded
	Version   string                                          // hash of what is counted, where counting is dear
	CountName string                                          // what is counted, where it is not the stage's unit

	Ready   func() error // puts what extra names in its place, before a task runs; nil: it is there
	Release func()       // gives back what is held until then; nil: nothing is

	PartsOf func(was map[int]Parts) (map[int]Parts, error) // the same of some tasks, in the kinds that their records have; Make records them

	Models  bool // the tasks run models: the runner may give them a GPU
	Pending bool // what is read is made before the stage is planned: look again then
}

// SameShard reads the shard of the same number, of each of the tables.
func SameShard(tables ...string) Inputs {
	return func(ctx context.Context, p *Planner, shard, of int) ([]Input, error) {
		var inputs []Input
		for _, name := range tables {
			shards, err := p.ShardsOf(ctx, name)
			if err != nil {
				return nil, err
			}
			if len(shards) != of {
				return nil, fmt.Errorf("%w: table %s has %d shards where %d are asked for; build into another folder, or with --force from the first stage", config.ErrInvalid, name, len(shards), of)
			}
			inputs = append(inputs, Input{Table: name, File: shards[shard].File, SHA256: shards[shard].SHA256})
		}
		return inputs, nil
	}
}

// Whole reads all shards, of each of the tables. It is one input a table, so that
// what the tasks of a stage carry grows with their number and not with its square.
func Whole(tables ...string) Inputs {
	return func(ctx context.Context, p *Planner, shard, of int) ([]Input, error) {
		var inputs []Input
		for _, name := range tables {
			shards, err := p.ShardsOf(ctx, name)
			if err != nil {
				return nil, err
			}
			inputs = append(inputs, Input{Table: name, Of: len(shards), SHA256: p.prints[name]})
		}
		return inputs, nil
	}
}

// RequireSameShards reads nothing, and refuses tables of another number of shards.
func RequireSameShards(tables ...string) Inputs {
	return func(ctx context.Context, p *Planner, shard, of int) ([]Input, error) {
		_, err := SameShard(tables...)(ctx, p, shard, of)
		return nil, err
	}
}

// And reads what all of its parts read.
func And(parts ...Inputs) Inputs {
	return func(ctx context.Context, p *Planner, shard, of int) ([]Input, error) {
		var inputs []Input
		for _, part := range parts {
			more, err := part(ctx, p, shard, of)
			if err != nil {
				return nil, err
			}
			inputs = append(inputs, more...)
		}
		return inputs, nil
	}
}
