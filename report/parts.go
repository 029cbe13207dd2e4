package report

import (
	"bytes"
	"encoding/json"
)

// counted counts what it is given.
type counted int

func (c *counted) Write(b []byte) (int, error) { *c += counted(len(b)); return len(b), nil }

// room is how many bytes of passages a page of a size has room for: a tenth of it at
// least, however many books it has.
func (p *page) room(pageSize int) (int, error) {
	empty := *p
	empty.Data.Passages = nil
	var size counted
	if err := empty.write(&size); err != nil {
		return 0, err
	}
	return max(pageSize/10, pageSize-int(size)), nil
}

// share moves the passages that the page has no room for into files beside it. Each
// is a script, because a page that is opened from a file may load scripts from beside
// it and nothing else.
func (p *page) share(pageSize int, write func([]byte) (string, error)) error {
	if write == nil {
		return nil
	}
	limit, err := p.room(pageSize)
	if err != nil {
		return err
	}
	var part bytes.Buffer
	all, size := p.Data.Passages, 0
	first := true
	flush := func(until int) error {
		if first {
			p.Data.Passages = all[:until]
		} else {
			part.WriteString("])\n")
			address, err := write(part.Bytes())
			if err != nil {
				return err
			}
			p.Data.Parts = append(p.Data.Parts, address)
		}
		first, size, limit = false, 0, pageSize*3/4
		part.Reset()
		return nil
	}
	for i, s := range all {
		row, err := json.Marshal(s) // < and > are escaped, which a script of a page needs
		if err != nil {
			return err
		}
		if size > 0 && size+len(row) > limit {
			if err := flush(i); err != nil {
				return err
			}
		}
		if !first {
			if size == 0 {
				part.WriteString("commonplacePart([")
			} else {
				part.WriteByte(',')
			}
			part.Write(row)
		}
		size += len(row)
	}
	return flush(len(all))
}
