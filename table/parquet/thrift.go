package parquet

import (
	"encoding/binary"
	"errors"
)

// The Parquet library believes the lengths that a footer or a page header
// claims and allocates them before it reads, so one flipped bit can ask for
// terabytes. This walk over Thrift's compact protocol comes first and finds
// every length that the bytes at hand cannot hold.

var (
	errThrift      = errors.New("its structure is broken")
	errThriftShort = errors.New("its structure is cut")
)

// thriftWalk skips one struct. Integers of the outer struct and of the structs
// directly in it are remembered under outer<<16|inner, inner 0 for its own.
type thriftWalk struct {
	b    []byte
	at   int
	ints map[int32]int64
}

func (w *thriftWalk) structure(depth int, outer int32) error {
	if depth > 24 {
		return errThrift
	}
	field := int32(0)
	for {
		h, err := w.byte()
		if err != nil || h == 0 {
			return err
		}
		if delta := int32(h >> 4); delta != 0 {
			field += delta
		} else {
			v, err := w.varint()
			if err != nil {
				return err
			}
			field = int32(v>>1) ^ -int32(v&1)
		}
		key := field << 16
		if depth == 1 {
			key = outer | field&0xffff
		}
		if err := w.value(h&0xf, depth, key, false); err != nil {
			return err
		}
	}
}

func (w *thriftWalk) value(kind byte, depth int, key int32, inList bool) error {
	switch kind {
	case 1, 2: // the field's header is the value; in a list it takes a byte
		if inList {
			return w.skip(1)
		}
		if depth < 2 && w.ints != nil {
			w.ints[key] = int64(2 - kind) // 1 for true
		}
		return nil
	case 3:
		return w.skip(1)
	case 4, 5, 6:
		v, err := w.varint()
		if err == nil && depth < 2 && !inList && w.ints != nil {
			w.ints[key] = int64(v>>1) ^ -int64(v&1)
		}
		return err
	case 7:
		return w.skip(8)
	case 8:
		n, err := w.varint()
		if err != nil {
			return err
		}
		if n > uint64(len(w.b)) {
			return errThriftShort
		}
		return w.skip(int(n))
	case 9, 10:
		h, err := w.byte()
		if err != nil {
			return err
		}
		n := uint64(h >> 4)
		if n == 15 {
			if n, err = w.varint(); err != nil {
				return err
			}
		}
		if n > uint64(len(w.b)-w.at) { // an element takes a byte at least
			return errThriftShort
		}
		for range n {
			if err := w.value(h&0xf, depth, key, true); err != nil {
				return err
			}
		}
		return nil
	case 12:
		return w.structure(depth+1, key)
	default: // maps do not occur in Parquet
		return errThrift
	}
}

func (w *thriftWalk) byte() (byte, error) {
	if w.at >= len(w.b) {
		return 0, errThriftShort
	}
	w.at++
	return w.b[w.at-1], nil
}

func (w *thriftWalk) skip(n int) error {
	if n > len(w.b)-w.at {
		return errThriftShort
	}
	w.at += n
	return nil
}

func (w *thriftWalk) varint() (uint64, error) {
	v, n := binary.Uvarint(w.b[w.at:])
	if n == 0 {
		return 0, errThriftShort
	}
	if n < 0 {
		return 0, errThrift
	}
	w.at += n
	return v, nil
}
