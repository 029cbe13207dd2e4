package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/worker"
)

// Plan says what Build would do, in words, one line a stage.
func Plan(ctx context.Context, r Request) ([]string, error) {
	if _, err := folderMarked(ctx, r.Config.Out); err != nil {
		return nil, err
	}
	ctx, end := worker.Begin(ctx)
	defer end()
	p := NewPlanner(r.Config)
	p.dry, r.dry = true, true
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
	if _, err := settingsFor(ctx, r, wanted); err != nil {
		return nil, err
	}
	if err := lookOutside(ctx, r, p, wanted); err != nil {
		return nil, err
	}
	first, err := p.look(ctx, wanted[0])
	if first.Release != nil {
		defer first.Release()
	}
	if err == nil {
		_, err = guard(ctx, r, wanted[0], first)
	}
	if err != nil {
		return nil, err
	}
	var lines []string
	behind := "" // the first stage that would run
	for _, s := range wanted {
		line := fmt.Sprintf("%-8s ▶ %-12s ", s.Name, s.Table)
		pl, err := p.plan(ctx, s)
		switch {
		case behind != "":
			line += "run, what " + behind + " changes" + costOf(ctx, s, r.Config, -1)
		case err != nil:
			return nil, err
		case pl.fresh && !r.Force:
			line += "skip, fresh"
		default:
			behind = s.Name
			line += fmt.Sprintf("run, %d of %d shards to make", len(pl.stale), len(pl.tasks)) + costOf(ctx, s, r.Config, pl.expected)
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines, nil
}

// costOf is what a stage says of its cost, behind the rest of its line.
func costOf(ctx context.Context, s *registered, c *config.Config, rows int64) string {
	if cost := s.cost(ctx, c, rows); cost != "" {
		return "; " + cost
	}
	return ""
}
