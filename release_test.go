package commonplace_test

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestReleaseHoldsWhatItNames: the folder of a release has what each of its configs names,
// and what the README links to. So a config runs from it as from the checkout.
func TestReleaseHoldsWhatItNames(t *testing.T) {
	folder := t.TempDir()
	if out, err := exec.Command("bash", "deploy/release/files.sh", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	named := 0
	for config, paths := range pathsOfConfigs(t) {
		for _, p := range paths {
			named++
			if there, err := filepath.Glob(filepath.Join(folder, p)); err != nil || len(there) == 0 {
				t.Errorf("%s names %s, which the release lacks", config, p)
			}
		}
	}
	if named < 40 {
		t.Errorf("configs name only %d paths: are these all?", named)
	}
	for _, link := range linksOf(readPage(t, "README.md")) {
		target, _, _ := strings.Cut(link, "#")
		if target == "" || strings.Contains(target, ":") {
			continue
		}
		if _, err := os.Stat(filepath.Join(folder, target)); err != nil {
			t.Errorf("README.md links to %s, which the release lacks", target)
		}
	}
}

// TestImageHoldsWhatConfigsName: the image for people has what its configs name.
func TestImageHoldsWhatConfigsName(t *testing.T) {
	var copied []string
	for line := range strings.Lines(readPage(t, "Dockerfile")) {
		if words := strings.Fields(line); len(words) == 4 && words[0] == "COPY" && words[1] == "--from=build" {
			copied = append(copied, words[3])
		}
	}
	for config, paths := range pathsOfConfigs(t) {
		for _, p := range paths {
			held := false
			for _, c := range copied {
				held = held || p == c || strings.HasPrefix(p, c+"/")
			}
			if !held {
				t.Errorf("%s names %s, which the Dockerfile does not copy", config, p)
			}
		}
	}
}

// pathsOfConfigs are the paths, from the root, that our configs read, by the config.
func pathsOfConfigs(t *testing.T) map[string][]string {
	t.Helper()
	configs, err := filepath.Glob("configs/*.yaml")
	if err != nil || len(configs) < 15 {
		t.Fatalf("only %d configs: is this the checkout? %v", len(configs), err)
	}
	paths := map[string][]string{}
	for _, config := range configs {
		var content any
		if err := yaml.Unmarshal([]byte(readPage(t, config)), &content); err != nil {
			t.Fatalf("%s: %v", config, err)
		}
		for _, text := range textsIn(content) {
			if p := path.Join("configs", text); strings.HasPrefix(text, "../") && !strings.HasPrefix(p, "out/") {
				paths[config] = append(paths[config], p)
			}
		}
	}
	return paths
}

// textsIn are all texts in a value of YAML.
func textsIn(value any) (texts []string) {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		for _, one := range v {
			texts = append(texts, textsIn(one)...)
		}
	case map[string]any:
		for _, one := range v {
			texts = append(texts, textsIn(one)...)
		}
	}
	return texts
}
