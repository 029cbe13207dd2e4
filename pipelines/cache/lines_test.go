package cache

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/commonplace/commonplace/storage"
)

// A file that cannot be read to its end is not one with fewer rows.
func TestRowsThatCannotBeReadAreAnError(t *testing.T) {
	broken := errors.New("broken")
	for after, whole := range map[string]bool{"1\n2\n": false, "1\n2": false, "": false, "1\n2\n3\n": true} {
		from := io.Reader(strings.NewReader(after))
		if !whole {
			from = io.MultiReader(from, iotest.ErrReader(broken))
		}
		rows, err := DecodeLines[int]("x", json.NewDecoder(from))
		if whole && (err != nil || len(rows) != 3) {
			t.Errorf("%q: %v, %v", after, rows, err)
		}
		if !whole && (!errors.Is(err, broken) || !errors.Is(err, storage.ErrRefused) || rows != nil) {
			t.Errorf("%q and then an error: %v, %v", after, rows, err)
		}
	}
}
