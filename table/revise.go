package table

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Revise writes the rows of another shard of the table with other values in some
// columns, which hold numbers: rows gives them, one row for each of base's, and
// its other fields are not looked at. What stays is copied as it lies, compressed,
// and the file has the bytes that [Writer.Write] would have given it. The writer
// must be new.
//
// It is false, and nothing is written, where that cannot be promised: base was
// written otherwise, or has a column of more than one page to be replaced.
//
// Nobody looks at what is copied. Hold base to its SHA-256 before.
func (w *Writer[T]) Revise(base string, columns []string, rows iter.Seq2[T, error]) (done bool, err error) {
	if w.err != nil || w.rows > 0 {
		return false, fmt.Errorf("table %s: a shard is revised as a whole", w.table.Name)
	}
	defer func() {
		if err != nil {
			w.err = err
		}
	}()
	shard, err := openShard(w.table.files, base)
	if err != nil {
		return false, err
	}
	defer shard.close()
	defer rescue(base, &err)
	mixed, err := w.table.replaced(shard, columns, rows)
	if mixed == nil || err != nil {
		return false, err
	}
	for _, group := range mixed.RowGroups() {
		n, err := w.parquet.WriteRowGroup(group)
		if err != nil {
			return false, err
		}
		w.rows += n
	}
	return true, nil
}

// replaced is a file that exists in no place: base, behind it the new columns,
// and a footer of its own that names the columns of one and the other.
func (t *Table[T]) replaced(base *shardFile, columns []string, rows iter.Seq2[T, error]) (*parquet.File, error) {
	var meta format.FileMetaData
	footer, err := footerOf(base.file)
	if err != nil {
		return nil, base.file.broken(base.path, err)
	}
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), footer, &meta); err != nil {
		return nil, base.file.broken(base.path, err)
	}
	if !strings.HasPrefix(meta.CreatedBy, createdBy) || !parquet.EqualNodes(base.parquet.Schema(), t.schema) {
		return nil, nil
	}
	for _, g := range meta.RowGroups {
		if g.NumRows*8 >= batchBytes { // where its pages end depends on the other columns
			return nil, nil
		}
	}
	narrow, bytesOf, err := t.narrow(&meta, columns, rows)
	if err != nil {
		return nil, err
	}
	at := base.file.Size()
	tail := &joined{base.file, at, bytesOf}
	moved := map[*format.ColumnChunk]*format.OffsetIndex{}
	for i := range meta.RowGroups {
		for k, c := range narrow.Metadata().RowGroups[i].Columns {
			index := &narrow.OffsetIndexes()[i*len(columns)+k]
			for j := range index.PageLocations {
				index.PageLocations[j].Offset += at
			}
			c.MetaData.DataPageOffset += at
			c.ColumnIndexOffset += at
			n := slices.IndexFunc(meta.RowGroups[i].Columns, func(old format.ColumnChunk) bool {
				return slices.Equal(old.MetaData.PathInSchema, c.MetaData.PathInSchema)
			})
			meta.RowGroups[i].Columns[n] = c
			moved[&meta.RowGroups[i].Columns[n]] = index
		}
	}
	if err := tail.indexes(&meta, moved); err != nil {
		return nil, base.file.broken(base.path, err)
	}
	b, err := thrift.Marshal(new(thrift.CompactProtocol), &meta)
	if err != nil {
		return nil, err
	}
	tail.more = append(tail.more, b...)
	tail.more = binary.LittleEndian.AppendUint32(tail.more, uint32(len(b)))
	tail.more = append(tail.more, "PAR1"...)
	return parquet.OpenFile(tail, tail.size(), parquet.SkipBloomFilters(true))
}

// narrowRows are handed to the Parquet library at once.
const narrowRows = 1024

// narrow is a file with some columns alone, in row groups as those of meta.
func (t *Table[T]) narrow(meta *format.FileMetaData, columns []string, rows iter.Seq2[T, error]) (*parquet.File, []byte, error) {
	group, fields := parquet.Group{}, make([]int, len(columns))
	for i, name := range columns {
		n := slices.IndexFunc(t.columns, func(c column) bool { return c.name == name })
		if n < 0 || t.columns[n].list || t.columns[n].kind != reflect.Int64 && t.columns[n].kind != reflect.Float64 {
			return nil, nil, fmt.Errorf("table %s has no column %s of numbers", t.Name, name)
		}
		group[name] = t.schema.Fields()[slices.IndexFunc(t.schema.Fields(), func(f parquet.Field) bool { return f.Name() == name })]
		fields[i] = t.columns[n].field
	}
	schema := parquet.NewSchema(t.Name, group)
	places := make([]int, len(columns)) // a group's columns are in alphabetical order
	for i, name := range columns {
		places[i] = slices.IndexFunc(schema.Columns(), func(path []string) bool { return path[0] == name })
	}
	var buffer bytes.Buffer
	w := parquet.NewWriter(&buffer, append(t.layout(), schema)...)
	next, stop := iter.Pull2(rows)
	defer stop()
	batch := make([]parquet.Row, 0, narrowRows)
	flush := func() error {
		_, err := w.WriteRows(batch)
		batch = batch[:0]
		return err
	}
	for i := range meta.RowGroups {
		for range meta.RowGroups[i].NumRows {
			from, err, ok := next()
			if err != nil {
				return nil, nil, err
			}
			if !ok {
				return nil, nil, fmt.Errorf("table %s: fewer rows than the shard that is revised", t.Name)
			}
			v := reflect.ValueOf(&from).Elem()
			row := make(parquet.Row, len(columns))
			for k, f := range fields {
				row[places[k]] = parquet.ValueOf(v.Field(f).Interface()).Level(0, 0, places[k])
			}
			if batch = append(batch, row); len(batch) == narrowRows {
				if err := flush(); err != nil {
					return nil, nil, err
				}
			}
		}
		if err := cmp.Or(flush(), w.Flush()); err != nil {
			return nil, nil, err
		}
	}
	if _, err, ok := next(); err != nil || ok {
		return nil, nil, fmt.Errorf("table %s: more rows than the shard that is revised: %v", t.Name, err)
	}
	if err := w.Close(); err != nil {
		return nil, nil, err
	}
	f, err := parquet.OpenFile(bytes.NewReader(buffer.Bytes()), int64(buffer.Len()))
	return f, buffer.Bytes(), err
}

// joined is a file and, behind it, what is in memory.
type joined struct {
	file ReadableFile
	at   int64 // its size
	more []byte
}

func (j *joined) size() int64 { return j.at + int64(len(j.more)) }

func (j *joined) ReadAt(p []byte, offset int64) (int, error) {
	read := 0
	if offset < j.at {
		n := min(int64(len(p)), j.at-offset)
		if _, err := j.file.ReadAt(p[:n], offset); err != nil && err != io.EOF {
			return 0, err
		}
		read, offset = int(n), j.at
	}
	read += copy(p[read:], j.more[min(offset-j.at, int64(len(j.more))):])
	if read < len(p) {
		return read, io.EOF
	}
	return read, nil
}

// indexes puts the page indexes of all columns behind one another, where the
// library looks for them. What pages hold stays, and of columns that have moved
// it says where they are.
func (j *joined) indexes(meta *format.FileMetaData, moved map[*format.ColumnChunk]*format.OffsetIndex) error {
	each := func(do func(c *format.ColumnChunk) error) (err error) {
		for i := range meta.RowGroups {
			for k := range meta.RowGroups[i].Columns {
				err = cmp.Or(err, do(&meta.RowGroups[i].Columns[k]))
			}
		}
		return err
	}
	copied := func(offset *int64, length int32) error {
		if length < 0 || *offset < 0 || *offset > j.size()-int64(length) {
			return errors.New("its page index lies outside the file")
		}
		b := make([]byte, length)
		_, err := j.ReadAt(b, *offset)
		*offset = j.size()
		j.more = append(j.more, b...)
		return err
	}
	err := each(func(c *format.ColumnChunk) error { return copied(&c.ColumnIndexOffset, c.ColumnIndexLength) })
	return cmp.Or(err, each(func(c *format.ColumnChunk) error {
		index := moved[c]
		if index == nil {
			return copied(&c.OffsetIndexOffset, c.OffsetIndexLength)
		}
		b, err := thrift.Marshal(new(thrift.CompactProtocol), index)
		c.OffsetIndexOffset, c.OffsetIndexLength = j.size(), int32(len(b))
		j.more = append(j.more, b...)
		return err
	}))
}
