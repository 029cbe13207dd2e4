package engine

import (
	"strings"
	"testing"

	"github.com/commonplace/commonplace/table"
)

// Files are named by their paths below the run, however the run is named.
func TestBelow(t *testing.T) {
	for _, c := range [][3]string{
		{"out", "out/documents/a", "documents/a"},
		{"out/", "out/documents/a", "documents/a"},
		{"./out", "out/.nights/0/a", ".nights/0/a"},
		{".", ".nights/0/a", ".nights/0/a"},
		{"/x/../y/out", "/y/out/a", "a"},
		{"gs://bucket/out", "gs://bucket/out/.nights/0/a", ".nights/0/a"},
		{"gs://bucket/out/", "gs://bucket/out/a", "a"},
	} {
		if got := below(c[0], c[1]); got != c[2] {
			t.Errorf("below %s, %s is %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

// A build whose lease is gone says so, and names no process 0.
func TestALeaseThatIsGone(t *testing.T) {
	l := &lease{path: "out/" + table.LeaseFile}
	if err := l.taken(leaseRecord{}); !strings.Contains(err.Error(), "somebody removed "+table.LeaseFile) || strings.Contains(err.Error(), "process") {
		t.Error(err)
	}
}
