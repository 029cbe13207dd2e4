package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/table"
)

// ChangedSettings lists the settings of a config that differ from those that the tables in
// a folder were made with, as a build compares them. The device is not compared: --device
// sets it for one build.
func ChangedSettings(ctx context.Context, dir string, c *config.Config) ([]string, error) {
	settings, err := readSettings(ctx, dir)
	if err != nil {
		return nil, err
	}
	there := *c
	there.Out = dir
	keepSegmenter(ctx, &there)
	settings.keepDevice(&there)
	var all []string
	for _, s := range stages {
		if !s.enabled(&there) {
			continue
		}
		changed := settings.changed(s, &there)
		if len(changed) == 0 {
			continue
		}
		gone, err := nowhere(ctx, dir, s.Table)
		if err != nil {
			return nil, err
		}
		for _, one := range changed {
			if !gone && !slices.Contains(all, one) { // two stages can have one setting
				all = append(all, one)
			}
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

// keepDevice gives a config the device that the scores were made on.
func (s runSettings) keepDevice(c *config.Config) {
	var was struct{ Device string }
	if json.Unmarshal(s["score"], &was) == nil && was.Device != "" {
		c.Score.Device = was.Device
	}
}
