package quotes

import (
	"encoding/binary"
	"encoding/json"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/sorting"
	"github.com/commonplace/commonplace/storage"
)

// readQuote is a quote as it was read.
type readQuote struct {
	commonplace.Quote
	List int // of the lists, in their order
	At   int // among all quotes, as they were read
}

// quoteOrder sorts quotes by id, those of one id as they were read: lists come in
// any order, the table does not, and lists need not fit into memory.
type quoteOrder struct{ sorter sorting.Sorter }

func (o *quoteOrder) add(q readQuote) error {
	at := binary.BigEndian.AppendUint64(nil, uint64(q.At))
	b, err := json.Marshal(q)
	if err != nil {
		return err
	}
	return storage.Mark(o.sorter.Add([]byte(q.ID), append(at, b...)))
}

// each gives all quotes in order.
func (o *quoteOrder) each(do func(readQuote) error) error {
	var failed error
	err := o.sorter.Each(func(_, value []byte) error {
		var q readQuote
		if failed = json.Unmarshal(value[8:], &q); failed == nil {
			failed = do(q)
		}
		return failed
	})
	if failed != nil {
		return failed
	}
	return storage.Mark(err)
}
