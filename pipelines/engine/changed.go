package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/table"
)

// ChangedSettings lists the settings of a config that differ from those that the tables in
// a folder were made with, as a build compares them.
func ChangedSettings(ctx context.Context, dir string, c *config.Config) ([]string, error) {
	settings, err := readSettings(ctx, dir)
	if err != nil {
		return nil, err
	}
	there := *c
	there.Out = dir
	keepSegmenter(ctx, &there)
	var all []string
	for _, s := range stages {
		if !s.enabled(&there) {
			continue
		}
		changed := settings.changed(s, &there)
		if changed == "" || slices.Contains(all, changed) {
			continue
		}
		gone, err := nowhere(ctx, dir, s.Table)
		if err != nil {
			return nil, err
		}
		if !gone {
			all = append(all, changed)
		}
	}
	return all, nil
}

// RefuseChanged is [table.ErrNotWhole] where a config differs from the settings that the
// tables in a folder were made with.
func RefuseChanged(ctx context.Context, dir string, c *config.Config) error {
	changed, err := ChangedSettings(ctx, dir, c)
	if err != nil || len(changed) == 0 {
		return err
	}
	return fmt.Errorf("%s: %w: its tables were made with other settings: %s; run `commonplace build` first, or name the folder in place of the config",
		table.Home(dir), table.ErrNotWhole, strings.Join(changed, "; "))
}
