package files

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
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
	{"WARC/1.", "a WARC file"},
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
// name that does not say so. It would be read as prose, and be searched. A record has a
// text, or an id and something else; it may be in a list.
func isRecord(raw []byte) bool {
	record := firstObject(raw)
	var text *string
	if json.Unmarshal(record["text"], &text) == nil && text != nil {
		return true
	}
	return len(record) > 1 && len(record["id"])+len(record["doc_id"]) > 0
}

// isTable says that a file begins with the header of a table of documents, as CSV has it, under
// a name that does not say so.
func isTable(raw []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(raw[:min(len(raw), mostHead)], []byte("\ufeff")), []byte("\n"))
	text := strings.ReplaceAll(string(line), `"`, "")
	return slices.ContainsFunc([]string{",", ";", "\t"}, func(comma string) bool {
		header := trimmed(strings.Split(text, comma))
		return has(header, "text") && has(header, "id", "doc_id")
	})
}

// firstObject is the JSON object with which a file begins, or with which a list begins that
// the file begins with; nil if it begins otherwise, also if words follow the object.
func firstObject(raw []byte) map[string]json.RawMessage {
	raw = bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff")))
	if inner, in := bytes.CutPrefix(raw, []byte("[")); in {
		raw = bytes.TrimSpace(inner)
	}
	var object map[string]json.RawMessage
	d := json.NewDecoder(bytes.NewReader(raw))
	if !bytes.HasPrefix(raw, []byte("{")) || d.Decode(&object) != nil {
		return nil
	}
	rest := bytes.TrimLeft(raw[d.InputOffset():], " \t")
	if len(rest) > 0 && !bytes.ContainsAny(rest[:1], "\r\n,]") {
		return nil
	}
	return object
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
