package parquet

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/format"

	"github.com/commonplace/commonplace/bounded"
)

// guard checks a file of another tool against limits before the Parquet library reads
// it. A page says how long it is unpacked, the unpacked page how many values it
// has and how long they are, and the library allocates whatever they say:
// ten bytes can stand for a billion values. So every page is unpacked here first,
// by decoders that stop, and what its values will take is counted.
type guard struct {
	limits bounded.Limits
	size   int64          // of the file
	open   bounded.Budget // pages of all columns that are open
	made   int64          // bytes of texts that were made of values
	most   int64          // of them
	codecs codecs
}

// Pages of a small file may take this much, whatever they unpack to: a column of
// one value is some bytes for millions of rows.
const (
	freePage = 4 * bounded.Free  // each
	freeOpen = 16 * bounded.Free // all that are open
)

// shortText is how long a text may be that many rows in sequence have and that is not
// counted for each: a language, an author. Other rows of a table, such as ids, take more
// in the file, and the number of rows has its own limit.
const shortText = 64

// maxForeignFooter is more than a hundred columns in a thousand row groups take.
// The library makes some twenty times as much of it.
const maxForeignFooter = 16 << 20

func newGuard(size int64, l bounded.Limits) *guard {
	l = l.WithDefaults()
	return &guard{limits: l, size: size, most: l.Unpacked(size, l.Bytes),
		open: bounded.Budget{Most: min(l.Memory, max(freeOpen, l.Unpacked(size, l.Memory)))}}
}

// rows checks the number of rows against the limit.
func (g *guard) rows(n int64) error {
	if n > g.limits.Records {
		return bounded.Over("records", g.limits.Records, "the table has %d rows, more than %d", n, g.limits.Records)
	}
	return nil
}

// make counts the bytes of a text that is made of a value. A dictionary's text
// is made for each row that has it.
func (g *guard) make(n int) error {
	if g == nil {
		return nil
	}
	if g.made += int64(n); g.made > g.most {
		return bounded.Over("ratio", g.limits.Ratio, "%d bytes of table hold more than %d", g.size, g.most)
	}
	return nil
}

// again counts a text that the row before has, too. It takes no memory here, and as much
// as any other in what is made of the row.
func (g *guard) again(n int) error {
	if n <= shortText {
		return nil
	}
	return g.make(n)
}

// chunk checks every page of a column chunk against the limits and counts the largest,
// with the dictionary, as open.
func (g *guard) chunk(file io.ReaderAt, meta *format.ColumnMetaData, shape levels) (open int64, err error) {
	largest, dictionary := int64(0), int64(0)
	err = eachPage(file, meta, func(h pageHeader, at int64) error {
		most := min(g.limits.Memory, max(freePage, g.limits.Unpacked(h.stored, g.limits.Memory)))
		over := func(n int64) error {
			if n <= most {
				return nil
			}
			return bounded.Over("ratio", g.limits.Ratio, "a page of %d bytes unpacks to more than %d", h.stored, most)
		}
		// Its bytes, their copy as values, and the value's places and levels.
		n := 2*h.raw + 8*h.values
		if err := over(n); err != nil {
			return err
		}
		stored := make([]byte, h.stored)
		if _, err := file.ReadAt(stored, at); err != nil {
			return err
		}
		page, err := g.codecs.unpack(meta.Codec, h, stored)
		if err != nil {
			return err
		}
		made, err := valuesTake(page, h, shape)
		if err != nil {
			return err
		}
		if n += made; h.kind == dictionaryPage {
			dictionary = max(dictionary, n)
		} else {
			largest = max(largest, n)
		}
		return over(n)
	})
	if err == nil {
		open = largest + dictionary
		err = g.open.Hold(open)
	}
	if err != nil {
		return 0, fmt.Errorf("column %s: %w", dotted(meta.PathInSchema), err)
	}
	return open, nil
}
