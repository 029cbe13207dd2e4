package bounded

import "io"

// Tags counts the attributes of each tag of XML or HTML before a parser keeps
// them: one takes two bytes in a file and a hundred in memory. What is read
// through it is what the parser sees, so it stands behind a decoder of charsets.
type Tags struct {
	From io.Reader
	HTML bool // scripts and styles hold no tags
	Limits

	state  tagState
	quote  byte
	n      int64
	last   [9]byte // bytes before this one
	hidden string  // how the script or style ends
	name   []byte  // of the tag, in small letters
	err    error
}

type tagState byte

const (
	inText tagState = iota
	atTag           // behind <
	inTag
	inComment
	inCDATA
	inPI
	inHidden
)

// CheckTags holds a whole text to the limit.
func CheckTags(text string, html bool, l Limits) error {
	t := &Tags{HTML: html, Limits: l.WithDefaults()}
	for i := range len(text) {
		if !t.next(text[i]) {
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
		if !t.next(c) {
			return 0, t.err
		}
	}
	return n, err
}

// next takes a byte in; false means that the tag has too many attributes.
func (t *Tags) next(c byte) bool {
	switch t.state {
	case inText:
		if c == '<' {
			t.state, t.n, t.quote, t.name = atTag, 0, 0, t.name[:0]
		}
		return true
	case atTag:
		switch {
		case c == '!' && len(t.name) == 0 || len(t.name) > 0 && t.name[0] == '!':
			t.name = append(t.name, c)
			switch {
			case string(t.name) == "!--":
				t.state, t.last = inComment, [9]byte{}
			case string(t.name) == "![CDATA[" && !t.HTML:
				t.state, t.last = inCDATA, [9]byte{}
			case len(t.name) > 8 || c == '>':
				t.state = inText // a DOCTYPE, which parsers do not take apart
			}
			return true
		case c == '?' && len(t.name) == 0:
			t.state = inPI
			return true
		case c == '/' && len(t.name) == 0:
			t.name = append(t.name, c)
			return true
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 || len(t.name) > 0 && c != '>' && c > ' ' && c != '/':
			if len(t.name) < 9 {
				t.name = append(t.name, c|0x20)
			}
			return true
		case len(t.name) == 0 || string(t.name) == "/":
			t.state = inText // a < in a text
			return true
		}
		t.state = inTag
		return t.tag(c)
	case inTag:
		return t.tag(c)
	}
	copy(t.last[:], t.last[1:])
	t.last[8] = c
	switch {
	case t.state == inPI && c == '>',
		t.state == inComment && c == '>' && string(t.last[6:8]) == "--",
		t.state == inCDATA && c == '>' && string(t.last[6:8]) == "]]":
		t.state = inText
	case t.state == inHidden && fold(t.last[9-len(t.hidden):]) == t.hidden:
		t.state, t.name = inTag, t.name[:0]
	}
	return true
}

// tag takes in a byte behind a tag's name.
func (t *Tags) tag(c byte) bool {
	switch {
	case t.quote != 0:
		if c == t.quote {
			t.quote = 0
		}
	case c == '"' || c == '\'':
		t.quote = c
	case c == '>':
		t.state = inText
		if name := string(t.name); t.HTML && (name == "script" || name == "style") {
			t.state, t.hidden, t.last = inHidden, "</"+name, [9]byte{}
		}
	case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '/':
		// What separates attributes is not more than they are by much: of a run of
		// white space the first counts.
		if p := t.last[8]; p != ' ' && p != '\t' && p != '\n' && p != '\r' && p != '\f' {
			t.n++
		}
	case c == '=':
		t.n++
	}
	t.last[8] = c
	if t.n > 2*t.Attributes {
		t.err = Over("attributes", t.Attributes, "a tag has more than %d attributes", t.Attributes)
		return false
	}
	return true
}

func fold(b []byte) string {
	small := make([]byte, len(b))
	for i, c := range b {
		if small[i] = c; c >= 'A' && c <= 'Z' {
			small[i] = c | 0x20
		}
	}
	return string(small)
}
