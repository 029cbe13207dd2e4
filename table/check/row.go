package check

import (
	"fmt"
	"math"

	"github.com/commonplace/commonplace"
)

// Row is what a row is checked with. It counts the spans that it compares.
type Row struct {
	OtherFormat bool // the shard is of another release, and was not read

	Report func(row, problem string) // row is the present row's key, or nothing
	Key    func() string             // of the present row; nil outside of rows
	// Text is the text of a document of the run; nil without an error where its shard is
	// damaged, which is reported for the shard. Rows ask for documents in order.
	Text  func(docID string) (*commonplace.Offsets, error)
	Spans int64
}

// Hold reports a problem of the present row unless ok.
func (c *Row) Hold(ok bool, format string, args ...any) {
	if ok {
		return
	}
	row := ""
	if c.Key != nil {
		row = c.Key()
	}
	c.Report(row, fmt.Sprintf(format, args...))
}

// Finite reports a number that is none.
func (c *Row) Finite(name string, x float64) {
	c.Hold(!math.IsNaN(x) && !math.IsInf(x, 0), "%s is %v", name, x)
}

// PassageID compares the id of a passage with its document and index.
func (c *Row) PassageID(id, docID string, index int64) {
	want := commonplace.PassageID(docID, index)
	c.Hold(id == want, "passage_id is %q and should be %q", id, want)
}

// Span compares an exported span with the text of its document.
func (c *Row) Span(docID, name string, begin, end int64, want string) {
	text, err := c.Text(docID)
	if err != nil {
		c.Hold(false, "%s: %v", name, err)
		return
	}
	if text != nil {
		c.Slice(text, "documents.text", name, begin, end, want)
	}
}

// Line compares a passage's best line with the text of its document.
func (c *Row) Line(docID string, begin, end *int64, text string, score *float64) {
	c.Hold((begin == nil) == (end == nil) && (begin == nil) == (score == nil), "some of best_begin, best_end and best_score are null, and others are not")
	if begin == nil || end == nil || score == nil {
		c.Hold(text == "", "best_text is %s without best_begin, best_end and best_score", short(text))
		return
	}
	c.Finite("best_score", *score)
	c.Span(docID, "best_text", *begin, *end, text)
}

// Slice reports where text[begin:end] is not want.
func (c *Row) Slice(text *commonplace.Offsets, of, name string, begin, end int64, want string) {
	c.Spans++
	if begin < 0 || begin > end || end > int64(text.Len()) {
		c.Hold(false, "%s is [%d:%d] of a text of %d code points", name, begin, end, text.Len())
		return
	}
	got := text.Slice(commonplace.Span{Begin: int(begin), End: int(end)})
	if got != want {
		c.Hold(false, "%s is %s and %s[%d:%d] is %s", name, short(want), of, begin, end, short(got))
	}
}

// short quotes the first words of a text.
func short(s string) string {
	const most = 40
	if n := 0; len(s) > most {
		for i := range s {
			if n++; n > most {
				return fmt.Sprintf("%q...", s[:i])
			}
		}
	}
	return fmt.Sprintf("%q", s)
}
