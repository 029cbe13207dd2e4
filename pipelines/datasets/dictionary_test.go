package datasets

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

// wordsFile writes a dictionary.
func wordsFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "words.txt")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Chinese breaks off between the words of the dictionary, and between any two characters
// without one, of which the build warns once.
func TestChineseBreaksOffBetweenWords(t *testing.T) {
	c := pipelinetest.Dataset(t, "conversations-chinese", func(c *config.Config) { c.Label.Replies.Added = 0 })
	ours := c.Label.Replies.Dictionary
	within := func() (within map[string]bool, begin map[string]bool) { // words inside which a context ends; before which one does
		within, begin = map[string]bool{}, map[string]bool{}
		for _, r := range pipelinetest.Rows(t, c, table.Replies) {
			if r.Label != label.Gen {
				continue
			}
			said := strings.TrimSuffix(r.Input, label.Eos+label.Mask)
			for word, part := range map[string]string{"礼拜": "礼", "地下室": "地下", "公共汽车": "公共"} {
				switch {
				case strings.HasSuffix(said, part) && strings.HasPrefix(r.Target, strings.TrimPrefix(word, part)):
					within[word] = true
				case strings.HasPrefix(r.Target, word):
					begin[word] = true
				}
			}
		}
		return within, begin
	}
	warnings := func(notes []string) (n int) {
		for _, note := range notes {
			if strings.Contains(note, "Name a dictionary in label.replies.dictionary") {
				n++
			}
		}
		return n
	}
	reports := pipelinetest.Build(t, c)
	if in, before := within(); len(in) > 0 || !before["礼拜"] || !before["地下室"] || warnings(reports["reply"].Notes) != 0 {
		t.Errorf("with a dictionary: contexts end in %v, before %v, %q", in, before, reports["reply"].Notes)
	}

	c.Label.Replies.Dictionary = ""
	reports = pipelinetest.Build(t, c)
	if in, _ := within(); len(in) != 3 || warnings(reports["reply"].Notes) != 1 || !strings.Contains(strings.Join(reports["reply"].Notes, "\n"), "warning: 32 conversations have Chinese") {
		t.Errorf("without: contexts end in %v, %q", in, reports["reply"].Notes)
	}

	// What the file says decides, not what it is called.
	text, err := os.ReadFile(ours)
	if err != nil {
		t.Fatal(err)
	}
	c.Label.Replies.Dictionary = wordsFile(t, string(text))
	pipelinetest.Build(t, c)
	lines := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return strings.HasPrefix(line, "礼拜 ") })
	if err := os.WriteFile(c.Label.Replies.Dictionary, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	pipelinetest.Build(t, c)
	if in, _ := within(); len(in) != 1 || !in["礼拜"] {
		t.Errorf("of a file that has changed: contexts end in %v", in)
	}
}

func TestDictionariesThatCannotBe(t *testing.T) {
	for text, want := range map[string]string{
		"礼拜 viel": `words.txt: line 1: the frequency of "礼拜" is "viel"`,
		"":        "words.txt: it has no words",
	} {
		c := pipelinetest.Dataset(t, "conversations-chinese", func(c *config.Config) { c.Label.Replies.Dictionary = wordsFile(t, text) })
		err := pipelinetest.TryBuild(c)
		if !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), "label.replies.dictionary: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	c := pipelinetest.Dataset(t, "conversations-chinese", func(c *config.Config) { c.Label.Replies.Dictionary += ".none" })
	if err := pipelinetest.TryBuild(c); err == nil || !strings.Contains(err.Error(), "label.replies.dictionary: ") {
		t.Errorf("a dictionary that is not there: %v", err)
	}
}
