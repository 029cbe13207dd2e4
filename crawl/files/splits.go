package files

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/commonplace/commonplace/bounded"
)

// SplitFields are what a file of splits says.
var SplitFields = []string{"id", "split", "fold"}

// GivenSplit is where something was put, in a file of splits.
type GivenSplit struct {
	Line  int
	ID    string // of a quote, a context, a document or a conversation
	Split string // empty: the file says nothing of it
	Fold  *int64 // from 0; nil likewise
}

// ReadSplits reads a JSON object a line: id, and split (train, validation or test), fold (from
// 0) or both. A line that says neither is an error: who was given no split would silently be
// in another.
func ReadSplits(ctx context.Context, path string, l bounded.Limits) (list []GivenSplit, sha256 string, err error) {
	var wrong error
	refuse := func(line int, reason, detail string) {
		if wrong == nil {
			wrong = fmt.Errorf("%s:%d: %s: %s", path, line, reason, detail)
		}
	}
	sha256, err = eachObject(ctx, path, SplitFields, l, func(line int, object fields) {
		s := GivenSplit{Line: line}
		var faults []string
		if json.Unmarshal(object["id"], &s.ID) != nil || s.ID == "" {
			faults = append(faults, "id, a string")
		}
		if raw := object["split"]; len(raw) > 0 && json.Unmarshal(raw, &s.Split) != nil {
			faults = append(faults, "split, a string")
		}
		if raw := object["fold"]; len(raw) > 0 && (json.Unmarshal(raw, &s.Fold) != nil || s.Fold != nil && *s.Fold < 0) {
			faults = append(faults, "fold, a number from 0")
		}
		if s.Split == "" && s.Fold == nil {
			faults = append(faults, "split or fold")
		}
		if len(faults) > 0 {
			refuse(line, ReasonWrongType, "expected "+strings.Join(faults, " and "))
			return
		}
		list = append(list, s)
	}, refuse)
	if err == nil {
		err = wrong
	}
	return list, sha256, err
}
