package pipelines

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// stage turns tables, and what lies outside, into one table.
type stage struct {
	name     string
	table    string // that it writes
	revision int    // grows when the same inputs would give other rows
	command  string // that runs it among others; its own name when empty
	short    string // what it does, for help and plans
	unit     string // what it counts: in = taken + rejected

	wanted   func(c *config.Config) bool                              // whether a config asks for it; nil: always
	settings func(c *config.Config) any                               // what of the config decides its rows
	prepare  func(ctx context.Context, c *config.Config) error        // makes what must be there before the stage is planned; nil: nothing
	before   func(ctx context.Context, r Request) ([]string, error)   // jobs of its own before it is planned, and what to tell of them; nil: none
	shards   func(c *config.Config) int                               // of its table; nil: c.Shards
	inputs   func(p *planner, shard, of int) ([]Input, error)         // input shards of one task; nil: none
	outside  func(c *config.Config) (outside, error)                  // what it reads that is no table; nil: nothing
	list     func(context.Context, *planner, *stage) (outside, error) // the same, where it is too long to be held; nil: outside says it
	share    func(context.Context, *planner, *stage) (share, error)   // what of whole tables concerns each task; nil: all of them
	meter    func() Meter                                             // what tasks in this process have worked through since it started; nil: only shards count
	cost     func(c *config.Config, rows int64) string                // what so many rows of its first table will take, for a plan; -1: not known how many; nil: nothing to say
	once     func(ctx context.Context, t Task) error                  // makes what all tasks read, of which t is one, before they run, wherever they do; nil: nothing
	make     func(ctx context.Context, t Task) (table.TaskRecord, error)
	index    []string                                       // kinds of files of the folder index that are made for it; to force it makes them anew
	sweep    func(c *config.Config, t Task) error           // removes what the stage's tasks, of which t is one, no longer need beside tables; nil: nothing
	check    func(out string, c table.Commit) (held, error) // refuses the whole table before it is committed; nil: nothing to check
}

// shardsOf is the number of shards of the stage's table.
func (s *stage) shardsOf(c *config.Config) int {
	if s.shards != nil {
		return s.shards(c)
	}
	return c.Shards
}

// outside is what a stage reads beside tables.
type outside struct {
	contents func(shard, of int) string          // fingerprint of what one task reads
	extra    func(shard, of int) json.RawMessage // where the task finds it
	notes    []string                            // what the user should know of it

	count func(context.Context) (map[string]int64, error) // how much there is of each source or list; nil: it is not guarded
	of    string                                          // hash of what is counted, where counting is dear

	ready   func() error // puts what extra names in its place, before a task runs; nil: it is there
	release func()       // gives back what is held until then; nil: nothing is
	named   string       // what is counted, where it is not the stage's unit
}

// share is what of whole tables concerns each task. The tables then stand in no
// task's fingerprint, and what concerns it does.
type share struct {
	tables   []string
	contents func(shard int) string
}

// stages in the order in which a build runs them.
var stages []*stage

func init() {
	stages = []*stage{
		crawlStage, quotesStage, givenStage, talkStage, segmentStage, matchStage, alignStage, worksStage, groupStage,
		labelStage, chooseStage, rewordStage, queryStage, spanStage, offerStage, agreeStage, windowStage, replyStage,
		countStage, markStage, sequenceStage, pairStage, compareStage, languageStage, scoreStage, rankStage, recommendStage,
	}
}

// StageInfo names a command that runs stages.
type StageInfo struct{ Name, Table, Short string }

// Stages lists the commands in the order of their first stages. The table is
// empty where there are several.
func Stages() []StageInfo {
	var infos []StageInfo
	seen := map[string]bool{}
	for _, s := range stages {
		if info, group := groupCommands[s.command]; group && !seen[s.command] {
			seen[s.command] = true
			infos = append(infos, StageInfo{s.command, "", info})
		} else if !group {
			infos = append(infos, StageInfo{s.name, s.table, s.short})
		}
	}
	return infos
}

// TableInfo names a table that stages write.
type TableInfo struct {
	Table    string
	Optional bool // only some configs ask for it
}

// Tables lists the tables in the order of their stages.
func Tables() []TableInfo {
	plainest := &config.Config{Sources: make([]config.Source, 1)}
	var infos []TableInfo
	for _, s := range stages {
		infos = append(infos, TableInfo{s.table, !s.isWanted(plainest)})
	}
	return infos
}

// groupCommands say what the commands do that run several stages.
var groupCommands = map[string]string{"label": "make the datasets that the config names"}

// isWanted says whether a config asks for a stage.
func (s *stage) isWanted(c *config.Config) bool { return s.wanted == nil || s.wanted(c) }

// documented says that a config has documents.
func documented(c *config.Config) bool { return len(c.Sources) > 0 }

func stageNamed(name string) (*stage, error) {
	for _, s := range stages {
		if s.name == name {
			return s, nil
		}
	}
	return nil, fmt.Errorf("no stage is called %q", name)
}

// sameShard reads the shard of the same number, of each of the tables.
func sameShard(tables ...string) func(*planner, int, int) ([]Input, error) {
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
func whole(tables ...string) func(*planner, int, int) ([]Input, error) {
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
func cutAlike(tables ...string) func(*planner, int, int) ([]Input, error) {
	return func(p *planner, shard, of int) ([]Input, error) {
		_, err := sameShard(tables...)(p, shard, of)
		return nil, err
	}
}

func and(parts ...func(*planner, int, int) ([]Input, error)) func(*planner, int, int) ([]Input, error) {
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

// commit makes the table count as whole: in = out + rejected holds, no more was
// refused than allowed, and files of an earlier cut are gone.
func (f *commitment) commit(records []table.TaskRecord) error {
	s, err := stageNamed(f.Stage)
	if err != nil {
		return err
	}
	var inputs map[string]string
	if err := json.Unmarshal([]byte(f.Inputs), &inputs); err != nil {
		return fmt.Errorf("%s: inputs: %w", s.name, err)
	}
	c, err := table.NewCommit(f.Table, s.name, s.revision, json.RawMessage(f.Settings), inputs, records)
	if err != nil {
		return err
	}
	in, taken := c.In[s.unit], c.Counts[taken]
	if in != taken+c.Rejected {
		return fmt.Errorf("%s: %d %s in, %d taken and %d rejected: %d are lost; this is a fault of the program", s.name, in, s.unit, taken, c.Rejected, in-taken-c.Rejected)
	}
	if float64(c.Rejected) > f.MaxRejectFraction*float64(in) {
		return fmt.Errorf("%s: %w: %d of %d %s, more than max_reject_fraction %v; see `commonplace inspect rejects --out %s`",
			s.name, ErrRejects, c.Rejected, in, s.unit, f.MaxRejectFraction, f.Out)
	}
	for _, dir := range []string{table.Dir(f.Out, f.Table), table.RejectsDir(f.Out, s.name)} {
		if err := removeOthers(dir, len(records)); err != nil {
			return err
		}
	}
	if s.check != nil {
		if c.Checks, err = s.check(f.Out, c); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if err := table.WriteCommit(storage.Default, f.Out, c); err != nil {
		return err
	}
	if c.Version != "" {
		return table.MakeCurrent(f.Out, c.Table, c.Version)
	}
	return nil
}

// removeOthers deletes shards of another number of shards, which an earlier run left.
func removeOthers(dir string, of int) error {
	for _, d := range []string{dir, storage.Join(dir, ".records")} {
		names, err := storage.List(d)
		if err != nil {
			return err
		}
		for _, name := range names {
			k, n, ok := table.ParseShardName(trimRecord(name))
			if ok && (n != of || k >= of) {
				if err := storage.Remove(storage.Join(d, name)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// trimRecord is the shard's name of a shard's or a record's file.
func trimRecord(name string) string {
	if filepath.Ext(name) == ".json" {
		return name[:len(name)-len(".json")] + ".parquet"
	}
	return name
}
