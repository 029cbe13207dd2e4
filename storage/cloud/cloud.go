// Package cloud opens buckets of Google Cloud Storage and Amazon S3 for package
// storage, through Beam's file systems. Import it for its effect: from then on
// paths that begin with gs:// or s3:// can be read and written.
package cloud

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"time"

	gcs "cloud.google.com/go/storage"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	// Dataflow's runner brings the library below it, so it costs nothing.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"

	"github.com/commonplace/commonplace/storage"
)

func init() { Register() }

// Register makes package storage open buckets with the credentials and addresses
// that the environment names now. Only tests need to call it again.
func Register() {
	for _, scheme := range []string{"gs", "s3"} {
		storage.RegisterBuckets(scheme, func() (storage.Bucket, error) { return openBuckets(scheme) })
	}
}

// patience is how long a bucket may move not a byte. The libraries below try
// again by themselves, some without end.
var patience = 2 * time.Minute

// beamBucket are the buckets of one of Beam's file systems.
type beamBucket struct {
	files filesystem.Interface
	// deep says that ** in a pattern stands for any number of folders.
	deep bool
}

// quietChecksums says when Amazon's library looks at the checksums of what it
// reads. By default it writes a line to the terminal for every object that has
// none; what arrives is compared with the object's length in any case.
const quietChecksums = "AWS_RESPONSE_CHECKSUM_VALIDATION"

func openBuckets(scheme string) (b beamBucket, err error) {
	defer func() {
		if r := recover(); r != nil { // Beam panics where credentials cannot be read
			err = fmt.Errorf("%s:// cannot be opened: %v", scheme, r)
		}
	}()
	if scheme == "s3" && os.Getenv(quietChecksums) == "" {
		os.Setenv(quietChecksums, "when_required")
	}
	files, err := filesystem.New(context.Background(), scheme+"://")
	if err != nil {
		return b, fmt.Errorf("%s:// is not in this program: build it with `make build S3=1`", scheme)
	}
	return beamBucket{files, scheme == "gs"}, nil
}

// address writes a path as Beam parses it: as a URL.
func address(path string) string {
	scheme, rest, _ := strings.Cut(path, "://")
	bucket, object, _ := strings.Cut(rest, "/")
	return (&url.URL{Scheme: scheme, Host: bucket, Path: "/" + object}).String()
}

// moving is a context that ends when nothing has moved for too long.
type moving struct {
	context.Context
	asked  context.Context // of the caller
	timer  *time.Timer
	cancel context.CancelCauseFunc
}

var errIdle = errors.New("the bucket does not answer")

func newMoving(ctx context.Context) *moving {
	asked := ctx
	ctx, cancel := context.WithCancelCause(ctx)
	return &moving{ctx, asked, time.AfterFunc(patience, func() { cancel(errIdle) }), cancel}
}

func (m *moving) moved() { m.timer.Reset(patience) }

func (m *moving) end() {
	m.timer.Stop()
	m.cancel(nil)
}

// explain puts in the place of "context canceled" why it was, and gives the
// caller's own end as it is: the libraries wrap it in ways of theirs.
func (m *moving) explain(err error) error {
	if err == nil {
		return nil
	}
	if ended := m.asked.Err(); ended != nil {
		return ended
	}
	if context.Cause(m) == errIdle {
		return fmt.Errorf("%w within %s: %v", errIdle, patience, err)
	}
	return err
}

func (b beamBucket) Read(ctx context.Context, path string) (io.ReadCloser, error) {
	m := newMoving(ctx)
	r, err := b.files.OpenRead(m, address(path))
	if err != nil {
		err = m.explain(err)
		m.end()
		return nil, b.missing(ctx, path, err)
	}
	return &objectReader{r, m}, nil
}

type objectReader struct {
	io.ReadCloser
	m *moving
}

func (r *objectReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	r.m.moved()
	if err != io.EOF {
		err = r.m.explain(err)
	}
	return n, err
}

func (r *objectReader) Close() error {
	defer r.m.end()
	return r.ReadCloser.Close()
}

func (b beamBucket) Write(ctx context.Context, path string, from io.Reader) error {
	m := newMoving(ctx)
	defer m.end()
	w, err := b.files.OpenWrite(m, address(path))
	if err != nil {
		return m.explain(err)
	}
	if _, err := io.Copy(movingWriter{w, m}, from); err != nil {
		err = m.explain(err)
		m.cancel(nil) // or Close would publish what has arrived
		w.Close()
		return err
	}
	return m.explain(w.Close())
}

type movingWriter struct {
	io.Writer
	m *moving
}

func (w movingWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.m.moved()
	return n, err
}

// Copy copies an object inside the store.
func (b beamBucket) Copy(ctx context.Context, from, to string) error {
	copier, ok := b.files.(filesystem.Copier)
	if !ok {
		return fmt.Errorf("copy %s: %w", from, errors.ErrUnsupported)
	}
	m := newMoving(ctx)
	defer m.end()
	return m.explain(missing(from, copier.Copy(m, address(from), address(to))))
}

func (b beamBucket) Size(ctx context.Context, path string) (int64, error) {
	m := newMoving(ctx)
	defer m.end()
	size, err := b.files.Size(m, address(path))
	return size, m.explain(missing(path, err))
}

func (b beamBucket) Remove(ctx context.Context, path string) error {
	remover, ok := b.files.(filesystem.Remover)
	if !ok {
		return fmt.Errorf("remove %s: %w", path, errors.ErrUnsupported)
	}
	m := newMoving(ctx)
	defer m.end()
	return m.explain(missing(path, remover.Remove(m, address(path))))
}

func (b beamBucket) List(ctx context.Context, dir string, depth int) ([]string, error) {
	if strings.ContainsAny(dir, "*?[\\") {
		return nil, fmt.Errorf("%s: %w: Beam would take one of *?[\\ in it for a pattern", dir, fs.ErrInvalid)
	}
	dir = strings.TrimSuffix(dir, "/") + "/"
	var below []string
	for n := 1; n <= depth; n++ {
		pattern := dir + "*" + strings.Repeat("/*", n-1) // s3's patterns know no **
		if b.deep {
			pattern, n = dir+"**", depth
		}
		m := newMoving(ctx)
		found, err := b.files.List(m, address(pattern))
		err = m.explain(err)
		m.end()
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", dir, err)
		}
		for _, path := range found {
			rest := strings.TrimPrefix(path, dir)
			if rest != "" && !strings.HasSuffix(rest, "/") && strings.Count(rest, "/") < depth { // some tools leave objects named as folders
				below = append(below, rest)
			}
		}
	}
	return below, nil
}

// missing is for calls of which Beam hands on the words of s3 alone: it asks
// again, in a call that keeps the error.
func (b beamBucket) missing(ctx context.Context, path string, err error) error {
	if _, there := b.Size(ctx, path); errors.Is(there, fs.ErrNotExist) {
		return there
	}
	return err
}

// missing is fs.ErrNotExist where an error says that there is no such object.
func missing(path string, err error) error {
	var coded interface{ ErrorCode() string } // of s3
	if errors.Is(err, gcs.ErrObjectNotExist) || errors.As(err, &coded) && (coded.ErrorCode() == "NotFound" || coded.ErrorCode() == "NoSuchKey") {
		return &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return err
}

// Modified is when an object was last written.
func (b beamBucket) Modified(ctx context.Context, path string) (time.Time, error) {
	m := newMoving(ctx)
	defer m.end()
	getter, ok := b.files.(filesystem.LastModifiedGetter)
	if !ok {
		return time.Time{}, fmt.Errorf("%s: when it was written: %w", path, errors.ErrUnsupported)
	}
	t, err := getter.LastModified(m, address(path))
	if err != nil {
		return t, b.missing(ctx, path, m.explain(err))
	}
	return t, nil
}
