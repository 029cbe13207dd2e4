package engine

import (
	"context"
	"fmt"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/table"
)

// registered is a [Stage] with its identity.
type registered struct {
	Identity
	impl Stage
}

// stages in the order in which a build runs them. They are registered before main
// and never change: workers on other machines look them up by name.
var stages []*registered

// Register adds stages in the order in which a build runs them. Call it from init.
func Register(list ...Stage) {
	for _, s := range list {
		stages = append(stages, &registered{s.Identity(), s})
	}
}

func stageNamed(name string) (*registered, error) {
	for _, s := range stages {
		if s.Name == name {
			return s, nil
		}
	}
	return nil, fmt.Errorf("no stage is called %q", name)
}

func stageOfTable(name string) (*registered, error) {
	for _, s := range stages {
		if s.Table == name {
			return s, nil
		}
	}
	return nil, fmt.Errorf("no stage makes table %q", name)
}

// StageInfo names a command that runs stages.
type StageInfo struct{ Name, Table, Short string }

// Stages lists the commands in the order of their first stages. The table is
// empty where there are several. A stage whose group is another stage runs with that one.
func Stages() []StageInfo {
	var infos []StageInfo
	seen := map[string]bool{}
	for _, s := range stages {
		if short, several := groups[s.Group]; s.Group == "" {
			infos = append(infos, StageInfo{s.Name, s.Table, s.Short})
		} else if several && !seen[s.Group] {
			seen[s.Group] = true
			infos = append(infos, StageInfo{s.Group, "", short})
		}
	}
	return infos
}

// groups say what the commands do that run several stages.
var groups = map[string]string{
	"label":       "make the datasets that the config names",
	"paraphrases": "find sentences that say the same in other words",
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
		infos = append(infos, TableInfo{s.Table, !s.enabled(plainest)})
	}
	return infos
}

// enabled says whether a config asks for the stage.
func (s *registered) enabled(c *config.Config) bool {
	e, ok := s.impl.(Enabler)
	return !ok || e.Enabled(c)
}

// shardsOf is the number of shards of the stage's table.
func (s *registered) shardsOf(c *config.Config) int {
	if s.OneShard {
		return 1
	}
	return c.Shards
}

func (s *registered) preJobs(ctx context.Context, r Request) ([]string, error) {
	if p, ok := s.impl.(PreJobber); ok {
		return p.PreJobs(ctx, r)
	}
	return nil, nil
}

func (s *registered) ensureInputs(ctx context.Context, r Request) error {
	if e, ok := s.impl.(InputEnsurer); ok {
		return e.EnsureInputs(ctx, r)
	}
	return nil
}

func (s *registered) setup(ctx context.Context, r Request, t Task) error {
	if u, ok := s.impl.(Setupper); ok {
		return u.Setup(ctx, r, t)
	}
	return nil
}

// meter is false where the stage has none.
func (s *registered) meter(ctx context.Context) (Meter, bool) {
	if m, ok := s.impl.(Metered); ok {
		return m.Meter(ctx), true
	}
	return Meter{}, false
}

func (s *registered) cost(ctx context.Context, c *config.Config, rows int64) string {
	if e, ok := s.impl.(Estimator); ok {
		return e.Cost(ctx, c, rows)
	}
	return ""
}

func (s *registered) prune(ctx context.Context, c *config.Config, t Task) error {
	if p, ok := s.impl.(Pruner); ok {
		return p.Prune(ctx, c, t)
	}
	return nil
}

func (s *registered) check(ctx context.Context, out string, c table.Commit) (Checks, error) {
	if h, ok := s.impl.(Checker); ok {
		return h.Check(ctx, out, c)
	}
	return nil, nil
}

// compared is empty where the stage compares nothing, and where the version before is
// gone or damaged: it is only for people to look at.
func (s *registered) compared(ctx context.Context, c *config.Config) map[string]int64 {
	if p, ok := s.impl.(Comparer); ok {
		if numbers, err := p.Compare(ctx, c.Out); err == nil {
			return numbers
		}
	}
	return nil
}
