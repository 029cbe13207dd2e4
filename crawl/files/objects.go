package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/records"
)

// fields are a JSON object before its values are read.
type fields map[string]json.RawMessage

// eachObject reads a file of JSON objects, one a line, plain or gzip; blank lines
// are passed over. A line that is none is refused, and the reading goes on. A file
// that cannot be read to its end is an error.
func eachObject(ctx context.Context, path string, take func(line int, object fields), refuse func(line int, reason, detail string)) error {
	r, _, err := openStream(path, bounded.Limits{})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer r.Close()
	in := records.NewLines(ctx, r, bounded.Limits{})
	for {
		raw, err := in.Next()
		switch {
		case err == io.EOF:
			return ctx.Err()
		case errors.Is(err, records.ErrLong):
			refuse(in.Number, ReasonLimit, fmt.Sprintf("the line is longer than %d bytes", in.Max))
			continue
		case err != nil:
			return fmt.Errorf("%s, line %d: the file ends here, before its end: %w", path, in.Number, err)
		}
		if in.Number == 1 {
			raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
		}
		if len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		var object fields
		if !utf8.Valid(raw) {
			refuse(in.Number, ReasonBrokenLine, "the line is not UTF-8")
		} else if err := json.Unmarshal(raw, &object); err != nil {
			refuse(in.Number, ReasonBrokenLine, fmt.Sprintf("not a JSON object: %v", err))
		} else {
			take(in.Number, object)
		}
	}
}
