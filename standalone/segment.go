package standalone

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
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
	cut := func(ctx context.Context, d document) ([]byte, error) {
		doc, reject := d.read(ctx)
		if reject != nil {
			s.Refuse(*reject)
			return nil, ctx.Err()
		}
		read.Store(true)
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		for p := range segment.Passages(doc, seg) {
			if err := e.Encode(passageRow{p.DocID, p.Index, p.Begin, p.End, p.Text}); err != nil {
				return nil, err
			}
		}
		return b.Bytes(), nil
	}
	return publishFile(ctx, s.Out, func(f storage.Writer) error {
		w := bufio.NewWriterSize(f, 1<<20)
		if err := inOrder(ctx, documentsOf(ctx, list, files.Options{Bare: true}), s.Parallelism, cut, func(lines []byte) error {
			_, err := w.Write(lines)
			return err
		}); err != nil {
			return err
		}
		if !read.Load() {
			return fmt.Errorf("%w: %s", ErrNoneRead, s.Input)
		}
		return w.Flush()
	})
}
