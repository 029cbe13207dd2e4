package table

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// A link in the place of a night, or of a folder in one, leads no build out of the run:
// it is refused, and nothing is written or removed behind it.
func TestLinkedNightsAreRefused(t *testing.T) {
	for _, linked := range []string{".nights", ".nights/0", ".nights/1", ".nights/1/documents", ".nights/0/records", ".nights/1/records/documents", ".nights/1/rejects", ".nights/1/rejects/crawl", ".nights/1/scores/.records"} {
		run, elsewhere := t.TempDir(), t.TempDir()
		for number, state := range []string{nightWhole, nightPreparing} {
			dir := filepath.Join(run, nightsFolder, string(rune('0'+number)))
			if err := writeNight(t.Context(), dir, nightRecord{Number: number, State: state, Layout: layout}); err != nil {
				t.Fatal(err)
			}
		}
		if err := storage.Default.Link(t.Context(), nightsFolder+"/0", filepath.Join(run, currentNight)); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenNight(t.Context(), run); err != nil {
			t.Fatalf("without a link: %v", err)
		}
		at := filepath.Join(run, linked)
		target := filepath.Join(elsewhere, "theirs")
		if _, err := os.Lstat(at); err == nil {
			err = os.Rename(at, target)
		} else {
			err = errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.Mkdir(target, 0o755))
		}
		shard := filepath.Join(target, ShardName(0, 1))
		if err := errors.Join(os.WriteFile(shard, []byte("theirs"), 0o644), os.MkdirAll(filepath.Dir(at), 0o755), os.Symlink(target, at)); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenNight(t.Context(), run); !errors.Is(err, storage.ErrDamaged) {
			t.Errorf("%s: %v", linked, err)
		}
		if err := RemoveShards(t.Context(), at); err != nil {
			t.Errorf("%s: %v", linked, err)
		}
		if _, err := os.Stat(shard); err != nil {
			t.Errorf("behind the link: %v", err)
		}
	}
}

// A run that has no version yet is not begun behind a link.
func TestANewRunIsNotBegunBehindALink(t *testing.T) {
	run, elsewhere := t.TempDir(), t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(run, nightsFolder)); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenNight(t.Context(), run); !errors.Is(err, storage.ErrDamaged) {
		t.Errorf("%v", err)
	}
}
