package tokenizer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// maxLine is the bytes of a line that is read: its tokens take thirty times as many.
const maxLine = 16 << 20

var errLongLine = fmt.Errorf("it has more than %d bytes; divide the text", maxLine)

// readLine reads a line with its break into a buffer. At the end it returns io.EOF.
func readLine(r *bufio.Reader, line []byte) ([]byte, error) {
	line = line[:0]
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			return line, errLongLine
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// EncodeJSONL reads rows {id, text} or {id, text, pair}, one a line, and writes
// rows {id, input_ids, offsets} in their order, offsets as pairs of code points,
// with special tokens, truncation and padding as the file asks for. It returns
// how many it wrote. An error names the line.
func (t *Tokenizer) EncodeJSONL(in io.Reader, out io.Writer) (int, error) {
	r, w := bufio.NewReaderSize(in, 1<<16), bufio.NewWriterSize(out, 1<<16)
	var e Encoding
	var line, data []byte
	written := 0
	for n := 1; ; n++ {
		var readErr error
		data, readErr = readLine(r, data)
		if errors.Is(readErr, errLongLine) {
			return written, fmt.Errorf("line %d: %w", n, readErr)
		}
		if readErr != nil && readErr != io.EOF {
			return written, readErr
		}
		if len(bytes.TrimSpace(data)) > 0 {
			var row struct {
				ID   json.RawMessage `json:"id"`
				Text *string         `json:"text"`
				Pair *string         `json:"pair"`
			}
			if err := json.Unmarshal(data, &row); err != nil {
				return written, fmt.Errorf("line %d: it is no row in JSON, {\"id\": ..., \"text\": ...}; a table, a text or an archive is not read: %w", n, err)
			}
			if row.Text == nil {
				return written, fmt.Errorf("line %d: it has no text", n)
			}
			texts := []string{*row.Text}
			if row.Pair != nil {
				texts = append(texts, *row.Pair)
			}
			if err := t.EncodeTo(&e, texts...); err != nil {
				return written, fmt.Errorf("line %d: %w", n, err)
			}
			line = e.appendJSON(line[:0], row.ID)
			if _, err := w.Write(line); err != nil {
				return written, err
			}
			written++
		}
		if readErr == io.EOF {
			return written, w.Flush()
		}
	}
}

// appendJSON appends the row of an encoding.
func (e *Encoding) appendJSON(b []byte, id json.RawMessage) []byte {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	b = append(append(b, `{"id":`...), id...)
	b = append(b, `,"input_ids":[`...)
	for i, n := range e.IDs {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, n, 10)
	}
	b = append(b, `],"offsets":[`...)
	for i, s := range e.Spans {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		b = strconv.AppendInt(b, int64(s.Begin), 10)
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(s.End), 10)
		b = append(b, ']')
	}
	return append(b, "]}\n"...)
}
