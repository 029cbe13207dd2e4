package parquet

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
)

// pageCodec compresses pages with zstd, and differs from the Parquet library's
// codec in memory alone: encoders with a window of a page or two instead of
// 4 MB, and reused from shard to shard, where a pool gives them up at every
// garbage collection.
//
// The level is the fastest: on books it costs 11 ms of CPU a MB and leaves 40 %,
// the default one 15 ms and 38 %, the better one 32 ms and 37.5 %.
type pageCodec struct {
	idle chan *zstd.Encoder
}

// codec serves all writers. An encoder works for one page at a time, without
// goroutines of its own: a stage's parallelism is its tasks.
var codec = &pageCodec{idle: make(chan *zstd.Encoder, 16)}

const zstdWindow = 1 << 20

func (c *pageCodec) String() string { return "ZSTD" }

func (c *pageCodec) CompressionCodec() format.CompressionCodec { return format.Zstd }

func (c *pageCodec) Encode(dst, src []byte) ([]byte, error) {
	var e *zstd.Encoder
	select {
	case e = <-c.idle:
	default:
		var err error
		e, err = zstd.NewWriter(nil,
			zstd.WithEncoderLevel(zstd.SpeedFastest),
			zstd.WithEncoderConcurrency(1),
			zstd.WithWindowSize(zstdWindow),
			zstd.WithLowerEncoderMem(true),
			zstd.WithZeroFrames(true),
			zstd.WithEncoderCRC(false), // pages have their own
		)
		if err != nil {
			return nil, fmt.Errorf("zstd: %w", err)
		}
	}
	dst = e.EncodeAll(src, dst[:0])
	select {
	case c.idle <- e:
	default:
	}
	return dst, nil
}

// Decode is of the interface; files are read with the library's own codec.
func (c *pageCodec) Decode(dst, src []byte) ([]byte, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	defer d.Close()
	return d.DecodeAll(src, dst[:0])
}
