package infer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Two users of one process that load, ask and close models of their own get the
// answers that each gets alone.
func TestTwoUsersOfOneProcess(t *testing.T) {
	needLibrary(t)
	pairs := somePairs()[:20]
	names := tinyFolders(t)
	want := map[string][]any{}
	for _, name := range names {
		want[name] = ask(load(t, filepath.Join(tinyModels, name)), t, pairs)
	}
	var users sync.WaitGroup
	for user := range 2 {
		mine := slices.Clone(names)
		if user == 1 {
			slices.Reverse(mine)
		}
		users.Go(func() {
			for _, name := range mine {
				m, err := LoadModel(filepath.Join(tinyModels, name), Options{Workers: 1 + user})
				if err != nil {
					t.Error(err)
					return
				}
				if got := ask(m, t, pairs); !reflect.DeepEqual(got, want[name]) {
					t.Errorf("user %d: %s answers otherwise beside another user", user, name)
				}
				if err := m.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	users.Wait()
}

// A process has one ONNX Runtime: a second is refused, and not passed over.
func TestASecondLibraryIsRefused(t *testing.T) {
	library, err := Library()
	if err != nil {
		t.Skip(err)
	}
	load(t, tinyModels+"/rank")
	link := filepath.Join(t.TempDir(), "same.so")
	if err := os.Symlink(library, link); err != nil {
		t.Skip(err)
	}
	for _, same := range []string{library, link} {
		m, err := LoadModel(tinyModels+"/rank", Options{Library: same})
		if err != nil {
			t.Fatal(err)
		}
		m.Close()
	}
	other := filepath.Join(t.TempDir(), "other.so")
	if _, err := LoadModel(tinyModels+"/rank", Options{Library: other}); !errors.Is(err, errOtherLibrary) || !strings.Contains(fmt.Sprint(err), other) {
		t.Error(err)
	}
}
