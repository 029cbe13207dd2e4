package standalone

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"sync/atomic"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/segment"
	"github.com/commonplace/commonplace/storage"
)

// Segment says what the bare segment command does.
type Segment struct {
	Input       string // folder, file or glob
	By          string // segmenter, such as words:200
	Out         string // JSONL file, or - for standard output
	Parallelism int    // files at once; 0 is all processors
	Refuse      func(commonplace.Reject)
}

// passageRow is one line of the bare segment command.
type passageRow struct {
	DocID string `json:"doc_id"`
	Index int64  `json:"index"`
	Begin int64  `json:"begin"`
	End   int64  `json:"end"`
	Text  string `json:"text"`
}

// Run cuts every file and writes one JSON line a passage.
func (s Segment) Run(ctx context.Context) error {
	seg, err := segment.Parse(s.By)
	if err != nil {
		return config.Refusef("--by: %w", err)
	}
	list, err := listed(ctx, []string{s.Input}, s.Out, files.List, s.Refuse)
	if err != nil {
		return err
	}
	var read atomic.Bool
	cut := func(ctx context.Context, d document) (passageLines, error) {
		doc, reject := d.read(ctx)
		if reject != nil {
			s.Refuse(*reject)
			return passageLines{}, ctx.Err()
		}
		read.Store(true)
		return linesOf(segment.Passages(doc, seg))
	}
	return publishFile(ctx, s.Out, func(f storage.Writer) error {
		w := bufio.NewWriterSize(f, 1<<20)
		if err := inOrder(ctx, documentsOf(ctx, list, files.Options{Bare: true}), s.Parallelism, cut, func(lines passageLines) error {
			if _, err := w.Write(lines.first); err != nil || lines.more == nil {
				return err
			}
			return lines.more(w)
		}); err != nil {
			return err
		}
		if !read.Load() {
			return fmt.Errorf("%w: %s", ErrNoneRead, s.Input)
		}
		return w.Flush()
	})
}

// mostWaiting is how many bytes of a document's lines wait for the documents before it.
const mostWaiting = 16 << 20

// passageLines are the lines of a document: the first of them, and what writes the others.
type passageLines struct {
	first []byte
	more  func(io.Writer) error // nil where there are none
}

// linesOf makes the lines of a document's passages. Most documents have few enough to be
// made beside others; what is left of a large one is made when it is written.
func linesOf(passages iter.Seq[commonplace.Passage]) (passageLines, error) {
	next, stop := iter.Pull(passages)
	var b bytes.Buffer
	for b.Len() < mostWaiting {
		p, ok := next()
		if !ok {
			return passageLines{first: b.Bytes()}, nil
		}
		if err := encodePassage(&b, p); err != nil {
			stop()
			return passageLines{}, err
		}
	}
	return passageLines{b.Bytes(), func(w io.Writer) error {
		defer stop()
		for p, ok := next(); ok; p, ok = next() {
			if err := encodePassage(w, p); err != nil {
				return err
			}
		}
		return nil
	}}, nil
}

func encodePassage(w io.Writer, p commonplace.Passage) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(passageRow{p.DocID, p.Index, p.Begin, p.End, p.Text})
}
