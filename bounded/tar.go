package bounded

import (
	"archive/tar"
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zip"
)

// BrokenTar is a file that is no tar archive, or breaks off, or whose packing does.
type BrokenTar struct{ Err error }

func (e *BrokenTar) Error() string { return e.Err.Error() }

func (e *BrokenTar) Unwrap() error { return e.Err }

// tarNames are how the names of archives end that [OpenTar] reads.
var tarNames = []string{".tar", ".tar.gz", ".tgz", ".tar.zip"}

// CutTar is a file's name without the ending of a tar archive, and whether it has one.
func CutTar(name string) (string, bool) {
	small := strings.ToLower(name)
	for _, end := range tarNames {
		if strings.HasSuffix(small, end) {
			return name[:len(name)-len(end)], true
		}
	}
	return name, false
}

// IsPackedTar says that the files of an archive can only be read from its beginning.
func IsPackedTar(name string) bool {
	_, is := CutTar(name)
	return is && !strings.HasSuffix(strings.ToLower(name), ".tar")
}

// Tar reads the files of an archive one after the other, plain, gzip, or a zip that
// holds one tar and nothing else, which is how Project Gutenberg packs all its texts.
type Tar struct {
	ctx     context.Context
	in      *Reader
	tar     *tar.Reader
	limits  Limits
	entries int64
	end     int64 // byte behind the last entry and its padding
	close   []io.Closer
}

// TarEntry is an entry of an archive.
type TarEntry struct {
	Name        string
	Begin, Size int64  // bytes in the unpacked archive, where Wrong is empty
	Wrong       string // why it is no file whose bytes lie at Begin
	Dir         bool
}

// OpenTar opens an archive, until the context ends.
func OpenTar(ctx context.Context, path string, l Limits) (*Tar, error) {
	l = l.WithDefaults()
	f, size, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	t := &Tar{ctx: ctx, limits: l, close: []io.Closer{f}}
	if err := t.unpack(f, size); err != nil {
		t.Close()
		return nil, t.failed(err)
	}
	t.tar = tar.NewReader(unpacked{t})
	return t, nil
}

// unpacked are the bytes of the archive, until its context ends.
type unpacked struct{ t *Tar }

func (u unpacked) Read(p []byte) (int, error) {
	if err := u.t.ctx.Err(); err != nil {
		return 0, err
	}
	return u.t.in.Read(p)
}

// unpack opens what a file holds, by its name.
func (t *Tar) unpack(f *os.File, size int64) error {
	t.in = &Reader{packed: -1, limits: t.limits, most: t.limits.Bytes}
	switch name := strings.ToLower(f.Name()); {
	case strings.HasSuffix(name, ".zip"):
		one, err := onlyTar(f, size, t.limits)
		if err != nil {
			return err
		}
		r, err := one.Open()
		if err != nil {
			return err
		}
		t.close = append(t.close, r)
		t.in.from, t.in.packed, t.in.packing = bufio.NewReaderSize(r, 1<<16), size, "zip"
	case strings.HasSuffix(name, "gz"):
		z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<16))
		if err != nil {
			return fmt.Errorf("at its beginning: %w", err)
		}
		t.in.from, t.in.packed, t.in.packing = z, size, "gzip"
	default:
		t.in.from = bufio.NewReaderSize(f, 1<<16)
		return nil
	}
	t.in.most = t.limits.Unpacked(size, t.limits.Bytes)
	return nil
}

// onlyTar is the one file of a zip.
func onlyTar(f *os.File, size int64, l Limits) (*zip.File, error) {
	z, err := newZip(f, size, l)
	if err != nil {
		return nil, err
	}
	if len(z.File) != 1 || !strings.HasSuffix(strings.ToLower(z.File[0].Name), ".tar") || !z.File[0].Mode().IsRegular() {
		return nil, fmt.Errorf("a .tar.zip holds one .tar and nothing else; this one has %d entries; unpack it", len(z.File))
	}
	if z.File[0].Flags&1 != 0 {
		return nil, errors.New("the entry is encrypted")
	}
	return z.File[0], nil
}

// Next goes on to the next entry. It gives [io.EOF] at the end of a whole archive: one
// that says that it ends there, and whose checksum, if it has one, is right.
func (t *Tar) Next() (TarEntry, error) {
	h, err := t.tar.Next()
	if err == io.EOF {
		if t.in.read <= t.end {
			return TarEntry{}, t.failed(fmt.Errorf("it breaks off after %d entries: the mark of the archive's end is not there", t.entries))
		}
		if _, err := io.Copy(io.Discard, unpacked{t}); err != nil {
			return TarEntry{}, t.failed(err)
		}
		return TarEntry{}, io.EOF
	}
	if err != nil {
		return TarEntry{}, t.failed(err)
	}
	if t.entries++; t.entries > t.limits.Records {
		return TarEntry{}, Over("records", t.limits.Records, "the archive has more than %d entries", t.limits.Records)
	}
	e := TarEntry{Name: strings.TrimPrefix(h.Name, "./"), Begin: t.in.read, Dir: h.FileInfo().IsDir()}
	switch {
	case sparse(h):
		e.Wrong = "it is sparse"
	case h.Typeflag == tar.TypeSymlink || h.Typeflag == tar.TypeLink:
		e.Wrong = "it is a link"
	case h.Typeflag != tar.TypeReg && !e.Dir:
		e.Wrong = "it is no regular file"
	default:
		e.Size = h.Size
	}
	t.end = e.Begin + (e.Size+511)/512*512
	return e, nil
}

// sparse says that the bytes of an entry are not those of its file: a few can stand for
// very many.
func sparse(h *tar.Header) bool {
	if h.Typeflag == tar.TypeGNUSparse {
		return true
	}
	for name := range h.PAXRecords {
		if strings.HasPrefix(name, "GNU.sparse.") {
			return true
		}
	}
	return false
}

// Read reads the entry at which the archive is.
func (t *Tar) Read(p []byte) (int, error) {
	n, err := t.tar.Read(p)
	if err != nil && err != io.EOF {
		err = t.failed(err)
	}
	return n, err
}

// failed is an error of the archive as a whole: of its limits, of its disk, or else of
// its bytes.
func (t *Tar) failed(err error) error {
	if t.in != nil && t.in.err != nil && t.in.err != io.EOF {
		err = t.in.err
	}
	var over *Error
	var disk *fs.PathError
	if errors.As(err, &over) || errors.As(err, &disk) || t.ctx.Err() != nil {
		return err
	}
	return &BrokenTar{fmt.Errorf("%w (after %d bytes, unpacked)", err, max(0, t.read()))}
}

func (t *Tar) read() int64 {
	if t.in == nil {
		return 0
	}
	return t.in.read
}

// Unpack writes the whole archive without its packing, as it lies at the entries' Begin.
func (t *Tar) Unpack(w io.Writer) error {
	t.in.from = io.TeeReader(t.in.from, w)
	for {
		if _, err := t.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// Close lets the archive go.
func (t *Tar) Close() error {
	var err error
	for i := range t.close {
		err = errors.Join(err, t.close[len(t.close)-1-i].Close())
	}
	return err
}
