package charset

import "bytes"

// Declared is the encoding that a Project Gutenberg header names in its line
// "Character set encoding:", empty when there is none in the first bytes.
func Declared(raw []byte) string {
	head := raw[:min(len(raw), 16<<10)]
	for _, label := range []string{"Character set encoding:", "Character Set Encoding:", "Character set:"} {
		_, rest, ok := bytes.Cut(head, []byte(label))
		if !ok {
			continue
		}
		if end := bytes.IndexAny(rest, "\r\n"); end >= 0 {
			rest = rest[:end]
		}
		return string(bytes.TrimSpace(rest[:min(len(rest), 60)]))
	}
	return ""
}
