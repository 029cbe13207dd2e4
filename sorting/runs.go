package sorting

import (
	"bufio"
	"bytes"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// Temporary is a file in a folder, [os.TempDir] where it is empty, that is gone when
// it is closed.
func Temporary(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "sorting-*.tmp")
	if err != nil {
		return nil, fmt.Errorf("sort: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, fmt.Errorf("sort: %w", errors.Join(err, f.Close()))
	}
	return f, nil
}

func writeRun(dir string, fill func(put func(key, value []byte) error) error) (*os.File, error) {
	f, err := Temporary(dir)
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriterSize(f, 1<<15)
	var head [2 * binary.MaxVarintLen32]byte
	err = fill(func(key, value []byte) error {
		n := binary.PutUvarint(head[:], uint64(len(key)))
		n += binary.PutUvarint(head[n:], uint64(len(value)))
		for _, part := range [][]byte{head[:n], key, value} {
			if _, err := w.Write(part); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("sort: %w", err)
	}
	return f, nil
}

func mergeRuns(files []*os.File, do func(key, value []byte) error) error {
	var h runHeap
	for _, f := range files {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return fmt.Errorf("sort: %w", err)
		}
		r := &sortedRun{from: bufio.NewReaderSize(f, 1<<15)}
		more, err := r.advance()
		if err != nil {
			return err
		}
		if more {
			h = append(h, r)
		}
	}
	heap.Init(&h)
	for len(h) > 0 {
		if err := do(h[0].key(), h[0].value()); err != nil {
			return err
		}
		more, err := h[0].advance()
		if err != nil {
			return err
		}
		if more {
			heap.Fix(&h, 0)
		} else {
			heap.Pop(&h)
		}
	}
	return nil
}

// sortedRun is a run and its next record.
type sortedRun struct {
	from   *bufio.Reader
	record []byte
	keyLen int
}

func (r *sortedRun) key() []byte { return r.record[:r.keyLen] }

func (r *sortedRun) value() []byte { return r.record[r.keyLen:] }

func (r *sortedRun) advance() (more bool, err error) {
	key, err := binary.ReadUvarint(r.from)
	if err == io.EOF {
		return false, nil
	}
	value := uint64(0)
	if err == nil {
		value, err = binary.ReadUvarint(r.from)
	}
	if err == nil {
		r.keyLen = int(key)
		r.record = slices.Grow(r.record[:0], int(key+value))[:key+value]
		_, err = io.ReadFull(r.from, r.record)
	}
	if err != nil {
		return false, fmt.Errorf("sort: read what was sorted: %w", err)
	}
	return true, nil
}

// runHeap has the run with the least record on top.
type runHeap []*sortedRun

func (h runHeap) Len() int { return len(h) }
func (h runHeap) Less(i, j int) bool {
	if c := bytes.Compare(h[i].key(), h[j].key()); c != 0 {
		return c < 0
	}
	return bytes.Compare(h[i].value(), h[j].value()) < 0
}
func (h runHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *runHeap) Push(x any)   { *h = append(*h, x.(*sortedRun)) }
func (h *runHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
