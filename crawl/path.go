package crawl

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Path is the name of a file as its system has it: bytes, of whatever encoding.
// As text, such as JSON, which has no bytes, it is written so that reading gives
// the same bytes again.
type Path string

// inBytes is before a path that is written in base64; no path has a NUL.
const inBytes = "\x00"

// MarshalText writes the path.
func (p Path) MarshalText() ([]byte, error) {
	if utf8.ValidString(string(p)) {
		return []byte(p), nil
	}
	return []byte(inBytes + base64.StdEncoding.EncodeToString([]byte(p))), nil
}

// UnmarshalText reads what MarshalText wrote.
func (p *Path) UnmarshalText(text []byte) error {
	encoded, ok := strings.CutPrefix(string(text), inBytes)
	if !ok {
		*p = Path(text)
		return nil
	}
	b, err := base64.StdEncoding.DecodeString(encoded)
	*p = Path(b)
	return err
}

// Printable is a name as rows show it, which are UTF-8: as it is, or quoted, with
// its bytes as escapes. Two names are never shown alike.
func Printable(name string) string {
	if utf8.ValidString(name) && !(strings.HasPrefix(name, `"`) && strings.Contains(name, `\`)) {
		return name
	}
	return strconv.Quote(name)
}

// BadID says what makes an id unfit to be written into tables and looked up
// again. Ids are never used as paths, so ../x and CON are only names.
func BadID(id string) string {
	switch {
	case id == "":
		return "the id is empty"
	case len(id) > 1024:
		return fmt.Sprintf("the id has %d bytes, more than 1024", len(id))
	case !utf8.ValidString(id):
		return "the id is not UTF-8"
	case strings.ContainsFunc(id, func(r rune) bool { return r < 0x20 || r == 0x7f }):
		return fmt.Sprintf("the id %q holds a control character", id)
	}
	return ""
}
