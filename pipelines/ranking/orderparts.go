package ranking

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"math"
	"os"
	"slices"
	"sort"
	"strings"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/rank"
	"github.com/commonplace/commonplace/storage"
)

// Workers put the scores of a large library in order. Some sort those of neighbouring
// shards, and cut them at the same bounds. Then others merge what lies between two bounds,
// each into a part of the order. The parts one after the other are the bytes that
// one machine would have written, whatever the bounds.

// What one element sorts or merges. Variables for the tests.
var (
	orderedScores = int64(4 << 20)
	orderedMost   = 512 // elements
)

// orderPart is one element: shards whose scores are sorted, or sorted files of which what
// lies between two bounds is merged.
type orderPart struct {
	Shards  []string `json:"shards,omitempty"`
	Overall string   `json:"overall,omitempty"` // the order over all, where keys are sorted that are made with it
	Total   int64    `json:"total,omitempty"`   // and its scores
	Bounds  []uint64 `json:"bounds,omitempty"`  // bits of the values at which they are cut
	Sorted  []string `json:"sorted,omitempty"`  // files, in place of shards
	Number  int      `json:"number"`            // of what is merged, between the bounds
	To      string   `json:"to"`
}

// An element always writes, since what lies there may be of another build.
var orderParts = engine.NewPreparation("order", func(ctx context.Context, p orderPart) error {
	if len(p.Sorted) > 0 {
		return makeOrder(ctx, p.To, between(ctx, p.Sorted, p.Number))
	}
	values := scoresOf(ctx, p.Shards)
	if p.Overall != "" {
		overall, err := openOrder(ctx, p.Overall, p.Total)
		if err != nil {
			return err
		}
		values = balanceOf(ctx, p.Shards, overall)
	}
	return sortCut(ctx, p, values)
})

// cut is where a file of sorted values has what lies between two bounds: its values
// begin at a byte, 8 bytes each, and have a CRC-32C.
type cut struct {
	Begin  int64  `json:"begin"`
	Values int64  `json:"values"`
	CRC    uint32 `json:"crc"`
}

// cutsOf is the file beside a file of sorted values that says where it is cut.
func cutsOf(path string) string { return besides(path, "cuts", 0) }

// besides names a file of an order beside the order's own, of the same kind in the cache.
func besides(path, what string, number int) string {
	kind := path[:strings.LastIndexByte(path, '-')+1] // and the folder before it
	return kind + storage.Key(path, what, number)
}

// sortCut writes the values in order, and beside them where the bounds cut them.
func sortCut(ctx context.Context, p orderPart, values iter.Seq2[float64, error]) error {
	if err := makeOrder(ctx, p.To, values); err != nil {
		return err
	}
	f, size, err := openSorted(ctx, p.To)
	if err != nil {
		return err
	}
	defer f.Close()
	cuts := []cut{{}}
	in := bufio.NewReaderSize(io.NewSectionReader(f, 0, size), 1<<16)
	var value [8]byte
	for at := int64(0); at < size; at += int64(len(value)) {
		if _, err := io.ReadFull(in, value[:]); err != nil {
			return err
		}
		v := math.Float64frombits(binary.LittleEndian.Uint64(value[:]))
		for len(cuts) <= len(p.Bounds) && v >= math.Float64frombits(p.Bounds[len(cuts)-1]) {
			cuts = append(cuts, cut{Begin: at})
		}
		last := &cuts[len(cuts)-1]
		last.Values++
		last.CRC = crc32.Update(last.CRC, castagnoli, value[:])
	}
	for len(cuts) <= len(p.Bounds) {
		cuts = append(cuts, cut{Begin: size})
	}
	return cache.WriteLines(ctx, cutsOf(p.To), cuts)
}

// openSorted opens a file of [makeOrder] and says how long its values are.
func openSorted(ctx context.Context, path string) (*os.File, int64, error) {
	if err := cache.Ensure(ctx, path); err != nil {
		return nil, 0, err
	}
	f, err := os.Open(cache.LocalFile(ctx, path))
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size() - crc32.Size, nil
}

// between are the values of sorted files that lie between two bounds, file by file.
func between(ctx context.Context, sorted []string, number int) iter.Seq2[float64, error] {
	return func(yield func(float64, error) bool) {
		for _, path := range sorted {
			values, err := valuesOf(ctx, path, number)
			if err != nil {
				yield(0, err)
				return
			}
			for len(values) > 0 {
				if !yield(math.Float64frombits(binary.LittleEndian.Uint64(values)), nil) {
					return
				}
				values = values[8:]
			}
		}
	}
}

// valuesOf are the bytes of one cut of a file, held to their sum.
func valuesOf(ctx context.Context, path string, number int) ([]byte, error) {
	cuts, err := cache.ReadLines[cut](ctx, cutsOf(path))
	if err != nil {
		return nil, err
	}
	if number >= len(cuts) {
		return nil, fmt.Errorf("%s has %d cuts, and number %d is asked for; this is a fault of the program", path, len(cuts), number)
	}
	f, _, err := openSorted(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c := cuts[number]
	values := make([]byte, rank.OrderBytes(c.Values))
	if _, err := f.ReadAt(values, c.Begin); err != nil && len(values) > 0 {
		return nil, err
	}
	if crc32.Checksum(values, castagnoli) != c.CRC {
		return nil, fmt.Errorf("%s is damaged", path)
	}
	return values, nil
}

// boundsOf are about n-1 values that cut those of a sample, which has all documents of a
// shard, into equal parts. Documents are sharded by a hash, so others fall alike.
func boundsOf(sample iter.Seq2[float64, error], n int) ([]uint64, error) {
	var values []float64
	for v, err := range sample {
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	slices.Sort(values)
	var bounds []uint64
	for i := 1; i < n && len(values) > 0; i++ {
		bound := math.Float64bits(values[i*len(values)/n])
		if len(bounds) == 0 || bounds[len(bounds)-1] != bound {
			bounds = append(bounds, bound)
		}
	}
	return bounds, nil
}

// spreadOrder has workers write the parts of an order, and gives their names.
// overall is the path of the order over all where the order is another, else empty.
func spreadOrder(ctx context.Context, r engine.Request, path, overall string, shards []string, rows int64, sample iter.Seq2[float64, error]) ([]string, error) {
	n := int(min(int64(len(shards)), int64(orderedMost), rows/orderedScores+1))
	bounds, err := boundsOf(sample, n)
	if err != nil {
		return nil, err
	}
	sorts := make([]orderPart, n)
	var sorted []string
	for i := range sorts {
		sorts[i] = orderPart{Shards: shards[i*len(shards)/n : (i+1)*len(shards)/n], Overall: overall, Total: rows, Bounds: bounds, To: besides(path, "sorted", i)}
		sorted = append(sorted, sorts[i].To)
	}
	merges := make([]orderPart, len(bounds)+1)
	var parts []string
	for i := range merges {
		merges[i] = orderPart{Sorted: sorted, Number: i, To: besides(path, "part", i)}
		parts = append(parts, merges[i].To)
	}
	for _, elements := range [][]orderPart{sorts, merges} {
		if err := orderParts.Run(ctx, r, elements, 0); err != nil {
			return nil, err
		}
	}
	for _, s := range sorted {
		if err := cache.Remove(ctx, s); err != nil {
			return nil, err
		}
		if err := cache.Remove(ctx, cutsOf(s)); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// readerOfParts reads files as if they were one.
type readerOfParts struct {
	parts []io.ReaderAt
	ends  []int64 // of each part, in the whole
}

func (r *readerOfParts) add(part io.ReaderAt, size int64) {
	r.parts, r.ends = append(r.parts, part), append(r.ends, r.size()+size)
}

func (r *readerOfParts) size() int64 {
	if len(r.ends) == 0 {
		return 0
	}
	return r.ends[len(r.ends)-1]
}

func (r *readerOfParts) ReadAt(b []byte, at int64) (n int, err error) {
	for n < len(b) {
		i := sort.Search(len(r.ends), func(i int) bool { return at < r.ends[i] })
		if i == len(r.ends) {
			return n, io.EOF
		}
		begin := int64(0)
		if i > 0 {
			begin = r.ends[i-1]
		}
		piece := b[n:min(int64(len(b)), int64(n)+r.ends[i]-at)]
		read, err := r.parts[i].ReadAt(piece, at-begin)
		n, at = n+read, at+int64(read)
		if read < len(piece) {
			return n, err
		}
	}
	return n, nil
}
