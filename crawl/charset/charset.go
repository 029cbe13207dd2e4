// Package charset decides which encoding the bytes of a text are in, decodes
// them, and says why.
//
// The order is that of certainty: a byte order mark; bytes that are valid
// UTF-8 whatever they are declared to be; the encoding that the caller or the
// file's own Project Gutenberg header declares; a guess. Nothing is dropped:
// what the chosen encoding has no character for becomes U+FFFD or, in a UTF-8
// file with stray bytes, the Windows-1252 character, and the reason counts them.
package charset

import (
	"fmt"
	"strings"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// Reasons, the first word or words of what Decode returns.
const (
	ByBOM      = "bom"
	ValidUTF8  = "valid utf-8"
	ByDeclared = "declared"
	ByGuess    = "guessed"
)

// Decoded is a text and how it was read from bytes.
type Decoded struct {
	Text     string
	Encoding string // in the WHATWG's spelling, such as utf-8, windows-1252, utf-16le
	Reason   string // one of the reasons above; then, after a colon, what was odd
}

// Decode decodes raw, whose declared encoding may be empty. The result shares
// memory with raw where raw is UTF-8: do not change raw afterwards. An
// error means that the bytes are no text in any encoding that is tried.
func Decode(raw []byte, declared string) (Decoded, error) {
	if d, ok, err := decodeBOM(raw); ok || err != nil {
		return d, err
	}
	if utf8.Valid(raw) {
		d := Decoded{Text: share(raw), Encoding: "utf-8", Reason: ValidUTF8}
		if name := wide(raw); name != "" { // ASCII in UTF-16 is valid UTF-8, full of NULs
			return decodeWide(raw, name, ByGuess+": no byte order mark")
		}
		return d, nil
	}
	if name := wide(raw); name != "" {
		return decodeWide(raw, name, ByGuess+": no byte order mark")
	}
	declaredName := declared
	if declaredName == "" {
		declaredName = Declared(raw)
	}
	if d, ok := decodeDeclared(raw, declaredName); ok {
		return d, nil
	}
	return guess(raw, declaredName), nil
}

// share is string(raw) without the copy.
func share(raw []byte) string { return unsafe.String(unsafe.SliceData(raw), len(raw)) }

func decodeBOM(raw []byte) (Decoded, bool, error) {
	has := func(mark string) bool { return len(raw) >= len(mark) && string(raw[:len(mark)]) == mark }
	switch {
	case has("\xef\xbb\xbf"):
		body := raw[3:]
		if utf8.Valid(body) {
			return Decoded{share(body), "utf-8", ByBOM}, true, nil
		}
		text, n := repair(body)
		return Decoded{text, "utf-8", fmt.Sprintf("%s: %d bytes that are not UTF-8 read as windows-1252", ByBOM, n)}, true, nil
	case has("\xff\xfe\x00\x00"):
		return wideBOM(raw[4:], "utf-32le")
	case has("\x00\x00\xfe\xff"):
		return wideBOM(raw[4:], "utf-32be")
	case has("\xff\xfe"):
		return wideBOM(raw[2:], "utf-16le")
	case has("\xfe\xff"):
		return wideBOM(raw[2:], "utf-16be")
	}
	return Decoded{}, false, nil
}

func wideBOM(raw []byte, name string) (Decoded, bool, error) {
	d, err := decodeWide(raw, name, ByBOM)
	return d, err == nil, err
}

var wideEncodings = map[string]encoding.Encoding{
	"utf-16le": unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	"utf-16be": unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	"utf-32le": utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM),
	"utf-32be": utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
}

func decodeWide(raw []byte, name, reason string) (Decoded, error) {
	text, err := wideEncodings[name].NewDecoder().Bytes(raw)
	if err != nil {
		return Decoded{}, fmt.Errorf("charset: decode %s: %w", name, err)
	}
	return Decoded{share(text), name, counted(text, reason)}, nil
}

// counted adds to a reason how many characters could not be decoded.
func counted(text []byte, reason string) string {
	n := strings.Count(share(text), "\uFFFD")
	if n == 0 {
		return reason
	}
	sep := ": "
	if strings.Contains(reason, ": ") {
		sep = ", "
	}
	return fmt.Sprintf("%s%s%d characters could not be decoded and are U+FFFD", reason, sep, n)
}

// wide guesses UTF-16 without a mark from where the NULs of Latin letters are.
func wide(raw []byte) string {
	head := raw[:min(len(raw), 4096)]
	var nul [2]int
	for i, c := range head {
		if c == 0 {
			nul[i&1]++
		}
	}
	half := len(head) / 2
	switch {
	case half < 2:
		return ""
	case nul[1]*10 >= half*7 && nul[0]*10 < half:
		return "utf-16le"
	case nul[0]*10 >= half*7 && nul[1]*10 < half:
		return "utf-16be"
	}
	return ""
}

// decodeDeclared decodes raw as declared, if that is a known encoding that can hold
// these bytes. Latin-1 is read as Windows-1252, its superset, as browsers do.
func decodeDeclared(raw []byte, declaredName string) (Decoded, bool) {
	enc, name := lookup(declaredName)
	if enc == nil || name == "utf-8" || name == "us-ascii" || name == "replacement" || wideEncodings[name] != nil {
		return Decoded{}, false // raw is none of these, whatever is declared; replacement would lose it all
	}
	text, err := enc.NewDecoder().Bytes(raw)
	if err != nil {
		return Decoded{}, false
	}
	reason := ByDeclared
	if latin1(declaredName) && hasC1(raw) {
		reason += fmt.Sprintf(": said to be %s, holds bytes 0x80 to 0x9f of windows-1252", declaredName)
	}
	return Decoded{share(text), name, counted(text, reason)}, true
}

// Named is the encoding that a label names. It is none where the label is unknown,
// or names what cannot be decoded, such as ISO-2022-KR, for which the standard has
// one character for the whole text.
func Named(label string) (enc encoding.Encoding, known bool) {
	enc, name := lookup(label)
	if name == "replacement" {
		return nil, true
	}
	return enc, enc != nil
}

// Undecoded says how many characters of a decoded text could not be decoded.
func Undecoded(text, reason string) string { return counted([]byte(text), reason) }

// lookup knows the WHATWG's and IANA's names and the ways Gutenberg writes them.
func lookup(declaredName string) (encoding.Encoding, string) {
	key := strings.ToLower(strings.TrimSpace(declaredName))
	switch squeezed := strings.NewReplacer(" ", "", "-", "", "_", "").Replace(key); squeezed {
	case "":
		return nil, ""
	case "ascii", "usascii", "iso646us":
		return charmap.Windows1252, "us-ascii"
	case "isolatin1", "latin1", "iso88591", "iso8859", "ansi":
		return charmap.Windows1252, "windows-1252"
	case "cp1252", "codepage1252", "windowscodepage1252", "windows1252":
		return charmap.Windows1252, "windows-1252"
	case "unicodeutf8", "utf8", "unicode":
		return encoding.Nop, "utf-8"
	case "cp437", "ibm437":
		return charmap.CodePage437, "ibm437"
	case "cp850", "ibm850":
		return charmap.CodePage850, "ibm850"
	}
	if enc, err := htmlindex.Get(key); err == nil {
		if name, err := htmlindex.Name(enc); err == nil {
			return enc, name
		}
	}
	if enc, err := ianaindex.IANA.Encoding(key); err == nil && enc != nil {
		return enc, key
	}
	return nil, ""
}

func latin1(declaredName string) bool {
	switch strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(declaredName)) {
	case "isolatin1", "latin1", "iso88591", "iso8859":
		return true
	}
	return false
}

func hasC1(raw []byte) bool {
	for _, c := range raw {
		if c >= 0x80 && c <= 0x9f {
			return true
		}
	}
	return false
}
