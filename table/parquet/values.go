package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// levels are the most that a column's values can be repeated and null.
type levels struct{ repeats, nulls int }

// Encodings of values, as the format numbers them.
const (
	plainDictionary = 2
	runLengths      = 3
	deltaPacked     = 5
	deltaLengths    = 6
	deltaTexts      = 7
	dictionaryPlace = 8
)

// slack is what writers pad runs with.
const slack = 1024

var errRuns = errors.New("its runs hold more values than it claims")

// valuesTake is what the values of an unpacked page take beyond its own bytes. It
// refuses pages whose runs hold more than the header says: decoders trust the
// runs.
func valuesTake(page []byte, h pageHeader, shape levels) (int64, error) {
	if h.kind == dictionaryPage {
		return 0, nil // plain: as long as its bytes
	}
	most := h.values + slack
	for _, level := range []struct {
		highest int
		bytes   int64
	}{{shape.repeats, h.repeats}, {shape.nulls, h.nulls}} {
		n := level.bytes
		switch {
		case h.kind == dataPage2:
		case level.highest == 0:
			continue
		case len(page) < 4:
			return 0, errors.New("its levels are cut")
		default:
			n = int64(binary.LittleEndian.Uint32(page))
			page = page[4:]
		}
		if n > int64(len(page)) {
			return 0, errors.New("its levels are cut")
		}
		if level.highest > 0 {
			if err := runs(page[:n], bits.Len(uint(level.highest)), most); err != nil {
				return 0, err
			}
		}
		page = page[n:]
	}
	switch h.encoding {
	case plainDictionary, dictionaryPlace:
		if len(page) == 0 {
			return 0, nil
		}
		return 0, runs(page[1:], int(page[0]), most)
	case runLengths:
		if len(page) < 4 {
			return 0, nil
		}
		n := min(int(binary.LittleEndian.Uint32(page)), len(page)-4)
		return 0, runs(page[4:4+n], 1, most)
	case deltaPacked, deltaLengths:
		_, err := deltas(page, most, nil)
		return 0, err
	case deltaTexts: // of each text only what is not the beginning of the one before is stored
		shared, negative := int64(0), false
		rest, err := deltas(page, most, func(n int64) {
			shared += n
			negative = negative || n < 0
		})
		if err == nil {
			_, err = deltas(rest, most, nil)
		}
		if negative {
			err = errors.New("a text shares less than nothing with the one before")
		}
		return shared, err
	}
	return 0, nil
}

// runs counts the values of run lengths and packed groups of eight.
func runs(b []byte, width int, most int64) error {
	total := int64(0)
	for len(b) > 0 {
		head, n := binary.Uvarint(b)
		if n <= 0 || head > 1<<32 {
			return errors.New("its runs are broken")
		}
		b = b[n:]
		count, size := int64(head>>1), (width+7)/8
		if head&1 != 0 {
			size, count = int(count)*width, 8*count
		}
		if total += count; total > most {
			return errRuns
		}
		if size > len(b) {
			return nil // the decoder says so
		}
		b = b[size:]
	}
	return nil
}

// deltas goes over numbers that are stored as differences in blocks, and gives
// what stands behind them. A nil do counts them alone, and then gives nothing.
func deltas(b []byte, most int64, do func(int64)) (rest []byte, err error) {
	cut := errors.New("its differences are cut")
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			err = cut
			return 0
		}
		b = b[n:]
		return v
	}
	signed := func() int64 {
		v := next()
		return int64(v>>1) ^ -int64(v&1)
	}
	block, parts, total := next(), next(), next()
	value := signed()
	switch {
	case err != nil:
		return nil, err
	case total > uint64(max(most, 0)):
		return nil, errRuns
	case do == nil:
		return nil, nil
	case block == 0 || block > 1<<16 || parts == 0 || parts > block || block%parts != 0 || block/parts%8 != 0:
		return nil, fmt.Errorf("its differences stand in blocks of %d in %d parts", block, parts)
	case total == 0:
		return b, nil
	}
	do(value)
	for left := total - 1; left > 0; {
		least := signed()
		if err != nil || uint64(len(b)) < parts {
			return nil, cut
		}
		widths := b[:parts]
		b = b[parts:]
		for _, w := range widths {
			if left == 0 {
				break
			}
			size := int(block/parts) * int(w) / 8
			if w > 64 || size > len(b) {
				return nil, cut
			}
			for i := range min(block/parts, left) {
				value += least + int64(bitsAt(b, int(i)*int(w), int(w)))
				do(value)
			}
			left -= min(block/parts, left)
			b = b[size:]
		}
	}
	return b, nil
}

// bitsAt reads a number of so many bits.
func bitsAt(b []byte, at, width int) (v uint64) {
	for i := 0; i < width; {
		n := min(8-(at+i)%8, width-i)
		part := uint64(b[(at+i)/8]>>((at+i)%8)) & (1<<n - 1)
		v |= part << i
		i += n
	}
	return v
}
