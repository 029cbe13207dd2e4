package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/records"
)

// fields are a JSON object before its values are read.
type fields map[string]json.RawMessage

// costOfObject is what a line takes in memory beside its values.
const costOfObject = 256

// eachObject reads the members of these names, or all if names is nil, from a file of JSON objects, one a
// line, plain or gzip; blank lines are passed over. A line that is none is refused,
// and the reading goes on. A file that cannot be read to its end is an error. sum is
// the SHA-256 of what was read.
func eachObject(ctx context.Context, path string, names []string, l bounded.Limits, take func(line int, object fields), refuse func(line int, reason, detail string)) (sum string, err error) {
	hash := sha256.New()
	r, _, err := openStream(ctx, path, l, hash)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	defer r.Close()
	in := records.NewLines(ctx, r, l)
	budget := bounded.Budget{Most: l.WithDefaults().Memory} // the callers keep what they take
	hold := func(bytes int) error {
		if err := budget.Hold(int64(bytes) + costOfObject); err != nil {
			return fmt.Errorf("%s, line %d: %w", path, in.Number, err)
		}
		return nil
	}
	for {
		raw, err := in.Next()
		switch {
		case err == io.EOF:
			return hex.EncodeToString(hash.Sum(nil)), ctx.Err()
		case errors.Is(err, records.ErrLong):
			refuse(in.Number, ReasonLimit, fmt.Sprintf("the line is longer than %d bytes", in.Max))
			if err := hold(0); err != nil {
				return "", err
			}
			continue
		case err != nil:
			return "", fmt.Errorf("%s, line %d: the file ends here, before its end: %w", path, in.Number, err)
		}
		if in.Number == 1 {
			raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
		}
		if len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		all := map[string]json.RawMessage{}
		var keep func(string, json.RawMessage)
		if names == nil {
			keep = func(name string, value json.RawMessage) { all[name] = value }
		}
		object, reason, detail := membersOf(raw, l, keep, names...)
		kept := len(detail)
		for _, members := range []map[string]json.RawMessage{object, all} {
			for name, value := range members {
				kept += len(name) + len(value)
			}
		}
		if err := hold(kept); err != nil {
			return "", err
		}
		if reason != "" {
			refuse(in.Number, reason, detail)
			continue
		}
		maps.Copy(object, all)
		take(in.Number, object)
	}
}

// fieldNames are the usual names of fields and those that a config gives them.
func fieldNames(usual []string, columns map[string]string) []string {
	return slices.AppendSeq(append(slices.Clone(usual), "doc_id"), maps.Values(columns))
}
