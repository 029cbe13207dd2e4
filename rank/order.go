package rank

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/commonplace/commonplace/sorting"
)

const (
	blockScores = 1 << 12 // scores between two that an Order keeps in memory
	scoreBytes  = 8
)

// Order is all scores of a library in ascending order, in a file of 8 bytes a
// score (little-endian IEEE 754). Memory: one score in 4,096. It is not safe for
// use by several goroutines at once.
type Order struct {
	file   io.ReaderAt
	total  int64
	heads  []float64 // first score of every block
	block  []float64 // the last one read
	number int       // its number
	bytes  []byte
}

// OrderBytes is the length of a file of scores in order.
func OrderBytes(scores int64) int64 { return scores * scoreBytes }

// WriteOrder writes scores, given in any order, to a file for [OpenOrder]. Those
// that do not fit into memory go through temporary files. A score that is not a
// number is refused ([ErrNaN]).
func WriteOrder(w io.Writer, scores iter.Seq2[float64, error]) (err error) {
	var sorter sorting.Sorter
	defer func() { err = errors.Join(err, sorter.Close()) }()
	var key [scoreBytes]byte
	for s, err := range scores {
		if err != nil {
			return err
		}
		if math.IsNaN(s) {
			return ErrNaN
		}
		binary.BigEndian.PutUint64(key[:], ascending(s))
		if err := sorter.Add(key[:], nil); err != nil {
			return err
		}
	}
	out := bufio.NewWriterSize(w, 1<<16)
	err = sorter.Each(func(key, _ []byte) error {
		s := scoreOf(binary.BigEndian.Uint64(key))
		_, err := out.Write(binary.LittleEndian.AppendUint64(out.AvailableBuffer(), math.Float64bits(s)))
		return err
	})
	return cmp.Or(err, out.Flush())
}

// ascending is a number that is in order as the score is: positive floats are in
// the order of their bits, and negative ones, before them, in the opposite.
func ascending(score float64) uint64 {
	bits := math.Float64bits(score)
	return bits ^ (uint64(int64(bits)>>63) | 1<<63)
}

// scoreOf is the score of which a number is [ascending].
func scoreOf(ascending uint64) float64 {
	return math.Float64frombits(ascending ^ (^uint64(int64(ascending)>>63) | 1<<63))
}

// OpenOrder opens a file of size bytes that [WriteOrder] wrote.
func OpenOrder(file io.ReaderAt, size int64) (*Order, error) {
	if size%scoreBytes != 0 {
		return nil, fmt.Errorf("%d bytes are no file of scores in order", size)
	}
	o := &Order{file: file, total: size / scoreBytes, number: -1}
	for first := int64(0); first < o.total; first += blockScores {
		head, err := o.read(first, 1)
		if err != nil {
			return nil, err
		}
		o.heads = append(o.heads, head[0])
	}
	return o, nil
}

// read reads n scores into the order's one block.
func (o *Order) read(first int64, n int) ([]float64, error) {
	o.bytes = slices.Grow(o.bytes[:0], n*scoreBytes)[:n*scoreBytes]
	if _, err := o.file.ReadAt(o.bytes, first*scoreBytes); err != nil {
		return nil, err
	}
	o.block = o.block[:0]
	for b := o.bytes; len(b) > 0; b = b[scoreBytes:] {
		o.block = append(o.block, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return o.block, nil
}

// Place is where a score stands among all of the library. Scores asked for in
// order cost the fewest reads.
func (o *Order) Place(score float64) (Place, error) {
	lower, err := o.count(score, func(s float64) bool { return s >= score })
	if err != nil {
		return Place{}, err
	}
	atMost, err := o.count(score, func(s float64) bool { return s > score })
	if err != nil || o.total == 0 {
		return Place{Rank: 1}, err
	}
	return Place{Rank: o.total - atMost + 1, Percentile: float64(lower) / float64(o.total)}, nil
}

// Places are those of several scores, asked for in the order that costs the
// fewest reads.
func (o *Order) Places(scores []float64) ([]Place, error) {
	by := make([]int, len(scores))
	for i := range by {
		by[i] = i
	}
	slices.SortFunc(by, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	places := make([]Place, len(scores))
	for _, i := range by {
		var err error
		if places[i], err = o.Place(scores[i]); err != nil {
			return nil, err
		}
	}
	return places, nil
}

// count is the number of scores before the first that is beyond.
func (o *Order) count(score float64, beyond func(float64) bool) (int64, error) {
	after, _ := slices.BinarySearchFunc(o.heads, score, func(head, _ float64) int {
		if beyond(head) {
			return 1
		}
		return -1
	})
	if after == 0 {
		return 0, nil
	}
	number := after - 1
	first := int64(number) * blockScores
	if o.number != number {
		if _, err := o.read(first, int(min(blockScores, o.total-first))); err != nil {
			return 0, err
		}
		o.number = number
	}
	in, _ := slices.BinarySearchFunc(o.block, score, func(s, _ float64) int {
		if beyond(s) {
			return 1
		}
		return -1
	})
	return first + int64(in), nil
}
