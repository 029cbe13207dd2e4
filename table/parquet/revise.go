package parquet

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/commonplace/commonplace/storage"
)

// Revise writes the rows of another shard of the table with other values in some
// columns, which hold numbers: rows gives them, one row for each of base's, and
// its other fields are not looked at. What stays is copied as it lies, compressed,
// while base is checked against sum, its SHA-256; and the file has the bytes that
// [Writer.Write] would have given it. The writer must be new.
//
// It is false, and the writer is as it was, where that cannot be promised: base
// is not there, has other bytes, was written otherwise, or has a column of more
// than one page to be replaced.
func (w *Writer[T]) Revise(base, sum string, columns []string, rows iter.Seq2[T, error]) (done bool, err error) {
	if w.err != nil || w.rows > 0 || w.revised {
		return false, fmt.Errorf("table %s: a shard is revised as a whole", w.schema.Name)
	}
	shard, err := openShard(w.ctx, w.schema.files, base)
	if errors.Is(err, storage.ErrDamaged) || errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		w.err = err
		return false, err
	}
	defer shard.close()
	edits, err := w.schema.edits(shard, columns, rows)
	if err != nil && !shard.hasSum(sum) { // of what is damaged anything can be said
		return false, nil
	}
	same := false
	if err == nil && edits != nil {
		same, err = edited(w.file, shard.file, edits, sum)
	}
	switch {
	case shard.file.failed != nil:
		w.err = storage.Wrap("read", base, shard.file.failed)
	case err != nil:
		w.err = err
	case same:
		w.rows, w.revised = shard.parquet.NumRows(), true
	case w.file.Size > 0: // base was found out while it was copied
		w.file.Abort()
		var again *Writer[T]
		if again, w.err = w.schema.CreateFile(w.ctx, w.file.Path); w.err == nil {
			*w = *again
		}
	}
	return same && w.err == nil, w.err
}

// hasSum tells whether a file has a SHA-256.
func (s *shardFile) hasSum(sum string) bool {
	h := sha256.New()
	_, err := io.Copy(h, io.NewSectionReader(s.file, 0, s.file.Size()))
	return err == nil && hex.EncodeToString(h.Sum(nil)) == sum
}

// edit puts other bytes in the place of those from begin to end.
type edit struct {
	begin, end int64
	with       []byte
}

// edited writes a file with edits, which are in order and the last of which ends
// where the file does. It is false, whatever was written, where the file does not
// have the SHA-256 sum. Up to the first edit both files are hashed as one.
func edited(f *storage.AtomicFile, file storage.ReadableFile, edits []edit, sum string) (same bool, err error) {
	buffer := make([]byte, 128<<10)
	copied := func(to io.Writer, begin, end int64) {
		if err == nil {
			_, err = io.CopyBuffer(struct{ io.Writer }{to}, io.NewSectionReader(file, begin, end-begin), buffer)
		}
	}
	copied(f, 0, edits[0].begin)
	if err != nil {
		return false, err
	}
	was, err := f.Sum.(hash.Cloner).Clone()
	for i, e := range edits {
		if i > 0 {
			copied(io.MultiWriter(f, was), edits[i-1].end, e.begin)
		}
		copied(was, e.begin, e.end)
		if err == nil {
			_, err = f.Write(e.with)
		}
	}
	return err == nil && hex.EncodeToString(was.Sum(nil)) == sum, err
}

// edits say how base becomes a shard with other values in some columns: their
// pages, and behind all pages the indexes and the footer, which say where pages
// lie. They are nil where base is not laid out as our files are.
func (s *Schema[T]) edits(base *shardFile, columns []string, rows iter.Seq2[T, error]) (edits []edit, err error) {
	meta := base.parquet.Metadata()
	if !strings.HasPrefix(meta.CreatedBy, createdBy) || !parquet.EqualNodes(base.parquet.Schema(), s.schema) {
		return nil, nil
	}
	for _, g := range meta.RowGroups {
		if g.NumRows*8 >= batchBytes { // where its pages end depends on the other columns
			return nil, nil
		}
	}
	narrow, narrowBytes, err := s.narrow(meta, columns, rows)
	if err != nil {
		return nil, err
	}
	defer rescue(base.path, &err)
	end := int64(len(magic)) // of the pages so far
	moved := int64(0)        // how far what follows has moved
	var index []pageIndex
	for i := range meta.RowGroups {
		g := &meta.RowGroups[i]
		g.FileOffset += moved
		for k := range g.Columns {
			c := &g.Columns[k]
			x := pageIndex{chunk: c, moved: moved}
			begin, size := extent(&c.MetaData)
			if begin != end {
				return nil, nil
			}
			end += size
			fresh := narrow.Metadata().RowGroups[i].Columns
			n := slices.IndexFunc(fresh, func(f format.ColumnChunk) bool { return slices.Equal(f.MetaData.PathInSchema, c.MetaData.PathInSchema) })
			if n >= 0 {
				f := fresh[n]
				from, long := extent(&f.MetaData)
				edits = append(edits, edit{begin, end, narrowBytes[from : from+long]})
				x.bounds = narrowBytes[f.ColumnIndexOffset:][:f.ColumnIndexLength]
				x.offsets = &narrow.OffsetIndexes()[i*len(columns)+n]
				x.moved = begin + moved - from
				g.TotalByteSize += f.MetaData.TotalUncompressedSize - c.MetaData.TotalUncompressedSize
				g.TotalCompressedSize += long - size
				c.MetaData = f.MetaData
				moved += long - size
			}
			c.MetaData.DataPageOffset += x.moved
			if c.MetaData.DictionaryPageOffset > 0 {
				c.MetaData.DictionaryPageOffset += x.moved
			}
			index = append(index, x)
		}
	}
	tail, err := newTail(base, end, moved, index)
	if tail == nil || err != nil {
		return nil, err
	}
	return append(edits, edit{end, base.file.Size(), tail}), nil
}

// magic begins and ends a Parquet file.
const magic = "PAR1"

// extent is where the pages of a column begin, and their bytes.
func extent(m *format.ColumnMetaData) (begin, size int64) {
	if begin = m.DataPageOffset; m.DictionaryPageOffset > 0 {
		begin = min(begin, m.DictionaryPageOffset)
	}
	return begin, m.TotalCompressedSize
}

// pageIndex is what lies behind the pages of all columns about those of one: what
// they hold and where they lie. Of a column that stays it is read from base.
type pageIndex struct {
	chunk   *format.ColumnChunk
	moved   int64 // how far the pages have moved
	bounds  []byte
	offsets *format.OffsetIndex
}

// newTail is what stands behind the pages: what each holds, where each lies, and
// the footer. In base it begins at a place, and in the new file so much later. It
// is nil where base's has another order.
func newTail(base *shardFile, at, moved int64, index []pageIndex) ([]byte, error) {
	was := make([]byte, base.file.Size()-at)
	if _, err := base.file.ReadAt(was, at); err != nil && err != io.EOF {
		return nil, base.file.broken(base.path, err)
	}
	from := at
	next := func(offset int64, length int32) []byte {
		if offset != from || length < 0 || int64(length) > at+int64(len(was))-from {
			return nil
		}
		from += int64(length)
		return was[offset-at:][:length]
	}
	var tail []byte
	put := func(b []byte) (offset int64, length int32) {
		offset = at + moved + int64(len(tail))
		tail = append(tail, b...)
		return offset, int32(len(b))
	}
	for _, x := range index {
		b := next(x.chunk.ColumnIndexOffset, x.chunk.ColumnIndexLength)
		if b == nil {
			return nil, nil
		}
		if x.bounds != nil {
			b = x.bounds
		}
		x.chunk.ColumnIndexOffset, x.chunk.ColumnIndexLength = put(b)
	}
	protocol := new(thrift.CompactProtocol)
	for _, x := range index {
		b := next(x.chunk.OffsetIndexOffset, x.chunk.OffsetIndexLength)
		if b == nil {
			return nil, nil
		}
		if x.moved != 0 || x.offsets != nil {
			if x.offsets == nil {
				x.offsets = new(format.OffsetIndex)
				walk := thriftWalk{b: b}
				err := walk.structure(0, 0)
				if err == nil {
					err = thrift.Unmarshal(protocol, b, x.offsets)
				}
				if err != nil {
					return nil, damaged(base.path, err)
				}
			}
			for j := range x.offsets.PageLocations {
				x.offsets.PageLocations[j].Offset += x.moved
			}
			var err error
			if b, err = thrift.Marshal(protocol, x.offsets); err != nil {
				return nil, err
			}
		}
		x.chunk.OffsetIndexOffset, x.chunk.OffsetIndexLength = put(b)
	}
	footer, err := thrift.Marshal(protocol, base.parquet.Metadata())
	if err != nil {
		return nil, err
	}
	tail = binary.LittleEndian.AppendUint32(append(tail, footer...), uint32(len(footer)))
	return append(tail, magic...), nil
}

// narrowRows are handed to the Parquet library at once.
const narrowRows = 1024

// narrow is a file with some columns alone, in row groups as those of meta.
func (s *Schema[T]) narrow(meta *format.FileMetaData, columns []string, rows iter.Seq2[T, error]) (*parquet.File, []byte, error) {
	group, fields := parquet.Group{}, make([]int, len(columns))
	for i, name := range columns {
		n := slices.IndexFunc(s.columns, func(c column) bool { return c.name == name })
		if n < 0 || s.columns[n].list || s.columns[n].null || s.columns[n].kind != reflect.Int64 && s.columns[n].kind != reflect.Float64 {
			return nil, nil, fmt.Errorf("table %s has no column %s of numbers", s.Name, name)
		}
		group[name] = s.schema.Fields()[slices.IndexFunc(s.schema.Fields(), func(f parquet.Field) bool { return f.Name() == name })]
		fields[i] = s.columns[n].field
	}
	schema := parquet.NewSchema(s.Name, group)
	places := make([]int, len(columns)) // a group's columns are in alphabetical order
	for i, name := range columns {
		places[i] = slices.IndexFunc(schema.Columns(), func(path []string) bool { return path[0] == name })
	}
	var buffer bytes.Buffer
	w := parquet.NewWriter(&buffer, append(s.layout(), schema)...)
	next, stop := iter.Pull2(rows)
	defer stop()
	values, batch := make([]parquet.Value, narrowRows*len(columns)), make([]parquet.Row, 0, narrowRows)
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
				return nil, nil, fmt.Errorf("table %s: fewer rows than the shard that is revised", s.Name)
			}
			v := reflect.ValueOf(&from).Elem()
			row := parquet.Row(values[len(batch)*len(columns):][:len(columns)])
			for k, f := range fields {
				value := parquet.Value{}
				if n := v.Field(f); n.CanInt() {
					value = parquet.Int64Value(n.Int())
				} else {
					value = parquet.DoubleValue(n.Float())
				}
				row[places[k]] = value.Level(0, 0, places[k])
			}
			if batch = append(batch, row); len(batch) == narrowRows {
				if err := flush(); err != nil {
					return nil, nil, err
				}
			}
		}
		err := flush()
		if err == nil {
			err = w.Flush()
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if _, err, ok := next(); err != nil {
		return nil, nil, err
	} else if ok {
		return nil, nil, fmt.Errorf("table %s: more rows than the shard that is revised", s.Name)
	}
	if err := w.Close(); err != nil {
		return nil, nil, err
	}
	f, err := parquet.OpenFile(bytes.NewReader(buffer.Bytes()), int64(buffer.Len()))
	return f, buffer.Bytes(), err
}
