package bounded

import "io"

// Tags counts the attributes of each tag of XML or HTML before a parser keeps
// them: one takes two bytes in a file and a hundred in memory. What is read
// through it is what the parser sees, so it stands behind a decoder of charsets.
//
// Where a comment, a script or a declaration ends differs from parser to parser. So Tags
// does not ask: each < before a name may begin a tag, whatever it stands in, and all tags
// that may be open are followed. Of those in one state the longest is enough.
type Tags struct {
	From io.Reader
	Limits

	open  [states]int64 // attributes of the tag that may be in the state, and 1; 0: none is
	any   bool          // one of them is
	begun bool          // the last byte was a <
	err   error
}

// The states of a tag, as parsers of HTML have them. Those of XML are some of them.
const (
	inName = iota // of the tag
	between
	inKey
	behindKey
	beforeValue
	inValue
	inDouble // quotes
	inSingle
	states
)

// CheckTags holds a whole text to the limit.
func CheckTags(text string, l Limits) error {
	t := &Tags{Limits: l.WithDefaults()}
	for i := range len(text) {
		if t.next(text[i]); t.err != nil {
			return t.err
		}
	}
	return nil
}

func (t *Tags) Read(p []byte) (int, error) {
	if t.err != nil {
		return 0, t.err
	}
	t.Limits = t.WithDefaults()
	n, err := t.From.Read(p)
	for _, c := range p[:n] {
		if t.next(c); t.err != nil {
			return 0, t.err
		}
	}
	return n, err
}

// next takes a byte in.
func (t *Tags) next(c byte) {
	if t.any {
		t.follow(c)
	}
	if t.begun && (c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == ':' || c >= 0x80) {
		t.open[inName], t.any = max(t.open[inName], 1), true
	}
	t.begun = c == '<'
}

// follow moves the tags that may be open on by a byte.
func (t *Tags) follow(c byte) {
	var now [states]int64
	t.any = false
	for state, n := range t.open {
		if n == 0 {
			continue
		}
		to := step(state, c)
		if to == states {
			continue
		}
		if to == inKey && state != inKey {
			if n++; n-1 > t.Attributes {
				t.err = Over("attributes", t.Attributes, "a tag has more than %d attributes", t.Attributes)
			}
		}
		now[to], t.any = max(now[to], n), true
	}
	t.open = now
}

// step is the state behind a byte; states: the tag ends.
func step(state int, c byte) int {
	space := c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'
	switch {
	case state == inDouble && c == '"', state == inSingle && c == '\'':
		return between
	case state == inDouble, state == inSingle:
		return state
	case c == '>':
		return states
	case state == beforeValue && c == '"':
		return inDouble
	case state == beforeValue && c == '\'':
		return inSingle
	case state == beforeValue && !space:
		return inValue
	case state == inKey && space:
		return behindKey
	case state == beforeValue, state == behindKey && space:
		return state
	case (state == inKey || state == behindKey) && c == '=':
		return beforeValue
	case space, c == '/' && state != inValue:
		return between
	case state == between, state == behindKey:
		return inKey
	}
	return state
}
