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
	"sort"

	"github.com/commonplace/commonplace/sorting"
)

const (
	blockScores = 1 << 9 // scores between two that an Order keeps in memory
	scoreBytes  = 8
)

// heldBytes is a file that is read once and held. A variable for the tests.
var heldBytes int64 = 16 << 20

// Order is all scores of a library in ascending order, in a file of 8 bytes a
// score (little-endian IEEE 754). Memory: all of two million scores, of more one
// in 512. Several goroutines may use it at once.
type Order struct {
	file  io.ReaderAt
	total int64
	heads []float64 // first score of every block
	held  []byte    // the whole file, where it is not large
}

// OrderBytes is the length of a file of scores in order.
func OrderBytes(scores int64) int64 { return scores * scoreBytes }

// WriteOrder writes scores, given in any order, to a file for [OpenOrder]. Those
// that do not fit into memory go through temporary files in the folder temp,
// [os.TempDir] where it is empty. A score that is not a
// number is refused ([ErrNaN]).
func WriteOrder(w io.Writer, temp string, scores iter.Seq2[float64, error]) (err error) {
	sorter := sorting.Sorter{Dir: temp}
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
	if err != nil {
		return err
	}
	return out.Flush()
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
	o := &Order{file: file, total: size / scoreBytes}
	if size <= heldBytes {
		o.held = make([]byte, size)
		if n, err := file.ReadAt(o.held, 0); n < len(o.held) {
			return nil, err
		}
	}
	var buffer [scoreBytes]byte
	for first := int64(0); first < o.total; first += blockScores {
		head, err := o.read(first, 1, buffer[:])
		if err != nil {
			return nil, err
		}
		o.heads = append(o.heads, head.score(0))
	}
	return o, nil
}

// Total is the number of scores.
func (o *Order) Total() int64 { return o.total }

// block is some scores in order, as they lie in the file.
type block []byte

func (b block) score(i int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(b[i*scoreBytes:]))
}

// read gives n scores, in the buffer unless all are held.
func (o *Order) read(first int64, n int, buffer []byte) (block, error) {
	begin, size := first*scoreBytes, int64(n)*scoreBytes
	if o.held != nil {
		return o.held[begin : begin+size], nil
	}
	read, err := o.file.ReadAt(buffer[:size], begin)
	if int64(read) < size {
		return nil, err
	}
	return buffer[:size], nil
}

// Places are those of several scores among all of the library.
func (o *Order) Places(scores []float64) ([]Place, error) {
	by := make([]int, len(scores)) // in order, so that each block is read once
	for i := range by {
		by[i] = i
	}
	slices.SortFunc(by, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	w := walk{order: o, number: -1, buffer: make([]byte, blockScores*scoreBytes)}
	places := make([]Place, len(scores))
	for _, i := range by {
		score := scores[i]
		lower, err := w.count(func(s float64) bool { return s >= score })
		if err != nil {
			return nil, err
		}
		atMost, err := w.count(func(s float64) bool { return s > score })
		if err != nil {
			return nil, err
		}
		places[i].Rank = o.total - atMost + 1
		if o.total > 0 {
			places[i].Percentile = float64(lower) / float64(o.total)
		}
	}
	return places, nil
}

// walk goes through an order from block to block.
type walk struct {
	order  *Order
	block  block // the last one read
	number int   // its number
	buffer []byte
}

// count is the number of scores before the first that is beyond.
func (w *walk) count(beyond func(float64) bool) (int64, error) {
	o := w.order
	after := sort.Search(len(o.heads), func(i int) bool { return beyond(o.heads[i]) })
	if after == 0 {
		return 0, nil
	}
	number := after - 1
	first := int64(number) * blockScores
	n := int(min(blockScores, o.total-first))
	if w.number != number {
		var err error
		if w.block, err = o.read(first, n, w.buffer); err != nil {
			return 0, err
		}
		w.number = number
	}
	return first + int64(sort.Search(n, func(i int) bool { return beyond(w.block.score(i)) })), nil
}
