package pipelines

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/commonplace/commonplace/pipelines/config"
)

// Deps are what the tasks of a stage read of tables.
type Deps struct {
	Inputs inputsOf // of each task; nil: none

	// Some tasks read a table whole and need of it only what concerns their own
	// shard. Such tables stand in no task's fingerprint, and what concerns it does.
	Whole    []string
	Concerns func(shard int) string // hash of what concerns the shard; nil: all of every table
}

// inputsOf are the input shards of one task.
type inputsOf func(p *planner, shard, of int) ([]Input, error)

// external is what a stage reads beside tables.
type external struct {
	contents func(shard, of int) string          // fingerprint of what one task reads
	extra    func(shard, of int) json.RawMessage // where the task finds it
	notes    []string                            // what the user should know of it

	count func(context.Context) (map[string]int64, error) // how much there is of each source or list; nil: it is not guarded
	of    string                                          // hash of what is counted, where counting is dear
	named string                                          // what is counted, where it is not the stage's unit

	ready   func() error // puts what extra names in its place, before a task runs; nil: it is there
	release func()       // gives back what is held until then; nil: nothing is

	pending bool // what is read is made before the stage is planned: look again then
}

// sameShard reads the shard of the same number, of each of the tables.
func sameShard(tables ...string) inputsOf {
	return func(p *planner, shard, of int) ([]Input, error) {
		var inputs []Input
		for _, name := range tables {
			shards, err := p.shardsOf(name)
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

// whole reads all shards, of each of the tables. It is one input a table, so that
// what the tasks of a stage carry grows with their number and not with its square.
func whole(tables ...string) inputsOf {
	return func(p *planner, shard, of int) ([]Input, error) {
		var inputs []Input
		for _, name := range tables {
			shards, err := p.shardsOf(name)
			if err != nil {
				return nil, err
			}
			inputs = append(inputs, Input{Table: name, Of: len(shards), SHA256: p.prints[name]})
		}
		return inputs, nil
	}
}

// cutAlike reads nothing, and refuses tables of another number of shards.
func cutAlike(tables ...string) inputsOf {
	return func(p *planner, shard, of int) ([]Input, error) {
		_, err := sameShard(tables...)(p, shard, of)
		return nil, err
	}
}

func and(parts ...inputsOf) inputsOf {
	return func(p *planner, shard, of int) ([]Input, error) {
		var inputs []Input
		for _, part := range parts {
			more, err := part(p, shard, of)
			if err != nil {
				return nil, err
			}
			inputs = append(inputs, more...)
		}
		return inputs, nil
	}
}
