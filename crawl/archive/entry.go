package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/fetch"
	"github.com/commonplace/commonplace/crawl/warc"
)

// Kinds of entries.
const (
	Answered  = "answer"
	Unchanged = "unchanged" // the server said that an earlier answer still holds
	Failed    = "failure"
)

// Entry is what is to be known of an answer without reading it.
type Entry struct {
	URL     crawl.Address `json:"url,omitzero"`
	Kind    string        `json:"kind,omitempty"`
	Pass    int           `json:"pass,omitempty"`
	Status  int           `json:"status,omitempty"`
	To      crawl.Address `json:"to,omitzero"`       // where a redirect leads
	Fetched string        `json:"fetched,omitempty"` // RFC 3339, by the server's clock where it says so
	ETag    string        `json:"etag,omitempty"`
	Changed string        `json:"changed,omitempty"` // Last-Modified
	Type    string        `json:"type,omitempty"`    // Content-Type
	Class   string        `json:"look,omitempty"`    // see [Classify]
	Bytes   int64         `json:"bytes,omitempty"`   // of the decoded body
	SHA256  string        `json:"sha256,omitempty"`  // of the decoded body

	Reason string `json:"reason,omitempty"` // of a failure, or of a redirect that leads nowhere
	Detail string `json:"detail,omitempty"`
	Run    string `json:"run,omitempty"` // for which alone the failure counts

	File   crawl.Path `json:"file,omitempty"`
	Offset int64      `json:"offset"`
	End    int64      `json:"end"`
}

// OK says that a server gave what it was asked for.
func (e Entry) OK() bool { return e.Kind == Answered && e.Status == http.StatusOK }

// maxBody is a bound for describing; the fetcher has checked its own before.
const maxBody = 1 << 30

// Describe makes an entry of a record, whose body may have most bytes, and whose
// address gets its form, however it was written. Of one that says nothing of an address
// it gives the place alone, and false; of one whose address is none, a failure.
func Describe(r warc.Record, file string, most int64) (Entry, bool) {
	e := Entry{File: crawl.Path(file), Pass: passOf(file), Offset: r.At.Offset, End: r.At.End}
	if r.URL == "" {
		return e, false
	}
	var noAddress error
	e.URL, noAddress = crawl.ParseAddress(r.URL)
	switch r.Type {
	case warc.Metadata:
		e.Kind = Failed
		for _, l := range strings.Split(string(r.Block), "\r\n") {
			name, value, _ := strings.Cut(l, ": ")
			switch name {
			case "reason":
				e.Reason = value
			case "detail":
				e.Detail = value
			case "run":
				e.Run = value
			}
		}
	case warc.Revisit:
		e.Kind = Unchanged
	case warc.Response:
		e.Kind = Answered
		m, err := fetch.Read(r.Block, most)
		e.Status = m.Status
		if err != nil {
			e.Kind, e.Reason, e.Detail = Failed, "broken answer", err.Error()
			return e, true
		}
		if noAddress != nil {
			break
		}
		if e.To, err = (&fetch.Response{URL: e.URL, Status: m.Status, Header: m.Header}).Location(); err != nil {
			e.Reason, e.Detail = ReasonAddress, "a redirect to what is "+err.Error()
		}
		e.ETag, e.Changed, e.Type = field(m.Header, "ETag"), field(m.Header, "Last-Modified"), field(m.Header, "Content-Type")
		e.Bytes = int64(len(m.Body))
		sum := sha256.Sum256(m.Body)
		e.SHA256 = hex.EncodeToString(sum[:])
		e.Class = Classify(m.Body, e.Type)
		e.Fetched = fetched(m.Header, r.Date)
	default:
		return e, false
	}
	if noAddress != nil {
		e.Kind, e.Reason, e.Detail = Failed, ReasonAddress, noAddress.Error()
	}
	return e, true
}

// longestField is more than a field has that says anything. Entries of all answers are in
// memory, and a header may have 64 KB.
const longestField = 1 << 10

// field is a field of a header, empty where it is too long.
func field(h http.Header, name string) string {
	value := h.Get(name)
	if len(value) > longestField {
		return ""
	}
	return value
}

// fetched is when an answer was made, by its server's clock, or else by ours.
func fetched(h http.Header, ours time.Time) string {
	if at, err := http.ParseTime(h.Get("Date")); err == nil {
		return at.UTC().Format(time.RFC3339)
	}
	if ours.IsZero() {
		return ""
	}
	return ours.UTC().Format(time.RFC3339)
}
