package bounded

import (
	"fmt"
	"strings"
	"testing"
)

// tenfold is YAML whose last line stands for ten to the power of so many values.
func tenfold(lines int) string {
	var b strings.Builder
	b.WriteString("- &a0 [" + strings.Repeat("x,", 9) + "x]\n")
	for i := 1; i < lines; i++ {
		fmt.Fprintf(&b, "- &a%d [%s*a%d]\n", i, strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), i-1)
	}
	return b.String()
}

// Aliases of aliases stand for billions of values in a few lines.
func TestAliases(t *testing.T) {
	keys := "- &a {k: v}\n"
	for i := range 20 {
		keys += fmt.Sprintf("- {<<: *a, k%d: [*a, *a]}\n", i)
	}
	for name, c := range map[string]struct{ text, want string }{
		"a list of lists":             {tenfold(9), "over the limit"},
		"defined behind its use":      {"- [" + strings.Repeat("*a6,", 9) + "*a6]\n" + tenfold(7), "over the limit"},
		"one long text":               {"- &t " + strings.Repeat("x", 60_000) + "\n- [" + strings.Repeat("*t,", 5000) + "*t]\n", "over the limit"},
		"one mapping, often":          {"- &s {name: b, files: [a, b, c, d, e, f]}\n" + strings.Repeat("- *s\n", 20_000), "over the limit"},
		"in a second document":        {"a: 1\n---\n" + tenfold(9), "over the limit"},
		"merged":                      {tenfold(9) + "- {<<: *a8}\n", "over the limit"},
		"itself":                      {"- &a [*a, *a]\n", "alias *a stands within"},
		"itself, by another":          {"- &a [*b, *b]\n- &b [*a, *a]\n", "stands within"},
		"a name that is given again":  {"- &a [x]\n- &a [*a, *a]\n- &a [*a, *a]\n", "alias *a stands within"},
		"defaults of twenty mappings": {keys, ""},
		"a few lines":                 {tenfold(4), ""},
		"no alias":                    {"a: Q&A\nb: '*.txt'\n", ""},
		"no YAML":                     {"a: &\nb: *\n: : [", ""},
	} {
		err := CheckYAML([]byte(c.text), Limits{})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// A parser keeps a hundred times as much as what it reads, so that a file has to be
// refused before.
func TestMarks(t *testing.T) {
	var keys strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&keys, "a%d: b,", i)
	}
	for name, text := range map[string]string{
		"keys":       "columns: {" + keys.String() + "}",
		"lines":      strings.Repeat("- a\n", 60_000),
		"questions":  strings.Repeat("? a\n", 60_000),
		"quotations": strings.Repeat(`"`, 110_000),
		"tags":       strings.Repeat("!", 110_000),
	} {
		if err := CheckYAML([]byte(text), Limits{}); err == nil || !strings.Contains(err.Error(), "over the limit") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range map[string]string{
		"files": "files:\n" + strings.Repeat("  - books/a.txt\n", 30_000), "a long text": "a: " + strings.Repeat("x", 1<<20),
		"sources": strings.Repeat("- {name: a, files: [a.txt]}\n", 7000),
	} {
		if err := CheckYAML([]byte(text), Limits{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
