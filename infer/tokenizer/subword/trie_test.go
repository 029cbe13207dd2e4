package subword

import (
	"fmt"
	"testing"
)

// A vocabulary leaves holes of one place, and then has states that need two places. They
// are not looked for in all holes.
func TestHolesThatFitNothing(t *testing.T) {
	vocabulary := map[string]int32{}
	const groups = 5000
	for i := range groups {
		for _, c := range "0124560" {
			vocabulary[fmt.Sprintf("A%05d%c", i, c)] = 0
		}
		vocabulary[fmt.Sprintf("B%05d0", i)], vocabulary[fmt.Sprintf("B%05d1", i)] = 1, 2
	}
	m := newTrie(vocabulary)
	if states := len(vocabulary) + 3*groups; m.tried > 400*states {
		t.Errorf("%d places were tried for some %d states", m.tried, states)
	}
	if len(m.check) > 4*len(vocabulary) {
		t.Errorf("%d tokens take %d places", len(vocabulary), len(m.check))
	}
	for token, want := range vocabulary {
		at, id := m.root(), int32(-1)
		for k := range len(token) {
			at, id, _ = m.step(at, token[k])
		}
		if id != want {
			t.Fatalf("%s: %d, want %d", token, id, want)
		}
	}
}
