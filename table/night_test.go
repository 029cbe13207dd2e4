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

// A build writes no number that later readers call damaged: behind the last number it is
// refused, before it changes anything, and the run is read as before.
func TestTheLastNumberOfANight(t *testing.T) {
	for _, number := range []int{mostNights - 1, mostNights} {
		run := t.TempDir()
		one, two := filepath.Join(run, nightsFolder, "0"), filepath.Join(run, nightsFolder, "1")
		if err := errors.Join(
			writeNight(t.Context(), one, nightRecord{Number: 3, State: nightWhole, Layout: layout}),
			writeNight(t.Context(), two, nightRecord{Number: number, State: nightWhole, Layout: layout}), // a rollback left it
			storage.Default.Link(t.Context(), nightsFolder+"/0", filepath.Join(run, currentNight))); err != nil {
			t.Fatal(err)
		}
		n, err := OpenNight(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		err = n.Stage(t.Context(), 2)
		if refused := number == mostNights; refused != errors.Is(err, storage.ErrRefused) || !refused && err != nil {
			t.Errorf("%d: %v", number, err)
		}
		if _, err := OpenNight(t.Context(), run); err != nil {
			t.Errorf("%d: afterwards: %v", number, err)
		}
	}
}
