package engine

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
)

// Plan says what Build would do, in words: a line a stage, and below it why its
// table is made again. It writes nothing, wherever the tables are. Where Beam's flags ask
// for a dry run, its runner translates the first job that would run.
func Plan(ctx context.Context, r Request) ([]string, error) {
	if _, err := folderMarked(ctx, r.Config.Out); err != nil {
		return nil, err
	}
	if err := refusePinned(ctx, r.Config.Out); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "commonplace-plan-")
	if err != nil {
		return nil, storage.Wrap("make", os.TempDir(), err)
	}
	defer os.RemoveAll(temp)
	ctx, end := worker.Begin(storage.WithTempDir(ctx, temp))
	defer end()
	night, _, err := openNight(ctx, r)
	if err != nil {
		return nil, err
	}
	working := night.Path
	there := *r.Config
	r.Config, there.Out = &there, working
	p := NewPlanner(r.Config)
	p.dry, r.dry = true, true
	if p.forgotten, err = ReadForgotten(ctx, working); err != nil {
		return nil, err
	}
	wanted, err := selected(r.Config, r.Stages)
	if err != nil {
		return nil, err
	}
	if len(wanted) == 0 {
		var lines []string
		for _, report := range unneeded(r.Stages) {
			lines = append(lines, fmt.Sprintf("%-8s ▶ %-12s not needed: %s", report.Stage, report.Table, report.Unneeded))
		}
		return lines, nil
	}
	if !r.Force {
		keepSegmenter(ctx, r.Config)
	}
	if err := r.keepShards(ctx); err != nil {
		return nil, err
	}
	if err := chooseShards(ctx, r.Config); err != nil {
		return nil, err
	}
	if _, err := settingsFor(ctx, r, wanted); err != nil {
		return nil, err
	}
	if err := lookOutside(ctx, r, p, wanted); err != nil {
		return nil, vanished(ctx, r.Config, err)
	}
	first, err := p.look(ctx, wanted[0])
	if first.Release != nil {
		defer first.Release()
	}
	if err == nil {
		_, err = guard(ctx, r, wanted[0], first)
	}
	if err != nil {
		return nil, vanished(ctx, r.Config, err)
	}
	var lines []string
	columns := ColumnsOf(r)
	changing := map[string]bool{} // tables that the build would make again
	behind := ""                  // the first stage that would run
	for _, s := range wanted {
		line := columns.Stage(s.Name) + " ▶ " + columns.Table(s.Table) + " "
		var why []string
		pl, err := p.plan(ctx, s)
		switch {
		case err != nil && behind == "":
			return nil, err
		case err == nil && pl.fresh && !r.Force && len(pl.reading(changing)) == 0:
			lines = append(lines, line+"skip, fresh")
			continue
		case behind == "" || err == nil && len(pl.reading(changing)) == 0:
			if r.Force {
				pl.stale = pl.tasks
			}
			line += fmt.Sprintf("run, %d of %s to make", len(pl.stale), commonplace.CountOf(len(pl.tasks), "shard")) + costOf(ctx, s, r.Config, pl.expected)
		default:
			line += "run, what " + behind + " changes" + costOf(ctx, s, r.Config, -1)
		}
		if err == nil && !pl.fresh {
			if why, err = p.reasons(ctx, pl); err != nil {
				return nil, err
			}
		}
		if err == nil {
			why = append(why, pl.rereading(changing)...)
		}
		if behind == "" {
			behind = s.Name
			if err := translate(ctx, r, pl); err != nil {
				return nil, err
			}
		}
		changing[s.Table] = true
		if r.WouldRun != nil {
			r.WouldRun(s.Name)
		}
		lines = append(lines, strings.TrimRight(line, " "))
		for _, w := range why {
			lines = append(lines, columns.Stage("")+"   because "+w)
		}
	}
	return lines, nil
}

// reading are the tables that a stage reads among those that are made again.
func (pl *stagePlan) reading(changing map[string]bool) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(pl.inputs)), func(name string) bool { return !changing[name] })
}

// rereading says what a stage that was made before reads of tables that are made again.
func (pl *stagePlan) rereading(changing map[string]bool) []string {
	var reasons, reads []string
	for _, name := range pl.reading(changing) {
		if because := pl.stage.Because[name]; because != "" {
			reasons = append(reasons, "every shard reads "+because)
		} else {
			reads = append(reads, name)
		}
	}
	if len(reads) > 0 {
		reasons = append(reasons, "it reads "+strings.Join(reads, ", "))
	}
	return reasons
}

// costOf is what a stage says of its cost, behind the rest of its line.
func costOf(ctx context.Context, s *registered, c *config.Config, rows int64) string {
	if cost := s.cost(ctx, c, rows); cost != "" {
		return "; " + cost
	}
	return ""
}

// translate has Dataflow's runner translate a job, and print it to the log, where its flags
// say that this is all it does.
func translate(ctx context.Context, r Request, pl *stagePlan) error {
	if !r.Config.Runner.DryRun() || r.Config.Runner.Name != config.DataflowRunner {
		return nil
	}
	if err := r.Config.CheckDataflow(); err != nil {
		return err
	}
	opened, err := runner.Open(r.Config)
	if err != nil {
		return err
	}
	_, err = opened.Run(runner.WithLog(ctx, r.Log), pl.job(r.Config.MaxRejectFraction, r.Config.Runner.Parallelism))
	return err
}
