package parquet

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/format"
)

// pageHeader is what a page says of itself.
type pageHeader struct {
	kind           int64 // one of the constants below
	stored, raw    int64 // bytes, and bytes unpacked
	values         int64
	encoding       int64
	repeats, nulls int64 // bytes of the levels before the packed part of a page of version 2
	packed         bool  // of version 2: the values are packed
}

// Kinds of pages, as the format numbers them.
const (
	dataPage       = 0
	dictionaryPage = 2
	dataPage2      = 3
)

// eachPage walks the headers of a column chunk's pages and compares the sizes that
// they claim with the chunk's, before anyone allocates them. It says where each
// page's bytes begin.
func eachPage(file io.ReaderAt, meta *format.ColumnMetaData, do func(h pageHeader, at int64) error) error {
	at := meta.DataPageOffset
	if d := meta.DictionaryPageOffset; d > 0 {
		at = min(at, d)
	}
	end := at + meta.TotalCompressedSize
	buffer := make([]byte, 256)
	for at < end {
		buffer = buffer[:min(int64(cap(buffer)), end-at)]
		if _, err := file.ReadAt(buffer, at); err != nil {
			return err
		}
		w := thriftWalk{b: buffer, ints: make(map[int32]int64, 16)}
		err := w.structure(0, 0)
		if errors.Is(err, errThriftShort) && int64(len(buffer)) < end-at {
			buffer = make([]byte, 8*cap(buffer)) // statistics make headers long
			continue
		}
		if err != nil {
			return fmt.Errorf("page header at byte %d: %w", at, err)
		}
		h := headerOf(w.ints)
		at += int64(w.at)
		if h.stored < 0 || h.stored > end-at || h.raw < 0 || h.raw > meta.TotalUncompressedSize || h.values > meta.NumValues && h.kind != dictionaryPage {
			return fmt.Errorf("page header at byte %d claims %d bytes, %d decompressed, %d values", at, h.stored, h.raw, h.values)
		}
		if do != nil {
			if err := do(h, at); err != nil {
				return err
			}
		}
		at += h.stored
	}
	return nil
}

// headerOf reads the numbers of a page's header by their places in it.
func headerOf(ints map[int32]int64) pageHeader {
	h := pageHeader{kind: ints[1<<16], raw: ints[2<<16], stored: ints[3<<16]}
	switch h.kind {
	case dataPage:
		h.values, h.encoding = ints[5<<16|1], ints[5<<16|2]
	case dictionaryPage:
		h.values, h.encoding = ints[7<<16|1], ints[7<<16|2]
	case dataPage2:
		h.values, h.encoding = ints[8<<16|1], ints[8<<16|4]
		h.nulls, h.repeats = ints[8<<16|5], ints[8<<16|6]
		packed, given := ints[8<<16|7]
		h.packed = !given || packed == 1
	}
	return h
}
