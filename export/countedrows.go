package export

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"path"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/table"
)

// countRow is a passage and how often it is quoted.
type countRow struct {
	PassageID string `json:"passage_id"`
	DocID     string `json:"doc_id"`
	Index     int64  `json:"index"`
	Text      string `json:"text"`
	Marked    string `json:"marked"` // with positional tokens
	Count     int64  `json:"count"`
	Language  string `json:"language"` // of the document; empty if it is not known

	Position float64             `json:"position"` // in the document, 0 to 1
	Places   []commonplace.Place `json:"places"`   // the units that it begins in, as in the table passages
}

// counts writes the passages of each fold to a file, side by side with their counts: both
// tables are sorted and sharded alike. Of several editions of a work the first has rows.
func (x *purpose) counts(ctx context.Context) error {
	copies, err := x.copies(ctx)
	if err != nil {
		return err
	}
	counted := x.job.commits[table.Counted.Name].ShardPaths(x.job.run)
	documents := x.job.commits[table.Documents.Name].ShardPaths(x.job.run)
	for k, at := range x.job.commits[table.Passages.Name].ShardPaths(x.job.run) {
		languages, err := languagesOf(ctx, documents[k])
		if err == nil {
			err = x.countsOf(ctx, at, counted[k], copies, languages)
		}
		if err != nil {
			return err
		}
		x.job.done()
	}
	return nil
}

// languagesOf are the languages of a shard's documents.
func languagesOf(ctx context.Context, documents string) (map[string]string, error) {
	languages := map[string]string{}
	for d, err := range table.Documents.Rows(ctx, documents, "doc_id", "language") {
		if err != nil {
			return nil, err
		}
		languages[d.ID] = d.Language
	}
	return languages, nil
}

func (x *purpose) countsOf(ctx context.Context, passages, counted string, copies map[string]bool, languages map[string]string) error {
	next, stop := iter.Pull2(table.Passages.Rows(ctx, passages, "passage_id", "text", "position", "places"))
	defer stop()
	for c, err := range table.Counted.Rows(ctx, counted, "passage_id", "doc_id", "index", "marked", "count", "fold") {
		if err != nil {
			return err
		}
		var p commonplace.Passage
		for p.ID != c.PassageID {
			var more bool
			if p, err, more = next(); err != nil || !more {
				return cmpErr(err, fmt.Errorf("%s: %w: passage %s of %s is not in it", passages, errChanged, c.PassageID, counted))
			}
		}
		switch {
		case copies[c.DocID]:
			x.Stats.Copies++
		case !x.job.rights.Documents(c.DocID):
			x.Stats.Withheld++
		default:
			if err := x.put(fmt.Sprintf("fold_%d", c.Fold), countRow{c.PassageID, c.DocID, c.Index, p.Text, c.Marked, c.Count, languages[c.DocID], p.Position, p.Places}); err != nil {
				return err
			}
		}
	}
	return nil
}

func cmpErr(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// replyRow is a conversation and what follows.
type replyRow struct {
	ID        string `json:"id"`
	DocID     string `json:"doc_id"` // conversation
	Context   string `json:"context"`
	Target    string `json:"target"`
	Label     string `json:"label"`     // <quo> or <gen>
	Quotation int64  `json:"quotation"` // its number in quotations.jsonl; -1 for <gen>
}

// quotationRow is a quotation of the closed list.
type quotationRow struct {
	Quotation int64  `json:"quotation"`
	Text      string `json:"text"`
}

// replies writes the conversations of each split, and the closed list of quotations.
func (x *purpose) replies(ctx context.Context) error {
	list := map[int64]string{}
	for _, at := range x.job.commits[table.Replies.Name].ShardPaths(x.job.run) {
		for r, err := range table.Replies.Rows(ctx, at, "reply_id", "conversation_id", "turns", "target", "label", "quotation", "split") {
			if err != nil {
				return err
			}
			if x.job.options.WithoutText && !x.job.rights.Conversations() {
				x.Stats.Withheld++
				continue
			}
			if r.Quotation >= 0 {
				list[r.Quotation] = r.Target
			}
			if err := x.put(r.Split, replyRow{r.ID, r.ConversationID, strings.Join(r.Turns, label.Eos), r.Target, r.Label, r.Quotation}); err != nil {
				return err
			}
		}
		x.job.done()
	}
	var text strings.Builder
	for n := range int64(len(list)) {
		b, err := json.Marshal(quotationRow{n, list[n]})
		if err != nil {
			return err
		}
		text.Write(append(b, '\n'))
	}
	if err := x.repliesTraining(ctx); err != nil {
		return err
	}
	return x.job.folder.write(path.Join(x.name, "quotations.jsonl"), text.String())
}

// repliesTraining writes the lines of the contexts that have a quotation: those that the
// program ranks candidates for.
func (x *purpose) repliesTraining(ctx context.Context) error {
	if x.job.options.Questions == nil || !x.job.rights.Conversations() {
		return nil
	}
	f, err := x.job.folder.create(path.Join(x.name, trainingFile))
	if err != nil {
		return err
	}
	defer f.on.Close()
	err = x.job.options.Questions(ctx, []string{"replies"}, nil, func(q Question) error { return writeLine(f, q.Trained) })
	if err != nil {
		return err
	}
	return f.close()
}
