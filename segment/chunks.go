package segment

import (
	"iter"
	"strings"
)

// separators of LangChain's RecursiveCharacterTextSplitter, in its order.
var separators = []string{"\n\n", "\n", " ", ""}

// ByChunks cuts into chunks of at most size characters, neighbours sharing up to
// overlap (RA-MTR, section 5.1: 1,200 and 100), at the largest of the separators
// blank line, line break, space, character that makes the parts small enough.
// It gives the chunks of LangChain's RecursiveCharacterTextSplitter with these
// separators, chunk for chunk, its quirks included: a separator stays at the
// head of the part after it, and chunks lose the white space around them.
func ByChunks(size, overlap int) Cut {
	return func(text string) iter.Seq[Piece] {
		return func(yield func(Piece) bool) {
			points, _ := counter(text)
			c := &chunker{text: text, size: size, overlap: overlap, points: points, yield: yield}
			c.split(part{0, len(text), 0}, separators)
		}
	}
}

// part is bytes [begin, end) of a text and their number of code points.
type part struct{ begin, end, points int }

type chunker struct {
	text          string
	size, overlap int
	points        func(string) int
	yield         func(Piece) bool
	stopped       bool
	window        []part // the chunk so far: no more than size characters
	total         int    // its characters
}

// split is LangChain's _split_text.
func (c *chunker) split(whole part, seps []string) {
	text := c.text[whole.begin:whole.end]
	sep, rest := seps[len(seps)-1], []string(nil)
	for i, s := range seps {
		if s == "" || strings.Contains(text, s) {
			sep, rest = s, seps[i+1:]
			break
		}
	}
	for p := range c.parts(whole, sep) {
		if c.stopped {
			return
		}
		if p.points < c.size {
			c.push(p)
			continue
		}
		c.flush()
		if len(rest) == 0 { // single characters, which are more than a size of 1 allows; LangChain leaves white space, too
			c.put(p.begin, p.end)
		} else {
			c.split(p, rest)
		}
	}
	c.flush()
}

// parts cuts before every separator; an empty one stands before every character.
func (c *chunker) parts(whole part, sep string) iter.Seq[part] {
	return func(yield func(part) bool) {
		for begin := whole.begin; begin < whole.end; {
			end := whole.end
			if sep == "" {
				end = begin + runeLen(c.text[begin:whole.end])
			} else {
				from := begin
				if strings.HasPrefix(c.text[begin:whole.end], sep) {
					from += len(sep)
				}
				if n := strings.Index(c.text[from:whole.end], sep); n >= 0 {
					end = from + n
				}
			}
			if !yield(part{begin, end, c.points(c.text[begin:end])}) {
				return
			}
			begin = end
		}
	}
}

func runeLen(s string) int {
	for i := range s {
		if i > 0 {
			return i
		}
	}
	return len(s)
}

// push and flush are LangChain's _merge_splits, one part at a time: a chunk that
// would grow too long is emitted, and of its parts the last stay as the overlap.
func (c *chunker) push(p part) {
	if c.total+p.points > c.size && len(c.window) > 0 {
		c.emit(c.window[0].begin, c.window[len(c.window)-1].end)
		drop := 0
		for c.total > c.overlap || c.total+p.points > c.size && c.total > 0 {
			c.total -= c.window[drop].points
			drop++
		}
		c.window = append(c.window[:0], c.window[drop:]...)
	}
	c.window = append(c.window, p)
	c.total += p.points
}

func (c *chunker) flush() {
	if len(c.window) > 0 {
		c.emit(c.window[0].begin, c.window[len(c.window)-1].end)
	}
	c.window, c.total = c.window[:0], 0
}

// emit yields a chunk without the white space around it, if anything is left.
func (c *chunker) emit(begin, end int) {
	if begin, end = trim(c.text, begin, end); begin < end {
		c.put(begin, end)
	}
}

func (c *chunker) put(begin, end int) {
	if !c.stopped {
		c.stopped = !c.yield(Piece{begin, end, Words(c.text[begin:end])})
	}
}
