package group

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"os"
	"slices"

	"github.com/commonplace/commonplace/sorting"
)

const (
	leastHeld   = 1 << 18 // postings in memory, 4 MB
	mostHeld    = 1 << 21 // of many, 32 MB, and as much while they are sorted
	parts       = 1 << 11 // of what does not fit
	postingSize = 12      // bytes in the file
)

// posting is a document that has a hash.
type posting struct {
	hash uint64
	doc  uint32
}

// postings are the documents that have each hash. What does not fit into memory lies in a
// temporary file, by parts of which each has all documents of its hashes: so that a part
// is sorted in memory, and nothing is merged.
type postings struct {
	dir     string
	least   int // that are held before any are written; leastHeld
	held    []posting
	file    *os.File
	written int                // postings in the file
	at      [][parts + 1]int64 // of each time that memory was full, where each part begins in the file
}

func (p *postings) add(hash uint64, doc int) error {
	p.held = append(p.held, posting{hash, uint32(doc)})
	if len(p.held) < p.room() {
		return nil
	}
	return p.spill()
}

// room is how many may be held: a quarter of what was written, so that few documents take
// little memory and many are written in few pieces.
func (p *postings) room() int { return max(p.least, min(p.written/4, mostHeld)) }

// partOf is by the low bits: a sketch has the least hashes of its text, whose high bits are few.
func partOf(hash uint64) int { return int(hash % parts) }

// spill writes what is held, part after part.
func (p *postings) spill() (err error) {
	if p.file == nil {
		if p.file, err = sorting.Temporary(p.dir); err != nil {
			return err
		}
	}
	var begin [parts + 1]int64
	if n := len(p.at); n > 0 {
		begin[0] = p.at[n-1][parts]
	}
	var count [parts]int64
	for _, e := range p.held {
		count[partOf(e.hash)]++
	}
	for k, n := range count {
		begin[k+1] = begin[k] + n*postingSize
	}
	raw := make([]byte, begin[parts]-begin[0])
	var written [parts]int64
	for _, e := range p.held {
		k := partOf(e.hash)
		at := begin[k] - begin[0] + written[k]
		binary.LittleEndian.PutUint64(raw[at:], e.hash)
		binary.LittleEndian.PutUint32(raw[at+8:], e.doc)
		written[k] += postingSize
	}
	if _, err := p.file.WriteAt(raw, begin[0]); err != nil {
		return fmt.Errorf("group: %w", err)
	}
	p.written += len(p.held)
	p.at, p.held = append(p.at, begin), p.held[:0]
	return nil
}

// each gives the documents of every hash that at least two have, in the order of their
// numbers, and no more than most+1 of them. Nothing can be added afterwards.
func (p *postings) each(most int, yield func(docs []uint32) error) error {
	if p.file == nil {
		return eachShared(p.held, most, yield)
	}
	if err := p.spill(); err != nil {
		return err
	}
	p.held = nil
	var raw []byte
	var part []posting
	for k := range parts {
		part = part[:0]
		for _, at := range p.at {
			raw = slices.Grow(raw[:0], int(at[k+1]-at[k]))[:at[k+1]-at[k]]
			if _, err := p.file.ReadAt(raw, at[k]); err != nil {
				return fmt.Errorf("group: read what was compared: %w", err)
			}
			for b := raw; len(b) > 0; b = b[postingSize:] {
				part = append(part, posting{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint32(b[8:])})
			}
		}
		if err := eachShared(part, most, yield); err != nil {
			return err
		}
	}
	return nil
}

// eachShared is each of a part. Documents of one hash stand there in the order of their
// numbers.
func eachShared(part []posting, most int, yield func(docs []uint32) error) error {
	part = sorted(part)
	var docs []uint32
	for begin := 0; begin < len(part); {
		end := begin + 1
		for end < len(part) && part[end].hash == part[begin].hash {
			end++
		}
		if end-begin > 1 {
			docs = docs[:0]
			for _, e := range part[begin:min(end, begin+most+1)] {
				docs = append(docs, e.doc)
			}
			if err := yield(docs); err != nil {
				return err
			}
		}
		begin = end
	}
	return nil
}

// sorted sorts a part: first by some bits of the hashes into groups of about four, in one
// pass, since they are spread evenly; then each group.
func sorted(part []posting) []posting {
	groups := uint64(1) << bits.Len(uint(len(part)/4))
	group := func(e posting) uint64 { return e.hash / parts % groups }
	end := make([]int, groups)
	for _, e := range part {
		end[group(e)]++
	}
	for k := range end[1:] {
		end[k+1] += end[k]
	}
	out := make([]posting, len(part))
	for _, e := range slices.Backward(part) {
		k := group(e)
		end[k]--
		out[end[k]] = e
	}
	for k, begin := range end {
		until := len(out)
		if k+1 < len(end) {
			until = end[k+1]
		}
		slices.SortFunc(out[begin:until], func(a, b posting) int {
			return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.doc, b.doc))
		})
	}
	return out
}

func (p *postings) close() error {
	if p.file == nil {
		return nil
	}
	return p.file.Close()
}
