package subword

import "slices"

// trie holds the vocabulary as a double array over bytes: the child of a state
// by byte b is base+b where check says so.
type trie struct {
	base, check, id []int32
	tried           int // places, of all states
}

func newTrie(vocabulary map[string]int32) *trie {
	keys := make([]string, 0, len(vocabulary))
	for k := range vocabulary {
		if k != "" {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	t := &trie{}
	t.grow(512)
	t.check[0] = 0
	t.build(keys, vocabulary, 0, 0, new(int))
	return t
}

func (t *trie) grow(n int) {
	for len(t.base) < n {
		t.base = append(t.base, 0)
		t.check = append(t.check, -1)
		t.id = append(t.id, -1)
	}
}

// build places the children of a state: keys share their first depth bytes.
func (t *trie) build(keys []string, vocabulary map[string]int32, state int32, depth int, free *int) {
	if len(keys) > 0 && len(keys[0]) == depth {
		t.id[state] = vocabulary[keys[0]]
		keys = keys[1:]
	}
	if len(keys) == 0 {
		return
	}
	var bytes []byte
	var groups [][]string
	for i := 0; i < len(keys); {
		j := i
		for j < len(keys) && keys[j][depth] == keys[i][depth] {
			j++
		}
		bytes = append(bytes, keys[i][depth])
		groups = append(groups, keys[i:j])
		i = j
	}
	base := t.place(bytes, free)
	t.base[state] = base
	for _, b := range bytes {
		t.check[base+int32(b)] = state
	}
	for i, b := range bytes {
		t.build(groups[i], vocabulary, base+int32(b), depth+1, free)
	}
}

// mostPlaces is how many places are tried for one state. A vocabulary in use needs fewer.
const mostPlaces = 1 << 12

// place finds a base under which all bytes are free.
func (t *trie) place(bytes []byte, free *int) int32 {
	for *free < len(t.check) && t.check[*free] >= 0 {
		*free++
	}
	from, taken := max(*free, int(bytes[0])+1), 0
	for slot := from; ; slot++ {
		if slot-from == mostPlaces { // holes that fit nothing: behind all places, everything fits
			slot = max(slot, len(t.check))
			*free = slot
		}
		t.tried++
		base := slot - int(bytes[0])
		t.grow(base + 256)
		if t.check[slot] >= 0 {
			taken++
			continue
		}
		fits := true
		for _, b := range bytes[1:] {
			if t.check[base+int(b)] >= 0 {
				fits = false
				break
			}
		}
		if fits {
			if looked := slot - from + 1; taken*20 > looked*19 {
				*free = slot // nearly full up to here: look no more
			}
			return int32(base)
		}
	}
}

func (t *trie) root() int32 { return 0 }

// step goes from a state by a byte; id is -1 where no token ends.
func (t *trie) step(state int32, b byte) (next, id int32, ok bool) {
	next = t.base[state] + int32(b)
	if int(next) >= len(t.check) || t.check[next] != state || next == 0 {
		return 0, -1, false
	}
	return next, t.id[next], true
}
