package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// A record's members have exact names, each once, and texts of whole characters,
// in every list alike.
func TestRecordsHaveExactNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.jsonl")
	deep := strings.Repeat("[", 600) + strings.Repeat("]", 600)
	for line, want := range map[string]struct{ conversation, object string }{
		`{"id":"a","turns":["x"],"quotation":"q","document":"a","begin":0,"end":1}`:                 {"", ""},
		`{"ID":"a","turns":["x"],"quotation":"q","Document":"a","begin":0,"end":1}`:                 {ReasonNoID, ReasonWrongType},
		`{"id":"a","Id":"b","Quotation":"w","quotation":"q","document":"a","begin":0,"end":1}`:      {"", ""},
		`{"id":"a","id":"b","quotation":"q","document":"a","document":"b","begin":0,"end":1}`:       {ReasonBrokenLine, ReasonBrokenLine},
		`{"id":"a","turns":["\ud800"],"quotation":"q","document":"a","begin":0,"end":1,"text":"x"}`: {ReasonBrokenLine, ReasonBrokenLine},
		`{"id":"a","quotation":"\udc00q","document":"a","begin":0,"end":1}`:                         {ReasonBrokenLine, ReasonBrokenLine},
		`{"id":"a","turns":"x","quotation":"q","document":"a","begin":0,"end":1}`:                   {ReasonWrongType, ""},
		`{"id":"a","quotation":7,"document":"a","begin":0,"end":1}`:                                 {ReasonWrongType, ""},
		`{"id":["a"],"quotation":"q","document":["a"],"begin":0,"end":1}`:                           {ReasonWrongType, ReasonWrongType},
		`{"id":"a","quotation":"q","document":"a","begin":0,"end":1,"more":` + deep + `}`:           {ReasonLimit, ReasonLimit},
	} {
		if err := os.WriteFile(path, []byte(line+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		var reason string
		for c, err := range ReadConversations(t.Context(), path, bounded.Limits{}) {
			if reject := commonplace.RejectOf(err); reject != nil {
				reason = reject.Reason
			} else if c.ID != "a" || c.Quotation != "q" {
				t.Errorf("%.80s: %+v", line, c)
			}
		}
		if reason != want.conversation {
			t.Errorf("%.80s as a conversation: %q, want %q", line, reason, want.conversation)
		}
		read, err := ReadSpans(t.Context(), path, nil, bounded.Limits{})
		reason = ""
		if len(read.Rejects) > 0 {
			reason = read.Rejects[0].Reason
		}
		if err != nil || reason != want.object || len(read.Spans)+len(read.Rejects) != 1 {
			t.Errorf("%.80s as a span: %v, %q, want %q", line, err, reason, want.object)
		}
	}
}

// What a config names is among what is read.
func TestOwnNamesAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.jsonl")
	if err := os.WriteFile(path, []byte(`{"book":"a","Titel":"T","begin":1,"end":2}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	to := map[string]Metadata{}
	if err := ReadMetadata(t.Context(), path, map[string]string{"id": "book", "title": "Titel"}, bounded.Limits{}, to); err != nil || to["a"]["title"] != "T" {
		t.Error(to, err)
	}
	read, err := ReadSpans(t.Context(), path, map[string]string{"document": "book"}, bounded.Limits{})
	if err != nil || len(read.Spans) != 1 || read.Spans[0].DocID != "a" {
		t.Error(read, err)
	}
}

// A reject shows a name's bytes, of the file and of a file that has its id, and never two
// names alike.
func TestRejectsShowTheBytesOfNames(t *testing.T) {
	for _, c := range []struct{ path, where, want string }{
		{"v/bad\xe9name.txt", "", `"v/bad\xe9name.txt"`},
		{"v/bad\xe9name.jsonl", ":12", `"v/bad\xe9name.jsonl:12"`},
		{"v/bad\ufffdname.txt", "", "v/bad\ufffdname.txt"},
		{"v/good.zip", ":a.txt", "v/good.zip:a.txt"},
		{`"v/a\b"`, "", `"\"v/a\\b\""`},
	} {
		r := *rejected("id", c.path+c.where, ReasonBadID, "")
		if r.Location != c.want || Located(r) != c.path+c.where {
			t.Errorf("%q%s is at %s, and lies at %q", c.path, c.where, r.Location, Located(r))
		}
	}
	twice := Duplicate{File{ID: "a", Path: "a.txt.gz"}, File{ID: "a", Path: "\xe9/a.txt"}}
	if got, want := twice.Reject().Detail, `"\xe9/a.txt" has this id already`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
