package features

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed lexicon.txt
var lexiconText string

// classCount is the number of word classes, which stand in [Names] from
// connective to roman; bit i of a word's flags is the i-th of them.
const classCount = 24

// iEd is the one of them that an ending decides and no list.
const iEd = iClasses + 20

const flagStop = 1 << 31

var (
	lexicon = map[string]uint32{} // word to flags
	endings []string              // of abstract nouns

	flagConnective, flagAbstract, flagFirst uint32

	presenceOf []int // the feature behind each that says whether there is one
)

func init() {
	flags := map[string]uint32{"stop": flagStop}
	for i, name := range Names[iClasses:iPresent] {
		flags[name] = 1 << i
	}
	flagConnective, flagAbstract, flagFirst = flags["connective"], flags["abstract"], flags["first"]
	for _, f := range present {
		presenceOf = append(presenceOf, slices.Index(Names, strings.TrimPrefix(f.Name, "has_")))
	}
	for line := range strings.Lines(lexiconText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		class, words, _ := strings.Cut(line, ":")
		if class == "abstract-ending" {
			endings = append(endings, strings.Fields(words)...)
			continue
		}
		flag, ok := flags[class]
		if !ok {
			panic(fmt.Sprintf("features: lexicon.txt has a class %q that is no feature", class))
		}
		for _, w := range strings.Fields(words) {
			lexicon[w] |= flag
		}
	}
}

func abstractEnding(word []byte) bool {
	for _, e := range endings {
		if k := len(word) - len(e); k >= 0 && string(word[k:]) == e {
			return true
		}
	}
	return false
}
