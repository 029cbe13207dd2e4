package files

import "testing"

// A file whose first line is a record is a list under another name; a text that only
// begins with a brace is a text.
func TestIsRecord(t *testing.T) {
	for content, want := range map[string]bool{
		`{"id": "a", "text": "All of it."}`:             true,
		"\ufeff{\"text\": \"\"}\r\n{\"text\": \"b\"}\n": true,
		`{"id": "a"}`:           false,
		`{"text": 7}`:           false,
		"{\n\"text\": \"a\"}":   false,
		`{"text": "a"} said he`: false,
		"":                      false,
	} {
		if isRecord([]byte(content)) != want {
			t.Errorf("%s: %v", content, !want)
		}
	}
}
