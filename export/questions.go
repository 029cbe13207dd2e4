package export

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Question is a context of the run's datasets with right and wrong candidates.
type Question struct {
	Dataset, ID, DocID, Split, Context string
	Title, Body                        string // of queries: the context in its two parts
	Right, Wrong                       []Answer
	Elsewhere                          int             // right answers that are left out: their text belongs to another split
	Missing                            int             // wrong answers that were asked for and are not there
	Trained                            json.RawMessage // its line of training.jsonl
}

// Asking gives the questions of some datasets of a run. Those of documents that leave names come without
// answers, and take no text from a split.
type Asking func(ctx context.Context, datasets []string, leave func(docID string) bool, do func(Question) error) error

// Answer is a candidate, and what the context quotes of it.
type Answer struct {
	ID, Text         string
	Begin, End       int // code points of Text; 0 and 0 without a span
	CutBegin, CutEnd bool
}

// asks says that the rows are of questions.
func (x *purpose) asks() bool { return x.name == ForSpans || x.name == ForRank || x.name == ForPairs }

// asked is a context and a candidate of it: what every row of questions begins with.
type asked struct {
	ID        string `json:"id"`
	Dataset   string `json:"dataset"`
	DocID     string `json:"doc_id"`
	Context   string `json:"context"`
	Title     string `json:"title,omitempty"` // of queries: the context's two parts, for models that pack them
	Body      string `json:"body,omitempty"`
	PassageID string `json:"passage_id"`
	Passage   string `json:"passage"`
}

// rankRow says whether the candidate is right.
type rankRow struct {
	asked
	Label int `json:"label"` // 1 right, 0 wrong
}

// spanRow says what of the candidate the context quotes.
type spanRow struct {
	asked
	Spans    [][2]int `json:"spans"`     // code points of the passage; none where it is a wrong one
	CutBegin bool     `json:"cut_begin"` // the quotation begins in an earlier passage
	CutEnd   bool     `json:"cut_end"`   // it ends in a later one
}

// pairRow has wrong candidates beside the right one.
type pairRow struct {
	asked
	Negatives []string `json:"negatives"` // their texts
}

// questions writes a row for each candidate, or for each right one. Of several editions of
// a work the first has rows.
func (x *purpose) questions(ctx context.Context) error {
	copies, err := x.copies(ctx)
	if err != nil {
		return err
	}
	training, err := x.job.folder.create(path.Join(x.name, trainingFile))
	if err != nil {
		return err
	}
	defer training.on.Close()
	of := datasetsWithQuestions
	if x.name == ForSpans {
		of = datasetsWithSpans
	}
	contexts := 0
	err = x.job.options.Questions(ctx, of, func(docID string) bool { return copies[docID] }, func(q Question) error {
		contexts++
		switch {
		case copies[q.DocID]:
			x.Stats.Copies++
			return nil
		case !x.job.rights.AllDocuments(), x.job.options.WithoutText && !x.job.rights.Conversations():
			x.Stats.Withheld++ // a context does not say whose words it is
			return nil
		}
		x.Stats.Elsewhere += int64(q.Elsewhere)
		x.Stats.Missing += int64(q.Missing)
		rows, err := x.ask(q)
		if err == nil && rows > 0 {
			err = writeLine(training, q.Trained)
		}
		return err
	})
	if err != nil {
		return err
	}
	if contexts == 0 {
		return fmt.Errorf("%w: purpose %s: the run has no contexts for it; build it with one of %s in label.datasets", ErrOptions, x.name, strings.Join(of, ", "))
	}
	return training.close()
}

// Datasets whose contexts have candidates, and those that also say what of a candidate is
// quoted: the others take no text from the splits of spans.
var (
	datasetsWithQuestions = []string{"triples", "queries", "windows", "replies"}
	datasetsWithSpans     = []string{"triples", "queries"}
)

// ask writes the rows of a question, and says how many.
func (x *purpose) ask(q Question) (rows int, err error) {
	put := func(a Answer, row func(asked) any) {
		if err == nil {
			rows, err = rows+1, x.put(q.Split, row(asked{q.ID, q.Dataset, q.DocID, q.Context, q.Title, q.Body, a.ID, a.Text}))
		}
	}
	if len(q.Right) == 0 {
		return 0, nil
	}
	if x.name == ForPairs {
		negatives := []string{}
		for _, a := range q.Wrong {
			negatives = append(negatives, a.Text)
		}
		for _, a := range q.Right {
			put(a, func(of asked) any { return pairRow{of, negatives} })
		}
		return rows, err
	}
	for i, a := range slices.Concat(q.Right, q.Wrong) {
		spans := [][2]int{}
		if a.End > a.Begin {
			spans = append(spans, [2]int{a.Begin, a.End})
		}
		switch {
		case x.name == ForSpans:
			put(a, func(of asked) any { return spanRow{of, spans, a.CutBegin, a.CutEnd} })
		case i < len(q.Right):
			put(a, func(of asked) any { return rankRow{of, 1} })
		default:
			put(a, func(of asked) any { return rankRow{of, 0} })
		}
	}
	return rows, err
}
