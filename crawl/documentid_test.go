package crawl

import (
	"encoding/json"
	"testing"
)

// An id survives the way through JSON byte for byte, the zero value stays no id, and what
// is no id does not become one.
func TestDocumentIDsTravel(t *testing.T) {
	for _, text := range []string{"a", "uc2.ark:/13960/t1", "../x", "Ünïcode \u2028 <&>", "\\", `"`} {
		id, err := ParseDocumentID(text)
		if err != nil || id.IsZero() || id.String() != text {
			t.Fatalf("%q: %q, %v", text, id, err)
		}
		b, err := json.Marshal(id)
		if err != nil {
			t.Fatal(err)
		}
		var back DocumentID
		if err := json.Unmarshal(b, &back); err != nil || back != id {
			t.Errorf("%s became %q: %v", b, back, err)
		}
	}
	back := DocumentID{"before"}
	if err := json.Unmarshal([]byte(`""`), &back); err != nil || !back.IsZero() {
		t.Errorf("an empty id became %q: %v", back, err)
	}
	for _, text := range []string{"", "a\xffb", "a\nb"} {
		if id, err := ParseDocumentID(text); err == nil || !id.IsZero() {
			t.Errorf("%q is taken", text)
		}
	}
	if err := json.Unmarshal([]byte(`"a\u0007b"`), &back); err == nil {
		t.Errorf("a control character is taken: %q", back)
	}
}
