package pipelines

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// Lists come in any order and the table is sorted by id: quotes that do not fit
// into memory are sorted in runs, which lie in temporary files and are merged
// while the table is written.

// runBytes is how much text of quotes is held at once. A variable for the tests.
var runBytes = 8 << 20

// readQuote is a quote as it was read.
type readQuote struct {
	commonplace.Quote
	List int // of the lists, in their order
	At   int // among all quotes, as they were read
}

func compareRead(a, b readQuote) int {
	return cmp.Or(strings.Compare(a.ID, b.ID), cmp.Compare(a.At, b.At))
}

// quoteRuns sorts quotes by id, those of one id as they were read.
type quoteRuns struct {
	held  []readQuote
	bytes int
	runs  []*os.File // which have no name, and so are gone when they are closed
}

func (r *quoteRuns) add(q readQuote) error {
	r.held = append(r.held, q)
	r.bytes += len(q.ID) + len(q.Text) + len(q.Author) + len(q.Work) + 64
	if r.bytes < runBytes {
		return nil
	}
	return r.spill()
}

// spill writes what is held as a run.
func (r *quoteRuns) spill() error {
	f, err := os.CreateTemp("", "quotes-*.tmp")
	if err != nil {
		return fmt.Errorf("sort quotes: %w: %w", table.ErrStorage, err)
	}
	os.Remove(f.Name())
	r.runs = append(r.runs, f)
	slices.SortFunc(r.held, compareRead)
	w := bufio.NewWriterSize(f, 1<<16)
	to := gob.NewEncoder(w)
	for i := range r.held {
		if err = to.Encode(&r.held[i]); err != nil {
			break
		}
	}
	if err = cmp.Or(err, w.Flush()); err != nil {
		return fmt.Errorf("sort quotes: %w: %w", table.ErrStorage, err)
	}
	clear(r.held)
	r.held, r.bytes = r.held[:0], 0
	return nil
}

// each gives all quotes in order.
func (r *quoteRuns) each(do func(readQuote) error) error {
	if len(r.runs) == 0 {
		slices.SortFunc(r.held, compareRead)
		for _, q := range r.held {
			if err := do(q); err != nil {
				return err
			}
		}
		return nil
	}
	if err := r.spill(); err != nil {
		return err
	}
	r.held = nil
	var h quoteHeap
	for _, f := range r.runs {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		run := &quoteRun{from: gob.NewDecoder(bufio.NewReaderSize(f, 1<<16))}
		more, err := run.advance()
		if err != nil {
			return err
		}
		if more {
			h = append(h, run)
		}
	}
	heap.Init(&h)
	for len(h) > 0 {
		if err := do(h[0].next); err != nil {
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

func (r *quoteRuns) close() error {
	var err error
	for _, f := range r.runs {
		err = errors.Join(err, f.Close())
	}
	return err
}

// quoteRun is a sorted run and its next quote.
type quoteRun struct {
	from *gob.Decoder
	next readQuote
}

func (r *quoteRun) advance() (more bool, err error) {
	r.next = readQuote{} // what is empty is not written
	err = r.from.Decode(&r.next)
	if err == io.EOF {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("sort quotes: %w: %w", table.ErrStorage, err)
	}
	return true, nil
}

// quoteHeap has the run with the least quote on top.
type quoteHeap []*quoteRun

func (h quoteHeap) Len() int           { return len(h) }
func (h quoteHeap) Less(i, j int) bool { return compareRead(h[i].next, h[j].next) < 0 }
func (h quoteHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *quoteHeap) Push(x any)        { *h = append(*h, x.(*quoteRun)) }
func (h *quoteHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
