package engine

import (
	"context"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/table"
)

// openNight finds where a build goes on. What an earlier one left unfinished with other
// settings is set aside, where the version that readers get has this config's: else a
// stage that somebody tried with another setting would have every later build make the
// tables again that readers have. aside is its folder, or nothing.
func openNight(ctx context.Context, r Request) (night *table.Night, aside string, err error) {
	night, err = table.OpenNight(ctx, r.Config.Out)
	if err != nil || r.Force {
		return night, "", err
	}
	current, err := table.Current(ctx, r.Config.Out)
	if err != nil || night.Path == current {
		return night, "", err
	}
	if left := night.Path; otherSettings(ctx, r.Config, left, current) {
		night.SetAside()
		aside = left
	}
	return night, aside, nil
}

// otherSettings says that a build's folder has settings other than a config's, and the
// version that readers get has just these. Where the settings cannot be read, nothing is
// said: [settingsFor] says why.
func otherSettings(ctx context.Context, c *config.Config, folder, current string) bool {
	left, err := readSettings(ctx, folder)
	if err != nil {
		return false
	}
	have, err := readSettings(ctx, current)
	if err != nil {
		return false
	}
	as := func(dir string) *config.Config {
		there := *c
		there.Out = dir
		keepSegmenter(ctx, &there)
		return &there
	}
	ofLeft, ofHave := as(folder), as(current)
	others := false
	for _, s := range stages {
		if !s.enabled(c) {
			continue
		}
		differs := len(left.changed(s, ofLeft)) > 0
		if len(have.changed(s, ofHave)) > 0 || differs && have[s.Name] == nil {
			return false
		}
		others = others || differs
	}
	return others
}
