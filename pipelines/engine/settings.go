package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
)

// settingsFile holds, by stage, the settings that a run's tables are made with.
// It is written before a stage's first shard, so that a run with other settings
// is refused even when the earlier one was killed.
const settingsFile = "settings.json"

// ErrSettingsDamaged says that settingsFile has no settings. No build mends that by itself: which
// tables may stay is not known without it.
var ErrSettingsDamaged = errors.New("not readable as settings")

type runSettings map[string]json.RawMessage

// readSettings also gives settings to keep beside an error.
func readSettings(ctx context.Context, out string) (runSettings, error) {
	b, err := storage.ReadFile(ctx, storage.Join(out, settingsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return runSettings{}, nil
	}
	if err != nil {
		return runSettings{}, err
	}
	s := runSettings{}
	if err := json.Unmarshal(b, &s); err != nil || s == nil {
		return runSettings{}, fmt.Errorf("%s: %w (%v); commonplace build --force replaces it", storage.Join(out, settingsFile), ErrSettingsDamaged, err)
	}
	for _, stage := range stages {
		if old, there := s[stage.Formerly]; there && stage.Formerly != "" {
			s[stage.Name] = old
			delete(s, stage.Formerly)
		}
	}
	return s, nil
}

// SettingsOf decodes the settings that a stage's table of a run was made with. It says
// whether the run has any.
func SettingsOf(ctx context.Context, run, stage string, into any) (bool, error) {
	s, err := readSettings(ctx, run)
	if err != nil || s[stage] == nil {
		return false, err
	}
	return true, json.Unmarshal(s[stage], into)
}

// changed names the settings of a stage that differ from a config's. What the settings of
// before do not have was added by a later release: where it is now the default, the config
// did not change, and the stage is made again with it.
func (s runSettings) changed(stage *registered, c *config.Config) []string {
	was, ok := s[stage.Name]
	if !ok {
		return nil
	}
	of := func(c *config.Config) []byte { return config.Canonical(stage.impl.Settings(c)) }
	var a, b, d any
	if json.Unmarshal(was, &a) != nil || json.Unmarshal(of(c), &b) != nil || json.Unmarshal(of(c.WithDefaults()), &d) != nil {
		return []string{stage.Name}
	}
	fillIn(a, b, d)
	if stage.PerName {
		a, b = shared(a, b)
	}
	return written(c, stage.differing(a, b))
}

// written are sentences that begin with keys, by the names that the config's file has.
func written(c *config.Config, sentences []string) []string {
	for i, s := range sentences {
		sentences[i] = c.Written(s)
	}
	return sentences
}

// formerSegmenter is the default of segment.by that release 0.1.0 had.
const formerSegmenter = "words:200"

// keepSegmenter gives a config that says nothing of segment.by the former default, where
// its folder was made with that: an upgrade changes no passage.
func keepSegmenter(ctx context.Context, c *config.Config) {
	if c.Says("segment.by") {
		return
	}
	s, err := readSettings(ctx, c.Out)
	if err != nil {
		return // [settingsFor] says it
	}
	var was config.Segment
	if json.Unmarshal(s["segment"], &was) == nil && was.By == formerSegmenter {
		c.Segment = was
	}
}

// fillIn adds to the settings of before what they do not have and what is now the default.
func fillIn(was, now, defaults any) {
	m, ok := was.(map[string]any)
	n, also := now.(map[string]any)
	d, too := defaults.(map[string]any)
	if !ok || !also || !too {
		return
	}
	for key, value := range n {
		if _, there := m[key]; there {
			fillIn(m[key], value, d[key])
		} else if standard, has := d[key]; has && bytes.Equal(storage.MustJSON(value), storage.MustJSON(standard)) {
			m[key] = value
		}
	}
}

// shared keeps the sources, or lists, that both settings have: one more or one
// less is another input, which rebuilds what it touches.
func shared(a, b any) (any, any) {
	m, ok := a.(map[string]any)
	n, also := b.(map[string]any)
	if !ok || !also {
		return a, b
	}
	both, too := map[string]any{}, map[string]any{}
	for name := range m {
		if _, ok := n[name]; ok {
			both[name], too[name] = m[name], n[name]
		}
	}
	return both, too
}

// differing says where settings of the stage differ, by the keys that the user wrote.
func (s *registered) differing(a, b any) []string {
	prefix := s.Name
	if p, ok := s.Keys[""]; ok {
		prefix = p
	}
	m, ok := a.(map[string]any)
	n, also := b.(map[string]any)
	if !ok || !also {
		return differing(prefix, a, b)
	}
	var all []string
	for _, name := range keysOf(m, n) {
		key, ok := s.Keys[name]
		if !ok || name == "" {
			key = prefix + "." + name
		}
		all = append(all, differing(key, m[name], n[name])...)
	}
	return all
}

// differing walks two JSON values and says where they differ: "segment.by was "words:200", is "words:100"".
func differing(at string, a, b any) []string {
	if m, ok := a.(map[string]any); ok {
		if n, ok := b.(map[string]any); ok {
			var all []string
			for _, key := range keysOf(m, n) {
				all = append(all, differing(at+"."+key, m[key], n[key])...)
			}
			return all
		}
	}
	if l, ok := a.([]any); ok {
		if n, ok := b.([]any); ok && len(l) == len(n) {
			var all []string
			for i := range l {
				all = append(all, differing(fmt.Sprintf("%s[%d]", at, i), l[i], n[i])...)
			}
			return all
		}
	}
	x, y := storage.MustJSON(a), storage.MustJSON(b)
	switch {
	case bytes.Equal(x, y):
		return nil
	case a == nil && len(y) > longSetting:
		return []string{at + " is new"}
	case b == nil && len(x) > longSetting:
		return []string{at + " is gone"}
	}
	return []string{fmt.Sprintf("%s was %s, is %s", at, x, y)}
}

// longSetting is how long a value is that is not repeated where a whole one comes or goes.
const longSetting = 80

func keysOf(a, b map[string]any) []string {
	var keys []string
	for k := range a {
		keys = append(keys, k)
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// keep writes the settings of a stage beside those of the others.
func (s runSettings) keep(ctx context.Context, out, stage string, now json.RawMessage) error {
	s[stage] = now
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return storage.WriteFile(ctx, storage.Join(out, settingsFile), append(b, '\n'))
}

// lostSettings says that a run has tables, and nothing of the settings that they were made with.
func lostSettings(ctx context.Context, r Request, wanted []*registered, s runSettings) (bool, error) {
	if len(s) > 0 || r.Force {
		return false, nil
	}
	for _, stage := range wanted {
		if gone, err := nowhere(ctx, r.Config.Out, stage.Table); err != nil || !gone {
			return err == nil, err
		}
	}
	return false, nil
}
