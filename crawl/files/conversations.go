package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/records"
)

// ReadConversations reads conversations, one JSON object a line, plain or gzip:
// conversation_id (or id), turns (a list of texts) and quotation. Every line
// gives a conversation or a [commonplace.RejectError] with its line number; blank lines are passed
// over. Ids may come twice: who needs them unique must look.
func ReadConversations(ctx context.Context, path string, l bounded.Limits) iter.Seq2[commonplace.Conversation, error] {
	return func(yield func(commonplace.Conversation, error) bool) {
		reject := func(line int, id, reason, detail string) bool {
			at := path
			if line > 0 {
				at = fmt.Sprintf("%s:%d", path, line)
			}
			return yield(commonplace.Conversation{}, refused(id, at, reason, detail))
		}
		r, reason, err := openStream(ctx, path, l, io.Discard)
		if err != nil {
			reject(0, "", reason, err.Error())
			return
		}
		defer r.Close()
		in := records.NewQuoteLines(ctx, r, l)
		for {
			raw, err := in.Next()
			switch {
			case err == io.EOF:
				return
			case errors.Is(err, records.ErrLong):
				if !reject(in.Number, "", ReasonLimit, in.TooLong().Error()) {
					return
				}
				continue
			case err != nil:
				reject(in.Number, "", streamReason(err), fmt.Sprintf("the file ends here, before its end: %v", err))
				return
			}
			if in.Number == 1 {
				raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
			}
			if len(bytes.TrimSpace(raw)) == 0 {
				continue
			}
			c, reason, detail := parseConversation(raw, l)
			if reason != "" {
				if !reject(in.Number, c.ID, reason, detail) {
					return
				}
				continue
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

func parseConversation(raw []byte, l bounded.Limits) (c commonplace.Conversation, reason, detail string) {
	object, reason, detail := objectOf(raw, l, "conversation_id", "id", "turns", "quotation")
	if reason != "" {
		return c, reason, detail
	}
	name := "conversation_id"
	id, ok := jsonText(object[name], true)
	if id == "" && ok {
		name = "id"
		id, ok = jsonText(object[name], true)
	}
	c.ID = id
	if !ok {
		return c, ReasonWrongType, "the field " + name + " is of the wrong type"
	}
	if c.Quotation, ok = jsonText(object["quotation"], false); !ok {
		return c, ReasonWrongType, "the field quotation is of the wrong type"
	}
	if turns := object["turns"]; len(turns) > 0 && json.Unmarshal(turns, &c.Turns) != nil {
		return c, ReasonWrongType, "the field turns is of the wrong type"
	}
	switch {
	case id == "":
		return c, ReasonNoID, "the field conversation_id is missing or empty"
	case strings.TrimSpace(c.Quotation) == "":
		return c, ReasonNoText, "the field quotation is missing or holds only white space"
	}
	if detail := crawl.BadID(c.ID); detail != "" {
		return c, ReasonBadID, detail
	}
	return c, "", ""
}
