package rank

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"
)

const (
	runScores   = 1 << 20 // scores sorted in memory at once: 8 MB
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

// WriteOrder writes scores, given in any order, to a file for [OpenOrder].
// Runs of a million that do not fit into memory are sorted in temporary files in
// dir. A score that is not a number is refused ([ErrNaN]).
func WriteOrder(w io.Writer, dir string, scores iter.Seq2[float64, error]) (err error) {
	var runs []*os.File
	defer func() {
		for _, f := range runs {
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}()
	run := make([]float64, 0, runScores)
	for s, err := range scores {
		if err != nil {
			return err
		}
		if math.IsNaN(s) {
			return ErrNaN
		}
		if len(run) == runScores {
			f, err := os.CreateTemp(dir, ".order.*.tmp")
			if err != nil {
				return err
			}
			runs = append(runs, f)
			if err := writeSorted(f, run); err != nil {
				return err
			}
			run = run[:0]
		}
		run = append(run, s)
	}
	if len(runs) == 0 {
		return writeSorted(w, run)
	}
	return merge(w, runs, run)
}

func writeSorted(w io.Writer, run []float64) error {
	slices.Sort(run)
	out := bufio.NewWriterSize(w, 1<<16)
	for _, s := range run {
		if err := put(out, s); err != nil {
			return err
		}
	}
	return out.Flush()
}

func put(out *bufio.Writer, s float64) error {
	_, err := out.Write(binary.LittleEndian.AppendUint64(out.AvailableBuffer(), math.Float64bits(s)))
	return err
}

// stream is a sorted run and its next score.
type stream struct {
	from io.Reader
	next float64
}

// advance reads the next score; ok is false at the end.
func (s *stream) advance() (ok bool, err error) {
	var b [scoreBytes]byte
	if _, err := io.ReadFull(s.from, b[:]); err != nil {
		if err == io.EOF {
			return false, nil
		}
		return false, err
	}
	s.next = math.Float64frombits(binary.LittleEndian.Uint64(b[:]))
	return true, nil
}

// streams is a heap with the least score on top.
type streams []*stream

func (h streams) Len() int           { return len(h) }
func (h streams) Less(i, j int) bool { return h[i].next < h[j].next }
func (h streams) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *streams) Push(x any)        { *h = append(*h, x.(*stream)) }
func (h *streams) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// merge writes the sorted runs and the last one, which is still in memory, as one.
func merge(w io.Writer, runs []*os.File, last []float64) error {
	slices.Sort(last)
	memory, feed := io.Pipe()
	defer memory.Close()
	go func() { feed.CloseWithError(writeSorted(feed, last)) }()
	all := streams{{from: bufio.NewReaderSize(memory, 1<<16)}}
	for _, f := range runs {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		all = append(all, &stream{from: bufio.NewReaderSize(f, 1<<16)})
	}
	var h streams
	for _, s := range all {
		ok, err := s.advance()
		if err != nil {
			return err
		}
		if ok {
			h = append(h, s)
		}
	}
	heap.Init(&h)
	out := bufio.NewWriterSize(w, 1<<16)
	for len(h) > 0 {
		if err := put(out, h[0].next); err != nil {
			return err
		}
		ok, err := h[0].advance()
		if err != nil {
			return err
		}
		if ok {
			heap.Fix(&h, 0)
		} else {
			heap.Pop(&h)
		}
	}
	return out.Flush()
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
