package standalone

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"strings"

	"github.com/commonplace/commonplace/sorting"
)

// quoteFinds puts the finds of a list's quotes in order: by quote, the best first within each,
// and otherwise as they were added. A large library has more of them than memory should hold.
type quoteFinds struct {
	sorting.Sorter
	n    uint64
	line bytes.Buffer
}

func (s *quoteFinds) add(f quoteFind) error {
	s.line.Reset()
	e := json.NewEncoder(&s.line)
	e.SetEscapeHTML(false)
	if err := e.Encode(f); err != nil {
		return err
	}
	// A zero ends the id, so that it comes before ids that it begins.
	key := []byte(strings.ReplaceAll(f.QuoteID, "\x00", "\x00\xff") + "\x00\x00")
	key = binary.BigEndian.AppendUint64(key, bestFirst(f.Score))
	key = binary.BigEndian.AppendUint64(key, bestFirst(f.Similarity))
	s.n++
	return s.Add(binary.BigEndian.AppendUint64(key, s.n), s.line.Bytes())
}

// each gives the lines in order.
func (s *quoteFinds) each(yield func(any) error) error {
	return s.Each(func(_, line []byte) error {
		return yield(json.RawMessage(line))
	})
}

// bestFirst maps numbers so that the largest comes first.
func bestFirst(f float64) uint64 {
	b := math.Float64bits(f + 0) // -0 is 0
	if f < 0 {
		return b
	}
	return math.MaxInt64 - b
}
