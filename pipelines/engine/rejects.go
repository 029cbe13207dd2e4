package engine

import (
	"encoding/json"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/sorting"
	"github.com/commonplace/commonplace/storage"
)

// rejectOrder sorts a task's rejects by id, location, reason and detail, in
// temporary files where there are many.
type rejectOrder struct {
	sorter sorting.Sorter
	n      int64
	failed error // of a temporary file; the task looks at it when its work is done
}

func (o *rejectOrder) add(r commonplace.Reject) {
	var key []byte
	for _, s := range []string{r.ID, r.Location, r.Reason, r.Detail} {
		key = appendOrdered(key, s)
	}
	b, err := json.Marshal(r)
	if err == nil && o.failed == nil {
		err = storage.Mark(o.sorter.Add(key, b))
	}
	if err != nil && o.failed == nil {
		o.failed = err
	}
	o.n++
}

// appendOrdered writes a text so that keys of several are in the order of the
// first, then of the second: its end comes before every byte.
func appendOrdered(key []byte, s string) []byte {
	for i := range len(s) {
		if key = append(key, s[i]); s[i] == 0 {
			key = append(key, 1)
		}
	}
	return append(key, 0, 0)
}

// each gives all rejects in order.
func (o *rejectOrder) each(do func(commonplace.Reject) error) error {
	var failed error
	err := o.sorter.Each(func(_, value []byte) error {
		var r commonplace.Reject
		if failed = json.Unmarshal(value, &r); failed == nil {
			failed = do(r)
		}
		return failed
	})
	if failed != nil {
		return failed
	}
	return storage.Mark(err)
}
