package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/commonplace/commonplace/pipelines/config"
)

// Plan says what Build would do, in words, one line a stage.
func Plan(r Request) ([]string, error) {
	if _, err := folderMarked(r.Config.Out); err != nil {
		return nil, err
	}
	p := NewPlanner(r.Config)
	p.dry, r.dry = true, true
	wanted, err := selected(r.Config, r.Stages)
	if err != nil {
		return nil, err
	}
	if _, err := settingsFor(r, wanted); err != nil {
		return nil, err
	}
	if err := lookOutside(context.Background(), r, p, wanted); err != nil {
		return nil, err
	}
	first, err := p.look(context.Background(), wanted[0])
	if first.Release != nil {
		defer first.Release()
	}
	if err == nil {
		_, err = guard(context.Background(), r, wanted[0], first)
	}
	if err != nil {
		return nil, err
	}
	var lines []string
	behind := "" // the first stage that would run
	for _, s := range wanted {
		line := fmt.Sprintf("%-8s ▶ %-12s ", s.Name, s.Table)
		pl, err := p.plan(context.Background(), s)
		switch {
		case behind != "":
			line += "run, what " + behind + " changes" + costOf(s, r.Config, -1)
		case err != nil:
			return nil, err
		case pl.fresh && !r.Force:
			line += "skip, fresh"
		default:
			behind = s.Name
			line += fmt.Sprintf("run, %d of %d shards to make", len(pl.stale), len(pl.tasks)) + costOf(s, r.Config, pl.expected)
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines, nil
}

// costOf is what a stage says of its cost, behind the rest of its line.
func costOf(s *registered, c *config.Config, rows int64) string {
	if cost := s.cost(c, rows); cost != "" {
		return "; " + cost
	}
	return ""
}
