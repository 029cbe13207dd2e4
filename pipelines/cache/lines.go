package cache

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/commonplace/commonplace/storage"
)

// Files of a run's cache that are rows hold a line of JSON for each, and at
// the end, without a newline, the SHA-256 of all lines: what was cut or changed is
// not read, but made again.

// linesSum is the length of what follows the last line.
const linesSum = 2 * sha256.Size

// WriteLines writes values as checksummed JSON lines.
func WriteLines[T any](ctx context.Context, path string, values []T) error {
	return WriteChecksummed(ctx, path, func(put func(any) error) error {
		for i := range values {
			if err := put(values[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Lines reads the rows one by one, making the file if it is not there or damaged.
func Lines[T any](ctx context.Context, path string, build func(put func(row any) error) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		if err := CheckLines(ctx, path); errors.Is(err, storage.ErrRefused) {
			yield(none, err)
			return
		} else if err != nil {
			if err := WriteChecksummed(ctx, path, build); err != nil {
				yield(none, err)
				return
			}
		}
		f, from, err := OpenLines(ctx, path)
		if err != nil {
			yield(none, err)
			return
		}
		defer f.Close()
		decodeRows[T](path, from)(yield)
	}
}

// ReadLines reads what [WriteLines] wrote. A damaged file gives no value.
func ReadLines[T any](ctx context.Context, path string) ([]T, error) {
	if err := CheckLines(ctx, path); err != nil {
		return nil, err
	}
	f, from, err := OpenLines(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return DecodeLines[T](path, from)
}

// WriteChecksummed writes the rows that fill puts.
func WriteChecksummed(ctx context.Context, path string, fill func(put func(row any) error) error) error {
	return Publish(ctx, path, func(w *bufio.Writer) error {
		sum := sha256.New()
		if err := fill(json.NewEncoder(io.MultiWriter(w, sum)).Encode); err != nil {
			return err
		}
		_, err := w.WriteString(hex.EncodeToString(sum.Sum(nil)))
		return err
	})
}

// CheckLines reports whether a file is there and whole.
func CheckLines(ctx context.Context, path string) error {
	f, size, err := openToSum(ctx, path)
	if err != nil {
		return err
	}
	defer f.Close()
	sum, want := sha256.New(), make([]byte, linesSum)
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size)); err != nil {
		return err
	}
	if _, err := f.ReadAt(want, size); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != string(want) {
		return fmt.Errorf("%s is damaged", path)
	}
	return nil
}

// OpenLines opens a file that was checked.
func OpenLines(ctx context.Context, path string) (*os.File, *json.Decoder, error) {
	f, size, err := openToSum(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	return f, json.NewDecoder(bufio.NewReaderSize(io.NewSectionReader(f, 0, size), 1<<16)), nil
}

// openToSum opens a file and says how long its lines are.
func openToSum(ctx context.Context, path string) (*os.File, int64, error) {
	if err := Ensure(ctx, path); err != nil {
		return nil, 0, err
	}
	f, err := os.Open(LocalFile(ctx, path))
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() < linesSum {
		err = fmt.Errorf("%s is cut", path)
	}
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size() - linesSum, nil
}

// DecodeLines reads rows to the end.
func DecodeLines[T any](path string, from *json.Decoder) ([]T, error) {
	var values []T
	for v, err := range decodeRows[T](path, from) {
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

// decodeRows are the rows that follow one another, to the end. A file that was
// checked against its sum and cannot be read to its end any more is the storage's fault.
func decodeRows[T any](path string, from *json.Decoder) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			var row T
			err := from.Decode(&row) // and not More, which takes an error for the end
			if err == io.EOF {
				return
			}
			if err != nil {
				err = storage.Mark(fmt.Errorf("read %s: %w; run again", path, err))
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}
