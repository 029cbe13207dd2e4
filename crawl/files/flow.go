package files

import (
	"bytes"
	"strings"
)

// flow gathers text from markup: runs of white space become one space, elements
// leave line breaks, of which no more than two stand together.
type flow struct {
	text   []byte
	breaks int // that wait for a word
}

// part asks for line breaks before the next word.
func (f *flow) part(breaks int) { f.breaks = max(f.breaks, breaks) }

// add appends character data.
func (f *flow) add(s string) {
	words := strings.Fields(s)
	if len(words) == 0 {
		if s != "" && f.breaks == 0 {
			f.space()
		}
		return
	}
	switch {
	case f.breaks > 0 && len(f.text) > 0:
		f.text = append(bytes.TrimRight(f.text, " "), "\n\n"[:f.breaks]...)
	case strings.TrimLeft(s, " \t\r\n") != s:
		f.space()
	}
	f.breaks = 0
	f.text = append(f.text, strings.Join(words, " ")...)
	if strings.TrimRight(s, " \t\r\n") != s {
		f.text = append(f.text, ' ')
	}
}

// addLines appends character data whose line breaks count, as in <pre>.
func (f *flow) addLines(s string) {
	for i, line := range strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s), "\n") {
		if i > 0 {
			f.breaks = min(2, f.breaks+1)
		}
		if strings.TrimSpace(line) != "" {
			f.add(line)
		}
	}
}

// space appends a space unless white space is there.
func (f *flow) space() {
	if n := len(f.text); n > 0 && f.text[n-1] != ' ' && f.text[n-1] != '\n' {
		f.text = append(f.text, ' ')
	}
}

// String is the text without the white space around it.
func (f *flow) String() string { return strings.TrimSpace(string(f.text)) }
