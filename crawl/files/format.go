package files

import (
	"bytes"
	"encoding/json"
)

// magic are the first bytes of formats that come under a text's name.
var magic = []struct{ bytes, name string }{
	{"%PDF-", "a PDF"},
	{"PK\x03\x04", "a zip archive"},
	{"\x1f\x8b", "a gzip file (inside another, or without .gz in its name)"},
	{"BZh", "a bzip2 file"},
	{"\xfd7zXZ\x00", "an xz file"},
	{"\x28\xb5\x2f\xfd", "a zstd file"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{"\x89PNG\r\n", "a PNG image"},
	{"\xff\xd8\xff", "a JPEG image"},
	{"GIF8", "a GIF image"},
	{"II*\x00", "a TIFF image"},
	{"MM\x00*", "a TIFF image"},
	{"\x7fELF", "a program"},
	{"PAR1", "a Parquet file"},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Word file"},
	{"{\\rtf", "an RTF file"},
}

// otherFormat names the format that the bytes are in, empty for texts.
func otherFormat(raw []byte) string {
	for _, m := range magic {
		if bytes.HasPrefix(raw, []byte(m.bytes)) {
			return m.name
		}
	}
	return ""
}

// isRecord says that a file begins with a record of a list, such as passim's input under a
// name that does not say so. Its first line would be read as prose, and be searched.
func isRecord(raw []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(raw, []byte("\ufeff")), []byte("\n"))
	if !bytes.HasPrefix(line, []byte("{")) {
		return false
	}
	var record struct {
		Text *string `json:"text"`
	}
	return json.Unmarshal(line, &record) == nil && record.Text != nil
}

// controls counts the control characters that no text has.
func controls(text string) int {
	n := 0
	for i := range len(text) {
		if c := text[i]; c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\v' && c != 0x1a && c != 0x1b {
			n++
		}
	}
	return n
}
