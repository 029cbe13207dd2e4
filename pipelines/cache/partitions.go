package cache

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"os"

	"github.com/commonplace/commonplace/storage"
)

// Some tasks need of a whole table only what concerns their own shard: of all
// matches those in their sources, of all editions those of their documents.
// Were the whole table in their fingerprints, one new document would rebuild every
// shard, to the same bytes. So what there is of such rows is partitioned by the
// shards in a file of the run's cache before the stage is planned: a task
// reads its section and nothing else, and only shards whose section is another
// than before are made.

// Partitions is such a file. A line describes the sections, and they follow: a line of
// JSON for each row, in the order in which the rows came.
type Partitions struct {
	Path string
	partitionTable
	begin int64 // of the first section
}

type partitionTable struct {
	Sums []string `json:"sums"` // SHA-256 of each section
	Ends []int64  `json:"ends"` // of each section, from where the first begins
}

// partitionBuffers is what the sections that are being written may hold in memory.
const partitionBuffers = 8 << 20

// RowsByShard hands out rows, each with the shard that it concerns. It is asked
// twice and gives the same rows both times.
type RowsByShard func(put func(shard int, row any) error) error

// Partition opens the file of a name, which says what it is made from. It is made if
// it is not there or damaged.
func Partition(ctx context.Context, path string, of int, rows func() (RowsByShard, error)) (*Partitions, error) {
	d, err, _ := building.Of(ctx).Do(path, func() (any, error) {
		if d, err := OpenPartitions(ctx, path, of); err == nil || errors.Is(err, storage.ErrRefused) {
			return d, err
		}
		from, err := rows()
		if err != nil {
			return nil, err
		}
		if err := writePartitions(ctx, path, of, from); err != nil {
			return nil, err
		}
		return OpenPartitions(ctx, path, of)
	})
	if err != nil {
		return nil, err
	}
	return d.(*Partitions), nil
}

// writePartitions looks at the rows once to see how long the sections are, and once
// to put them there.
func writePartitions(ctx context.Context, path string, of int, rows RowsByShard) error {
	sums, s := make([]hash.Hash, of), partitionTable{make([]string, of), make([]int64, of)}
	for k := range sums {
		sums[k] = sha256.New()
	}
	err := rows(func(shard int, row any) error {
		line := append(storage.MustJSON(row), '\n')
		sums[shard].Write(line)
		s.Ends[shard] += int64(len(line))
		return nil
	})
	if err != nil {
		return err
	}
	for k := range sums {
		s.Sums[k] = hex.EncodeToString(sums[k].Sum(nil))
		if k > 0 {
			s.Ends[k] += s.Ends[k-1]
		}
	}
	head := append(storage.MustJSON(s), '\n')
	return publishFile(ctx, path, func(f storage.Writer) error {
		if _, err := f.Write(head); err != nil {
			return err
		}
		to := make([]*bufio.Writer, of)
		for k := range to {
			begin := int64(len(head))
			if k > 0 {
				begin += s.Ends[k-1]
			}
			to[k] = bufio.NewWriterSize(io.NewOffsetWriter(f, begin), max(512, partitionBuffers/of))
		}
		err := rows(func(shard int, row any) error {
			_, err := to[shard].Write(append(storage.MustJSON(row), '\n'))
			return err
		})
		for _, w := range to {
			err = errors.Join(err, w.Flush())
		}
		return err
	})
}

// OpenPartitions reads the first line.
func OpenPartitions(ctx context.Context, path string, of int) (*Partitions, error) {
	if err := Ensure(ctx, path); err != nil {
		return nil, err
	}
	f, err := os.Open(LocalFile(ctx, path))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	line, err := bufio.NewReader(f).ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	d := &Partitions{Path: path, begin: int64(len(line))}
	if err := json.Unmarshal(line, &d.partitionTable); err != nil {
		return nil, err
	}
	if len(d.Sums) != of || len(d.Ends) != of {
		return nil, fmt.Errorf("%s has %d sections, want %d", path, len(d.Sums), of)
	}
	return d, nil
}

// Rows reads the rows of a shard.
func Rows[T any](ctx context.Context, d *Partitions, shard int) iter.Seq2[T, error] {
	begin := int64(0)
	if shard > 0 {
		begin = d.Ends[shard-1]
	}
	return CheckedRows[T](ctx, d.Path, d.begin+begin, d.Ends[shard]-begin, d.Sums[shard])
}

// CheckedRows reads the rows of a part of a file, once it is checked against its sum. A disk or
// a bucket that fails passes; what is damaged is removed, since it can always be
// made again.
func CheckedRows[T any](ctx context.Context, path string, begin, bytes int64, want string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		f, err := os.Open(LocalFile(ctx, path))
		if err != nil {
			yield(none, storage.Mark(err))
			return
		}
		defer f.Close()
		rows := io.NewSectionReader(f, begin, bytes)
		sum := sha256.New()
		if _, err := io.Copy(sum, rows); err != nil {
			yield(none, storage.Mark(fmt.Errorf("read %s: %w; run again", path, err)))
			return
		}
		if hex.EncodeToString(sum.Sum(nil)) != want {
			Remove(ctx, path)
			yield(none, fmt.Errorf("%s is damaged: %w: other bytes than were written; it is removed: run again", path, storage.ErrRefused))
			return
		}
		rows.Seek(0, io.SeekStart)
		decodeRows[T](path, json.NewDecoder(bufio.NewReader(rows)))(yield)
	}
}
