package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/bounded"
)

// What is kept of located spans and of metadata counts against the config's limits,
// lines that are refused too.
func TestSpansAndMetadataWithinLimits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines.jsonl")
	for what, line := range map[string]string{"spans": `{"document":"a","begin":0,"end":1}`, "refused": `[]`, "long": `"` + strings.Repeat("x", 100) + `"`} {
		if err := os.WriteFile(path, []byte(strings.Repeat(line+"\n", 1000)), 0o644); err != nil {
			t.Fatal(err)
		}
		l := bounded.Limits{Memory: 100_000, Line: 80}
		_, err := ReadSpans(t.Context(), path, nil, l)
		var over *bounded.Error
		if !errors.As(err, &over) || !strings.Contains(err.Error(), "limits.memory") {
			t.Errorf("%s: %v", what, err)
		}
		l.Memory = 0
		if read, err := ReadSpans(t.Context(), path, nil, l); err != nil || len(read.Spans)+len(read.Rejects) != 1000 {
			t.Errorf("%s, with room: %d and %d, %v", what, len(read.Spans), len(read.Rejects), err)
		}
	}
	if err := os.WriteFile(path, []byte(strings.Repeat(`{"id":"a","title":"T"}`+"\n", 1000)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := ReadMetadata(t.Context(), path, nil, bounded.Limits{Memory: 100_000}, map[string]Metadata{}); err == nil || !strings.Contains(err.Error(), "limits.memory") {
		t.Errorf("metadata: %v", err)
	}
}
