package tokenizer

import (
	"errors"
	"fmt"
	"io"
)

// ErrText is that of a text which a tokenizer does not read within its bounds. The fault is
// the text's and the file's together: other texts are read.
var ErrText = errors.New("tokenizer")

// Go's engine finds one match in time that is proportional to the text. But it may read
// far beyond a match, to see that there is no better one, as of [^x]*x|[^x], and the next
// search reads all of that anew. So what it reads is counted.

// mostRereads is how often a text may be read. Expressions in use read each character up
// to three times.
const mostRereads = 16

// leastReread is how many characters may be read of any text.
const leastReread = 1 << 16

// errReread refuses a text that a regular expression reads too often.
var errReread = fmt.Errorf("%w: a regular expression of it takes too long for the text: it reads each character more than 16 times; divide the text", ErrText)

// reread is a text that an engine reads from several places. A character counts as one byte.
type reread struct {
	runes      []rune
	at         int
	read, most int
}

func newReread(runes []rune) *reread {
	return &reread{runes: runes, most: mostRereads*len(runes) + leastReread}
}

func (t *reread) ReadRune() (r rune, size int, err error) {
	if t.at >= len(t.runes) || t.read > t.most {
		return 0, 0, io.EOF
	}
	r = t.runes[t.at]
	t.at++
	t.read++
	return r, 1, nil
}
