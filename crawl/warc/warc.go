// Package warc keeps raw responses in WARC files (ISO 28500), the crawlers' own
// convention, so that extraction is repeated without fetching and files of other
// crawlers can be read.
//
// A file is a line of gzip members, one a record, and grows at its end. [Open]
// cuts off what a killed run left half-written; [Scan] reads a file, ours or
// another's, plain or gzip; [ReadAt] reads one record of it:
//
//	w, err := warc.Open("archive/00001-example.org.warc.gz")
//	at, err := w.Write(warc.Record{Type: warc.Response, URL: url, Date: now, Block: raw})
//	record, err := warc.ReadAt(path, at.Offset, 0)
//
// Record syntax is gowarc's affair; compression, offsets and limits are ours,
// because a hostile file must cost bounded memory.
package warc

import (
	"net/textproto"
	"time"

	"github.com/commonplace/commonplace/bounded"
)

// Types of records that we write or read.
const (
	Info     = "warcinfo"
	Response = "response" // an HTTP response as it came
	Revisit  = "revisit"  // the server said that what was fetched before has not changed
	Metadata = "metadata" // why there is no response
	Resource = "resource" // a file without HTTP around it
)

// Extension names the files that we write.
const Extension = ".warc.gz"

// NotModified is the profile of a revisit after status 304.
const NotModified = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"

// Record is one record with its block.
type Record struct {
	Type        string
	URL         string    // WARC-Target-URI
	Date        time.Time // WARC-Date, in seconds
	ContentType string    // of the block: application/http for responses
	Fields      textproto.MIMEHeader
	Block       []byte

	At Place // where it was read; End is Offset when more records follow in the same gzip member
}

// Place is where a record is in its file, in bytes.
type Place struct {
	Offset, End int64
}

// Broken is a record that cannot be read. When Over is set, nothing behind it
// can be read either.
type Broken struct {
	Offset int64
	Reason string // broken warc, or over the limit
	Detail string
	Over   bool
}

func (b *Broken) Error() string { return b.Reason + ": " + b.Detail }

// Reasons of a [Broken], as rejects name them.
const (
	ReasonBroken = "broken warc"
	ReasonLimit  = "over the limit"
)

// Own are the limits of files that we wrote: the fetcher has checked every answer against
// its bytes, and may have kept one that packs well.
var Own = bounded.Limits{Ratio: 1 << 20}

// defaultMaxBlock is longer than any book, with its HTTP header.
const defaultMaxBlock = 1 << 30

// maxHeader is longer than any record's own header.
const maxHeader = 1 << 20
