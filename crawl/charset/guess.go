package charset

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// guess decodes bytes that are not UTF-8 and not what was declared.
func guess(raw []byte, declaredName string) Decoded {
	suffix := ""
	if declaredName != "" {
		suffix = fmt.Sprintf(", said to be %s", declaredName)
	}
	if mostlyUTF8(raw) {
		text, n := repair(raw)
		return Decoded{text, "utf-8", fmt.Sprintf("%s: %d bytes that are not UTF-8 read as windows-1252%s", ByGuess, n, suffix)}
	}
	if big5Marks(raw) {
		if enc, name := lookup("big5"); enc != nil {
			if text, err := enc.NewDecoder().Bytes(raw); err == nil {
				return Decoded{share(text), name, counted(text, ByGuess+suffixed(suffix))}
			}
		}
	}
	best, most := "windows-1252", score(raw, charmap.Windows1252)
	for _, other := range []struct {
		name string
		page *charmap.Charmap
	}{{"ibm850", charmap.CodePage850}, {"ibm437", charmap.CodePage437}, {"macintosh", charmap.Macintosh}} {
		// The others are rare: they must be clearly better.
		if s := score(raw, other.page); s > most && s > 0 {
			best, most = other.name, s
		}
	}
	enc, name := lookup(best)
	text, err := enc.NewDecoder().Bytes(raw)
	if err != nil { // a table of single bytes cannot fail
		text = []byte(strings.ToValidUTF8(string(raw), "\uFFFD"))
	}
	return Decoded{share(text), name, counted(text, ByGuess+suffixed(suffix))}
}

// suffixed puts what was declared after a colon.
func suffixed(suffix string) string {
	if suffix == "" {
		return ""
	}
	return ": " + suffix[2:]
}

// big5Marks says that a text is ASCII but for quotation marks, dashes, points
// and wide spaces in Big5: English that went through a Chinese word processor.
// Three of them and nothing else are needed, so that no Spanish is taken for it.
func big5Marks(raw []byte) bool {
	marks := 0
	for i := 0; i < len(raw); i++ {
		if raw[i] < 0x80 {
			continue
		}
		if raw[i] != 0xa1 || i+1 == len(raw) || strings.IndexByte("@EKVX\xa5\xa6\xa7\xa8", raw[i+1]) < 0 {
			return false
		}
		marks++
		i++
	}
	return marks >= 3
}

// mostlyUTF8 says that more of the bytes above 0x7f stand in valid UTF-8
// characters than do not.
func mostlyUTF8(raw []byte) bool {
	good, bad := 0, 0
	for i := 0; i < len(raw); {
		if raw[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && size == 1 {
			bad++
		} else {
			good++
		}
		i += size
	}
	return good > 4*bad
}

// repair reads valid UTF-8 as it is and every other byte as Windows-1252.
func repair(raw []byte) (string, int) {
	var b strings.Builder
	b.Grow(len(raw) + len(raw)/64)
	bad := 0
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && size == 1 {
			b.WriteRune(charmap.Windows1252.DecodeByte(raw[i]))
			bad++
		} else {
			b.Write(raw[i : i+size])
		}
		i += size
	}
	return b.String(), bad
}

// score says how much like a text the bytes above 0x7f are in a code page:
// lower-case letters beside letters and quotation marks beside spaces speak for
// it, box drawing, controls and capitals inside words against it.
func score(raw []byte, page *charmap.Charmap) int {
	total, seen := 0, 0
	for i, c := range raw {
		if c < 0x80 {
			continue
		}
		if seen++; seen > 20000 {
			break
		}
		r := page.DecodeByte(c)
		before, after := neighbour(raw, i-1, page), neighbour(raw, i+1, page)
		inWord := unicode.IsLetter(before) || unicode.IsLetter(after)
		switch {
		case r == utf8.RuneError || unicode.IsControl(r):
			total -= 4
		case unicode.IsLower(r) && inWord:
			total += 2
		case unicode.IsUpper(r) && unicode.IsLower(before):
			total -= 2
		case unicode.IsUpper(r) && inWord:
			total++
		case strings.ContainsRune("‘’“”–—…«»„§£°¿¡\u00a0", r):
			total += 2
		case unicode.IsLetter(r):
		default:
			total--
		}
	}
	return total
}

func neighbour(raw []byte, i int, page *charmap.Charmap) rune {
	if i < 0 || i >= len(raw) {
		return ' '
	}
	return page.DecodeByte(raw[i])
}
