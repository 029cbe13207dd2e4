package features

import (
	"strings"
	"testing"
)

func TestDescribe(t *testing.T) {
	r, err := NewReader(Names)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"Nothing ages like happiness.":                         "about happiness; denies something; short; no names",
		"Mr. Darcy walked off; and Elizabeth remained there.":  "told in the past; short; with names",
		"I shall never forget the kindness of my old friend.":  "in the first person; about kindness, old, friend; denies something; short; no names",
		"What is a man profited, if he shall gain the world?":  "a question; about man, world; short; no names",
		"You will find that the truth is better than a lie.":   "speaks to a “you”; about truth, lie; compares; short; no names",
		"Time is the best healer, and every heart has its own": "a general statement in the present; about time, heart; compares; speaks of all or of none; short; no names",
	} {
		said, err := r.Describe(line)
		if got := strings.Join(said, "; "); err != nil || got != want {
			t.Errorf("%q is %q, want %q (%v)", line, got, want, err)
		}
	}
}
