package infer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/commonplace/commonplace"
)

// Plus names a second model whose output is added to the first one's, before the
// transform. Two models that err differently rank better together than either.
type Plus struct {
	Model  string  `yaml:"model"`  // its folder, relative to the folder of the first
	Weight float64 `yaml:"weight"` // of its output; the first one's is 1
	Line   float64 `yaml:"line"`   // of its output in the score of a line; only where the first one scores lines
	SHA256 string  `yaml:"sha256"` // the sha256 of its manifest
}

func (p *Plus) check(m *Manifest, h *head) error {
	switch {
	case !h.can(ScorePassages):
		return fmt.Errorf("plus does not belong to head %s: it belongs to heads that score single passages", h.name)
	case p.Model == "":
		return fmt.Errorf("plus.model is missing")
	case !besideOrBelow(p.Model):
		return fmt.Errorf("plus.model is %q, expected a folder beside this model's (../name) or below it", p.Model)
	case !finite(float32(p.Weight)) || p.Weight == 0:
		return fmt.Errorf("plus.weight is %v, expected a number other than 0", p.Weight)
	case !finite(float32(p.Line)):
		return fmt.Errorf("plus.line is %v, expected a number", p.Line)
	case p.Line != 0 && !m.scoresLines():
		return errors.New("plus.line needs a second output, the score of a line")
	}
	return nil
}

// besideOrBelow says whether a path is that of a folder beside a model's own, or
// below it. A model that somebody else made must not name folders elsewhere.
func besideOrBelow(path string) bool {
	inside := strings.TrimPrefix(path, "../")
	return fs.ValidPath(inside) && inside != "." && filepath.IsLocal(filepath.FromSlash(inside))
}

// loadPlus loads the second model, if there is one.
func (m *Model) loadPlus(dir string, o Options) error {
	p := m.manifest.Plus
	if p == nil {
		return nil
	}
	folder := filepath.Join(dir, filepath.FromSlash(p.Model))
	manifest, err := ReadManifest(folder)
	switch {
	case err != nil:
		return fmt.Errorf("plus: %w", err)
	case manifest.SHA256 != p.SHA256:
		return fmt.Errorf("plus: %s has the sha256 %s, expected %s: this model was made with another", p.Model, manifest.SHA256, p.SHA256)
	case !headNamed(manifest.Head).can(ScorePassages), manifest.Transform != "none", manifest.Plus != nil, manifest.Positional() != "":
		return fmt.Errorf("plus: %s must score single passages, without a transform, tokens.positional or plus", p.Model)
	}
	m.plus, err = LoadModel(folder, o)
	return err
}

// addPlus adds what the second model says.
func (m *Model) addPlus(ctx context.Context, passages []commonplace.Passage, out []output) error {
	if m.plus == nil {
		return nil
	}
	other := make([]output, len(passages))
	if err := m.plus.head.score(m.plus, ctx, passages, other); err != nil {
		return err
	}
	for i, o := range other {
		out[i].value += m.manifest.Plus.Weight * o.value
		out[i].line += m.manifest.Plus.Line * o.value
		out[i].truncated = out[i].truncated || o.truncated
	}
	return nil
}
