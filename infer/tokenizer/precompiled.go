package tokenizer

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// precompiled is SentencePiece's normaliser: a double-array trie over bytes
// whose values are places in one text of replacements that end in NUL.
type precompiled struct {
	trie         []uint32
	replacements string
	keys         [256]bool // first bytes of keys
}

func newPrecompiled(encoded string) (*precompiled, error) {
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return &precompiled{}, nil
	}
	if len(data) < 4 {
		return nil, errors.New("it is too short")
	}
	size := int(binary.LittleEndian.Uint32(data))
	data = data[4:]
	if size%4 != 0 || size > len(data) {
		return nil, errors.New("its trie is longer than the data")
	}
	p := &precompiled{trie: make([]uint32, size/4), replacements: string(data[size:])}
	for i := range p.trie {
		p.trie[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	for c := range p.keys {
		p.keys[c] = p.hasKeyWith(byte(c))
	}
	return p, nil
}

// lookup is the replacement of the shortest key that the text begins with.
func (p *precompiled) lookup(text string) (string, bool) {
	if len(p.trie) == 0 {
		return "", false
	}
	offset := func(unit uint32) int { return int(unit>>10) << ((unit & (1 << 9)) >> 6) }
	pos := offset(p.trie[0])
	for i := range len(text) {
		c := text[i]
		if c == 0 {
			break
		}
		pos ^= int(c)
		if pos >= len(p.trie) {
			return "", false
		}
		unit := p.trie[pos]
		if unit&(1<<31|0xFF) != uint32(c) {
			return "", false
		}
		pos ^= offset(unit)
		if unit>>8&1 == 1 && pos < len(p.trie) {
			return p.replacement(int(p.trie[pos] & (1<<31 - 1)))
		}
	}
	return "", false
}

func (p *precompiled) replacement(at int) (string, bool) {
	if at > len(p.replacements) {
		return "", false
	}
	end := at
	for end < len(p.replacements) && p.replacements[end] != 0 {
		end++
	}
	return p.replacements[at:end], true
}

func (p *precompiled) normalize(a *aligned) {
	text := a.String()
	if !p.touches(text) {
		return
	}
	changes := make([]change, 0, a.len())
	modified := false
	put := func(replaced int, text string) {
		modified = true
		more := utf8.RuneCountInString(text) - replaced
		for i, r := range []rune(text) {
			n := 0
			if i >= replaced {
				n = 1
			}
			changes = append(changes, change{r, n})
		}
		if more < 0 && len(changes) > 0 {
			changes[len(changes)-1].n += more
		}
	}
	state := -1
	for rest := text; rest != ""; {
		if len(changes) > mostRunes && len(changes) > a.len() {
			a.over = errGrown
			return
		}
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if len(cluster) < 6 {
			if to, ok := p.lookup(cluster); ok {
				put(utf8.RuneCountInString(cluster), to)
				continue
			}
		}
		for i, r := range cluster {
			if to, ok := p.lookup(cluster[i : i+utf8.RuneLen(r)]); ok {
				put(1, to)
			} else {
				changes = append(changes, change{r, 0})
			}
		}
	}
	if modified {
		a.transform(0, a.len(), changes, 0)
	}
}

// touches says whether a key may begin anywhere in the text.
func (p *precompiled) touches(text string) bool {
	for i := range len(text) {
		if p.keys[text[i]] {
			return true
		}
	}
	return false
}

// hasKeyWith says whether a key of the table begins with a byte.
func (p *precompiled) hasKeyWith(c byte) bool {
	if len(p.trie) == 0 {
		return false
	}
	unit := p.trie[0]
	pos := int(unit>>10)<<((unit&(1<<9))>>6) ^ int(c)
	return pos < len(p.trie) && p.trie[pos]&(1<<31|0xFF) == uint32(c)
}
