package config

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// renamed are keys that version 0.1.0 had under another name, by the end of their
// path. They are read for one release more.
var renamed = []struct{ old, now string }{
	{"hathitrust.least_matches", "min_matches"},
	{"hathitrust.most_matches", "max_matches"},
	{"hathitrust.without_words", "exclude_title_words"},
	{"windows.title_words", "exclude_title_words"},
	{"windows.shared", "min_shared_characters"},
}

// withNewKeys puts the new names of renamed keys in the place of the old ones, on
// the same lines, and says so in a sentence for each.
func withNewKeys(path string, raw []byte) (_ []byte, notes []string) {
	p := placesOf(raw)
	lines := bytes.SplitAfter(raw, []byte("\n"))
	for key, nodes := range p {
		for _, r := range renamed {
			if key != r.old && !strings.HasSuffix(key, "."+r.old) {
				continue
			}
			at := nodes[0].GetToken().Position
			old := r.old[strings.LastIndex(r.old, ".")+1:]
			if at.Line < 1 || at.Line > len(lines) {
				continue
			}
			asKey := regexp.MustCompile(`(^|[\s{,])` + old + `(\s*:)`)
			lines[at.Line-1] = asKey.ReplaceAll(lines[at.Line-1], []byte("${1}"+r.now+"${2}"))
			notes = append(notes, fmt.Sprintf("%s:%d: %s is called %s now; the old name will be refused by the next release", path, at.Line, old, r.now))
		}
	}
	slices.Sort(notes)
	return bytes.Join(lines, nil), notes
}
