package commonplace_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Who has the repository alone can run what it shows: nothing but tests, benchmarks and
// CI names the data folder beside the checkout, and every config that is named exists.
func TestNothingNeedsWhatStrangersLack(t *testing.T) {
	ours := regexp.MustCompile(`^(\.ci/|bench/|CONTRIBUTING\.md$|pipelines/pipelinetest/)|_test\.go$`)
	named := regexp.MustCompile(`(?:bench/)?configs/[a-z][a-z-]*\.yaml`)
	beside := "../" + "shared"
	files := 0
	walkCheckout(t, func(name string) {
		switch filepath.Ext(name) {
		case ".go", ".md", ".yaml", ".py", ".sh", ".txtar", "":
		default:
			return
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files++
		if !ours.MatchString(filepath.ToSlash(name)) && strings.Contains(string(raw), beside) {
			t.Errorf("%s names %s, which strangers do not have", name, beside)
		}
		for _, config := range named.FindAllString(string(raw), -1) {
			if _, err := os.Stat(config); err != nil && config != "configs/mine.yaml" && filepath.Ext(name) != ".txtar" {
				t.Errorf("%s names %s, which is not there", name, config)
			}
		}
	})
	if files < 500 {
		t.Errorf("only %d files: are these all?", files)
	}
}
