package warc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"net/textproto"
	"os"
	"slices"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/storage"
	"github.com/klauspost/compress/gzip"
	"github.com/nlnwa/gowarc"
)

// Scan reads the records of a WARC file, plain or gzip, from the reader's place
// on, which is offset from for what it reports. A record with a block over
// maxBlock bytes (0: 1 GiB), or that unpacks to more than its ratio, is a [Broken]
// that the next record may follow.
func Scan(ctx context.Context, r io.Reader, from, maxBlock int64, l bounded.Limits) iter.Seq2[Record, *Broken] {
	return func(yield func(Record, *Broken) bool) {
		s := newScanner(r, from, maxBlock, l)
		for n := int64(0); ; n++ {
			if n >= s.limits.Records {
				yield(Record{}, &Broken{Offset: s.offset(), Reason: ReasonLimit, Detail: bounded.Over("records", s.limits.Records, "the file has more than %d records", s.limits.Records).Error(), Over: true})
				return
			}
			if err := ctx.Err(); err != nil {
				yield(Record{}, &Broken{Offset: s.offset(), Reason: ReasonBroken, Detail: err.Error(), Over: true})
				return
			}
			record, err := s.next()
			if err == io.EOF {
				return
			}
			var broken *Broken
			if err != nil && !errors.As(err, &broken) {
				broken = &Broken{Offset: record.At.Offset, Reason: ReasonBroken, Detail: err.Error(), Over: true}
			}
			if !yield(record, broken) || broken != nil && broken.Over {
				return
			}
		}
	}
}

// ReadAt reads the record at an offset of a file that [Open] made.
func ReadAt(path string, offset, maxBlock int64, l bounded.Limits) (Record, error) {
	f, err := storage.OpenOwn(path, os.O_RDONLY)
	if err != nil {
		return Record{}, err
	}
	defer f.Close()
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return Record{}, err
	}
	record, err := newScanner(f, offset, maxBlock, l).next()
	if err == io.EOF {
		err = fmt.Errorf("the file ends before byte %d", offset)
	}
	if err != nil {
		return Record{}, fmt.Errorf("warc: %s, byte %d: %w", path, offset, err)
	}
	return record, nil
}

// scanner goes over a file record by record.
type scanner struct {
	from     int64
	counted  *counter
	file     *meter // over the file; used by plain files
	in       *bufio.Reader
	gz       *gzip.Reader
	member   *bufio.Reader // what is left of an open gzip member
	within   *meter        // below it
	begin    int64         // of the member
	maxBlock int64
	limits   bounded.Limits
	records  gowarc.Unmarshaler
}

func newScanner(r io.Reader, from, maxBlock int64, l bounded.Limits) *scanner {
	if maxBlock <= 0 {
		maxBlock = defaultMaxBlock
	}
	c := &counter{r: r}
	m := &meter{r: c, left: -1}
	return &scanner{from: from, counted: c, file: m, in: bufio.NewReaderSize(m, 1<<16), maxBlock: maxBlock, limits: l.WithDefaults(),
		records: newUnmarshaler()}
}

// offset is the place of the next byte.
func (s *scanner) offset() int64 { return s.from + s.counted.n - int64(s.in.Buffered()) }

// next reads one record, or io.EOF behind the last.
func (s *scanner) next() (record Record, err error) {
	if s.member != nil {
		return s.nextInMember(Record{At: Place{s.begin, s.begin}})
	}
	begin := s.offset()
	record.At = Place{begin, begin}
	head, err := s.in.Peek(2)
	if len(head) == 0 {
		return record, s.file.because(err)
	}
	if len(head) < 2 || head[0] != 0x1f || head[1] != 0x8b {
		err = s.parse(s.in, s.file, &record)
		record.At.End = s.offset()
		return record, err
	}
	if s.gz == nil {
		s.gz, err = gzip.NewReader(s.in)
	} else {
		err = s.gz.Reset(s.in)
	}
	if err != nil {
		return record, err
	}
	s.gz.Multistream(false)
	s.within = &meter{r: &unpacker{r: s.gz, packed: func() int64 { return s.offset() - begin }, limits: s.limits}, left: -1}
	s.member, s.begin = bufio.NewReader(s.within), begin
	return s.nextInMember(record)
}

// nextInMember reads a record of the open gzip member: its only one, unless
// somebody compressed a plain file as a whole.
func (s *scanner) nextInMember(record Record) (Record, error) {
	failed := s.parse(s.member, s.within, &record)
	if failed == io.EOF {
		failed = errNoRecord
	}
	if failed == nil && atRecord(s.member) != io.EOF {
		return record, nil
	}
	// To the member's end, where its checksum is.
	s.member = nil
	if _, err := io.Copy(io.Discard, s.gz); err != nil {
		return record, fmt.Errorf("the gzip member breaks off: %w", err)
	}
	record.At.End = s.offset()
	var broken *Broken
	var over *bounded.Error
	if errors.As(failed, &over) {
		failed = &Broken{Offset: record.At.Offset, Reason: ReasonLimit, Detail: over.Error()}
	}
	if failed != nil && !errors.As(failed, &broken) {
		// The next member is a record of its own.
		failed = &Broken{Offset: record.At.Offset, Reason: ReasonBroken, Detail: failed.Error()}
	}
	return record, failed
}

// parse reads a record from a stream in which it is first.
func (s *scanner) parse(in *bufio.Reader, m *meter, record *Record) (err error) {
	begin := record.At.Offset
	defer func() {
		if p := recover(); p != nil { // gowarc looks at the byte before a line's end without asking whether there is one
			err = &Broken{Offset: begin, Reason: ReasonBroken, Detail: fmt.Sprintf("the record's header cannot be read: %v", p), Over: m == s.file}
		}
		m.left = -1
	}()
	m.left = maxHeader
	// The library would look for the record's beginning, also within a gzip
	// stream, where it does not end when that stream is broken.
	if err := atRecord(in); err != nil {
		return m.because(err)
	}
	r, _, _, err := s.records.Unmarshal(in)
	m.left = -1
	if m.err != nil {
		return m.err
	}
	if err != nil {
		return err
	}
	length, err := r.ContentLength()
	if err != nil || length < 0 {
		return fmt.Errorf("the record has no Content-Length")
	}
	record.Type, record.URL, record.ContentType = r.Type().String(), trimURI(r.WarcHeader().Get(gowarc.WarcTargetURI)), r.WarcHeader().Get(gowarc.ContentType)
	record.Date, _ = r.Date() // a file without dates is still read
	record.Fields = textproto.MIMEHeader{}
	for _, f := range *r.WarcHeader() {
		record.Fields.Add(f.Name, f.Value)
	}
	block, err := r.Block().RawBytes()
	if err != nil {
		return err
	}
	if length > s.maxBlock {
		if _, err := io.Copy(io.Discard, block); err != nil {
			return err
		}
		if err := r.Close(); err != nil {
			return err
		}
		return &Broken{Offset: begin, Reason: ReasonLimit, Detail: fmt.Sprintf("a block of %d bytes, more than %d", length, s.maxBlock)}
	}
	if record.Block, err = readBlock(block, length); err != nil {
		return m.because(err)
	}
	return r.Close()
}

// atRecord passes over the line breaks that some crawlers leave before a record.
func atRecord(in *bufio.Reader) error {
	for {
		head, err := in.Peek(5)
		switch {
		case string(head) == "WARC/":
			return nil
		case len(head) > 0 && (head[0] == '\r' || head[0] == '\n'):
			if _, err := in.Discard(1); err != nil {
				return err
			}
		case len(head) == 0 && err == io.EOF:
			return io.EOF
		default:
			return errNoRecord
		}
	}
}

var errNoRecord = errors.New("no record begins here")

// readBlock trusts the promised length for no more than a first buffer.
func readBlock(r io.Reader, length int64) ([]byte, error) {
	b := make([]byte, 0, min(length, 1<<20)+1)
	for {
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(b) == cap(b) {
			b = slices.Grow(b, int(min(int64(len(b)), max(length-int64(len(b)), 0)))+1)
		}
	}
	if int64(len(b)) != length {
		return nil, fmt.Errorf("a block of %d bytes where Content-Length says %d", len(b), length)
	}
	return b, nil
}

// trimURI takes off the angle brackets that some crawlers of WARC/1.0 wrote.
func trimURI(s string) string {
	if len(s) > 1 && s[0] == '<' && s[len(s)-1] == '>' {
		return s[1 : len(s)-1]
	}
	return s
}

// unpacker checks what a gzip member unpacks to against what was read of it.
type unpacker struct {
	r      io.Reader
	packed func() int64
	n      int64
	limits bounded.Limits
}

func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if u.n += int64(n); u.n > bounded.Free && u.n > u.limits.Unpacked(u.packed(), math.MaxInt64) {
		return 0, bounded.Over("ratio", u.limits.Ratio, "%d bytes of gzip hold more than %d", u.packed(), u.n)
	}
	return n, err
}

// counter counts what is read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// errNoEnd is what a header without an end gets.
var errNoEnd = errors.New("the record's header has no end")

// meter lets only so many bytes through; -1 lets all. It keeps errors for
// itself and ends instead, because gowarc asks again and again after one.
type meter struct {
	r    io.Reader
	left int64
	err  error
}

// because is why reading ended: what was kept, or the error that a reader above gave.
func (m *meter) because(err error) error {
	if m.err != nil {
		return m.err
	}
	return err
}

func (m *meter) Read(p []byte) (int, error) {
	if m.err != nil {
		return 0, io.EOF
	}
	if m.left == 0 {
		m.err = errNoEnd
		return 0, io.EOF
	}
	if m.left > 0 {
		p = p[:min(int64(len(p)), m.left)]
	}
	n, err := m.r.Read(p)
	if m.left > 0 {
		m.left -= int64(n)
	}
	if err != nil && err != io.EOF {
		m.err, err = err, io.EOF
	}
	return n, err
}
