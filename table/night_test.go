package table

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// A night whose record has a number that none can have is damaged: the next number would
// not be larger.
func TestNumbersOfNights(t *testing.T) {
	for record, possible := range map[string]bool{
		`{"number": 0, "state": "first"}`:                              true,
		`{"number": 1000000000, "state": "next", "from": 999999999}`:   true,
		`{"number": 1000000001, "state": "whole"}`:                     false,
		`{"number": 9223372036854775807, "state": "whole"}`:            false,
		`{"number": 9223372036854775808, "state": "whole"}`:            false,
		`{"number": -1, "state": "whole"}`:                             false,
		`{"number": 1, "state": "next", "from": -9223372036854775808}`: false,
		`{"number": 1, "state": "next", "from": 9223372036854775807}`:  false,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, nightFile), []byte(record), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readNight(t.Context(), dir); possible != (err == nil) || !possible && !errors.Is(err, storage.ErrDamaged) {
			t.Errorf("%s: %v", record, err)
		}
	}
}
