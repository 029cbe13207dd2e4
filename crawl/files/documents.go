package files

import (
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// Entry names one document of a file before it is read, so that the documents
// of one container can be given to many tasks.
type Entry struct {
	ID     string `json:"id,omitempty"`     // documents.doc_id; empty when a line has none, which reading will refuse
	Name   string `json:"name,omitempty"`   // of an archive's entry
	CRC    uint32 `json:"crc,omitempty"`    // of a zip's entry, as its directory has it
	Line   int    `json:"line,omitempty"`   // of a list, from 1
	Begin  int64  `json:"begin,omitempty"`  // byte of the unpacked list or tar at which it begins
	Size   int64  `json:"size,omitempty"`   // bytes of the line, or of the archive's entry
	SHA256 string `json:"sha256,omitempty"` // of the line, or of the tar's entry; empty where only the whole file has one

	Encoding string `json:"encoding,omitempty"` // what the source says of it, where it says more than of the file
	EBook    int64  `json:"ebook,omitempty"`    // the same of Project Gutenberg's number
}

// Where is the entry's place in its file, as locations of rejects and
// documents.url give it after the file's name: "", ":12" or ":dir/a.txt".
func (e Entry) Where() string {
	switch {
	case e.Line > 0:
		return fmt.Sprintf(":%d", e.Line)
	case e.Name != "":
		return ":" + e.Name
	}
	return ""
}

// Entries names every document of a file: one of a text, a page or a TEI file;
// one for each text of a zip or tar archive, for each line of a JSONL list and for each record
// of a CSV table. What is
// refused without being read is a [commonplace.RejectError]; of an archive, entries that are no
// texts by their names are passed over.
//
// A packed list that breaks off gives its lines and then an error for which
// [BreaksOff] holds: nothing may be taken of it.
//
// Of a list and of a tar archive this reads everything and keeps no text, of an archive its
// directory, of other files nothing.
func Entries(ctx context.Context, file File, opts Options) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		switch kindOf(file.Path) {
		case ".zip":
			listZip(file, opts, yield)
		case ".tar":
			listTar(ctx, file, opts, yield)
		case ".jsonl", ".ndjson":
			listLines(ctx, file, opts, yield)
		case ".csv", ".tsv":
			listRecords(ctx, file, opts, yield)
		default:
			yield(Entry{ID: documentID(file)}, nil)
		}
	}
}

// BreaksOff says that an error is of a whole file, which cannot be opened or ends
// before its end, and not of one line of it: what came before is not whole.
func BreaksOff(err error) bool {
	r := commonplace.RejectOf(err)
	return r != nil && (r.Reason == ReasonGzip || r.Reason == ReasonTar || r.Reason == ReasonUnreadable || r.Reason == ReasonFileLimit)
}

// RejectOf is an error of reading a file as the reject of the file: what it refuses,
// or that it cannot be read.
func RejectOf(file File, err error) *commonplace.Reject {
	if reject := commonplace.RejectOf(err); reject != nil || err == nil {
		return reject
	}
	return rejected(file.ID, file.Path, ReasonUnreadable, err.Error())
}

// NotAsItIs refuses a file with markup where offsets must be those of the file.
func NotAsItIs(file File) *commonplace.Reject {
	return rejected(file.ID, file.Path, ReasonNotText, "its text stands between tags; commonplace find and a run take it out")
}

// documentID is the id of a file's only document.
func documentID(file File) string {
	switch kind := kindOf(file.Path); kind {
	case ".xml", ".html", ".htm", ".zip":
		return strings.TrimSuffix(file.ID, kind)
	}
	return file.ID
}

// Opened is a file whose documents are read one by one, in any order.
type Opened struct {
	file File
	opts Options
	read func(ctx context.Context, e Entry) (commonplace.Document, error)
	shut func() error
}

// Open opens a file of which the given entries will be read. A packed list is
// unpacked once, and the lines that are asked for are kept in a temporary file;
// everything else is read from where it is. The error is one of a list or an
// archive as a whole; Read refuses what is wrong with one document.
func Open(ctx context.Context, file File, entries []Entry, opts Options) (*Opened, error) {
	o := &Opened{file: file, opts: opts, shut: func() error { return nil }}
	var err error
	switch kindOf(file.Path) {
	case ".zip":
		err = o.openZip()
	case ".tar":
		err = o.openTar(ctx)
	case ".jsonl", ".ndjson", ".csv", ".tsv":
		err = o.openLines(ctx, entries)
	case ".xml":
		o.read = func(ctx context.Context, _ Entry) (commonplace.Document, error) {
			return readXML(ctx, file, opts)
		}
	case ".html", ".htm":
		o.read = func(ctx context.Context, _ Entry) (commonplace.Document, error) {
			return readHTML(ctx, file, opts)
		}
	default:
		o.read = func(ctx context.Context, _ Entry) (commonplace.Document, error) {
			return Read(ctx, file, opts)
		}
	}
	return o, err
}

// Read reads the document of an entry.
func (o *Opened) Read(ctx context.Context, e Entry) (commonplace.Document, error) {
	return o.read(ctx, e)
}

// Close lets the file go.
func (o *Opened) Close() error { return o.shut() }

// Documents reads every document of a file: [Entries], [Open] and Read in one,
// for a caller that takes them all in the order of the file. Everything that the file
// holds is either a document or an error; of several entries with one id the
// first is the document.
func Documents(ctx context.Context, file File, opts Options) iter.Seq2[commonplace.Document, error] {
	return func(yield func(commonplace.Document, error) bool) {
		var entries []Entry
		for e, err := range Entries(ctx, file, opts) {
			if err != nil {
				if BreaksOff(err) {
					entries = nil
				}
				if !yield(commonplace.Document{}, err) {
					return
				}
				continue
			}
			entries = append(entries, e)
		}
		if len(entries) == 0 {
			return
		}
		o, err := Open(ctx, file, entries, opts)
		if err != nil {
			yield(commonplace.Document{}, err)
			return
		}
		defer o.Close()
		first := map[string]Entry{}
		for _, e := range entries {
			doc, err := o.Read(ctx, e)
			if was, duplicate := first[e.ID]; err == nil && duplicate {
				doc, err = refusal(e.ID, file.Path+e.Where())(ReasonDuplicate, fmt.Sprintf("%s has this id already", strings.TrimPrefix(was.Where(), ":")))
			}
			if err == nil {
				first[e.ID] = e
			}
			if !yield(doc, err) {
				return
			}
		}
	}
}

// kindOf is a file's extension, in small letters, without .gz. That of a tar archive is
// .tar, however it is packed, and that of JSON is .jsonl, as Spark names its lines .json.
func kindOf(name string) string {
	if _, is := bounded.CutTar(name); is {
		return ".tar"
	}
	kind := path.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz"))
	if kind == ".json" {
		return ".jsonl"
	}
	return kind
}

// IsPlain says that a file is one text in itself: no archive, list, markup or table.
func (f File) IsPlain() bool {
	return !slices.Contains([]string{".zip", ".tar", ".jsonl", ".ndjson", ".xml", ".html", ".htm", ".csv", ".tsv", ".parquet"}, kindOf(f.Path))
}

// IsMarkup says that a file's text stands between tags: a page, or TEI.
func (f File) IsMarkup() bool {
	return slices.Contains([]string{".xml", ".html", ".htm"}, kindOf(f.Path))
}

// IsJSONL says that a file holds a document a line.
func (f File) IsJSONL() bool {
	return slices.Contains([]string{".jsonl", ".ndjson"}, kindOf(f.Path))
}

// isLines says by a name alone that a file holds a document a line. What ends in .json may
// also describe another file.
func (f File) isLines() bool {
	name := strings.TrimSuffix(strings.ToLower(f.Path), ".gz")
	return strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".ndjson")
}

// isList says that a file's documents have ids of their own.
func (f File) isList() bool {
	return f.IsJSONL() || f.IsCSV() || f.IsTable()
}

// IsPackedTar says that a file is a tar archive that is unpacked before its documents
// are read, by [UnpackTar]. What that makes is read as an archive that is called .tar.
func (f File) IsPackedTar() bool { return bounded.IsPackedTar(f.Path) }

// IsTar says that a file is a tar archive.
func (f File) IsTar() bool { return kindOf(f.Path) == ".tar" }

// IsCSV says that a file is a table of documents in CSV or TSV.
func (f File) IsCSV() bool {
	return slices.Contains([]string{".csv", ".tsv"}, kindOf(f.Path))
}

// IsTable says that a file is a Parquet table, which this package does not read.
func (f File) IsTable() bool { return kindOf(f.Path) == ".parquet" }
