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

// lexicon is what lexicon.txt says. Nothing writes to it once the package is
// initialised; errLexicon is what is wrong with the file, and [NewReader] gives it.
var lexicon, errLexicon = readLexicon(lexiconText)

// wordLists are the classes of words.
type wordLists struct {
	flags   map[string]uint32 // of a word
	endings []string          // of abstract nouns

	connective, abstract, first uint32 // the flags of three classes

	presence []int // the feature behind each that says whether there is one
}

func readLexicon(text string) (wordLists, error) {
	l := wordLists{flags: map[string]uint32{}}
	flags := map[string]uint32{"stop": flagStop}
	for i, name := range Names[iClasses:iPresent] {
		flags[name] = 1 << i
	}
	l.connective, l.abstract, l.first = flags["connective"], flags["abstract"], flags["first"]
	for _, f := range present {
		i := slices.Index(Names, strings.TrimPrefix(f.Name, "has_"))
		if i < 0 {
			return wordLists{}, fmt.Errorf("there is no feature behind %s", f.Name)
		}
		l.presence = append(l.presence, i)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		class, words, _ := strings.Cut(line, ":")
		if class == "abstract-ending" {
			l.endings = append(l.endings, strings.Fields(words)...)
			continue
		}
		flag, ok := flags[class]
		if !ok {
			return wordLists{}, fmt.Errorf("lexicon.txt has a class %q that is no feature", class)
		}
		for _, w := range strings.Fields(words) {
			l.flags[w] |= flag
		}
	}
	return l, nil
}

func abstractEnding(word []byte) bool {
	for _, e := range lexicon.endings {
		if k := len(word) - len(e); k >= 0 && string(word[k:]) == e {
			return true
		}
	}
	return false
}
