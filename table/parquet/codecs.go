package parquet

import (
	"bytes"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
)

// codecs unpack pages and stop where a page is longer than its header says.
type codecs struct{ zstd *zstd.Decoder }

// mostWindow is more than any writer of pages asks for.
const mostWindow = 128 << 20

// unpack gives the levels and values of a page.
func (c *codecs) unpack(codec format.CompressionCodec, h pageHeader, stored []byte) ([]byte, error) {
	var levels []byte
	if h.kind == dataPage2 {
		n := h.repeats + h.nulls
		if h.repeats < 0 || h.nulls < 0 || n > int64(len(stored)) || n > h.raw {
			return nil, fmt.Errorf("its levels have %d and %d bytes of %d", h.repeats, h.nulls, len(stored))
		}
		levels, stored = stored[:n], stored[n:]
		h.raw -= n
		if !h.packed {
			codec = format.Uncompressed
		}
	}
	values, err := c.bytes(codec, h.raw, stored)
	if err == nil && int64(len(values)) > h.raw {
		err = fmt.Errorf("it unpacks to more than the %d bytes that it claims", h.raw)
	}
	if err != nil || len(levels) == 0 {
		return values, err
	}
	return append(levels[:len(levels):len(levels)], values...), nil
}

func (c *codecs) bytes(codec format.CompressionCodec, raw int64, stored []byte) (_ []byte, err error) {
	switch codec {
	case format.Uncompressed:
		return stored, nil
	case format.Snappy:
		if n, err := snappy.DecodedLen(stored); err != nil || int64(n) > raw {
			return nil, fmt.Errorf("it unpacks to %d bytes where it claims %d", n, raw)
		}
		return snappy.Decode(nil, stored)
	case format.Gzip:
		r, err := gzip.NewReader(bytes.NewReader(stored))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(r, raw+1))
	case format.Brotli:
		return io.ReadAll(io.LimitReader(brotli.NewReader(bytes.NewReader(stored)), raw+1))
	case format.Zstd:
		if c.zstd == nil {
			if c.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(mostWindow)); err != nil {
				return nil, err
			}
		}
		if err := c.zstd.Reset(bytes.NewReader(stored)); err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(c.zstd, raw+1))
	}
	return nil, fmt.Errorf("it is compressed with %s, which is not read; write it with zstd, snappy or gzip", codec)
}
