package report

import (
	"bytes"
	"strconv"
	"strings"
)

// inlined keeps the parts of a page in the page, as long as all of them are small enough
// for it: a small page is one file. With the first part too many it writes them all.
type inlined struct {
	write   func(content []byte) (address string, err error) // nil: nothing but the page is written
	most    int
	parts   [][]byte
	size    int
	written []string // addresses of the parts, once there are too many
}

// add takes the next part. What it returns is for address, when all parts are known.
func (i *inlined) add(content []byte) (key string, err error) {
	if i.written != nil {
		return i.write(content)
	}
	key = inlinedPrefix + strconv.Itoa(len(i.parts))
	i.parts = append(i.parts, bytes.Clone(content))
	i.size += len(content)
	if i.write == nil || i.size <= i.most {
		return key, nil
	}
	for _, part := range i.parts {
		address, err := i.write(part)
		if err != nil {
			return "", err
		}
		i.written = append(i.written, address)
	}
	i.parts = nil
	return key, nil
}

const inlinedPrefix = "\x00" // no address begins with it

// address is where a part is, empty if it is in the page.
func (i *inlined) address(key string) string {
	n, isKey := strings.CutPrefix(key, inlinedPrefix)
	if !isKey {
		return key
	}
	if at, err := strconv.Atoi(n); err == nil && at < len(i.written) {
		return i.written[at]
	}
	return ""
}

// settle puts the addresses in the place of the keys.
func (i *inlined) settle(keys []string) {
	for at, key := range keys {
		keys[at] = i.address(key)
	}
}
