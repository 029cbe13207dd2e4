package table

import (
	"errors"
	"strconv"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// The version before is the latest whole one with other rows, and none that was rolled back.
func TestBefore(t *testing.T) {
	run := t.TempDir()
	night := func(number int) string { return storage.Join(run, nightsFolder, strconv.Itoa(number)) }
	for number, n := range map[int]struct {
		state, rows string
		from        int
	}{1: {nightWhole, "a", 0}, 2: {nightWhole, "b", 0}, 3: {nightWhole, "b", 0}, 4: {nightWhole, "c", 0}, 5: {nightNext, "d", 3}, 6: {nightPreparing, "e", 0}} {
		c := Commit{Table: "rankings", Stage: "rank", Shards: []ShardRecord{{File: ShardName(0, 1), SHA256: n.rows}}}
		err := WriteCommit(t.Context(), storage.Default, night(number), c)
		if err == nil {
			err = writeNight(t.Context(), night(number), nightRecord{Number: number, State: n.state, From: n.from, Layout: layout})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := storage.Default.Link(t.Context(), nightsFolder+"/3", storage.Join(run, currentNight)); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{run: night(1), night(1): "", night(2): night(1), night(3): night(1), night(4): night(3), night(5): night(3)} {
		c, err := ReadCommit(t.Context(), storage.Default, dir, "rankings")
		if dir == run {
			c, err = ReadCommit(t.Context(), storage.Default, night(3), "rankings")
		}
		if err != nil {
			t.Fatal(err)
		}
		_, got, err := Before(t.Context(), dir, c)
		if got != want || errors.Is(err, ErrNoRecord) != (want == "") {
			t.Errorf("before %s comes %q, want %q: %v", dir, got, want, err)
		}
	}
}
