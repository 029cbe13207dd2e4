package infer

import (
	"context"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer/tokenizer"
)

const (
	quotabilityName = "quotability"
	sequenceName    = "quotability-sequence"
)

var quotabilityHead = head{
	name:  quotabilityName,
	doc:   headDoc{"a passage", "`[n, 1]`, or `[n, 2]` of a classifier", "a score per passage", "`quoted`, of a classifier; `tokens: {positional}`"},
	graph: oneOrTwo,
	score: func(m *Model, ctx context.Context, passages []commonplace.Passage, out []output) error {
		return m.text.quotability(ctx, passages, out)
	},
}

var sequenceHead = head{
	name: sequenceName,
	doc:  headDoc{"consecutive passages of a document", "`[n, tokens, 1]`, and optionally a second one", "a score per passage, read at the token after it; the second output is its score as a line", "`tokens: {begin, end, positional}`"},
	graph: textGraph{
		shape:  of(-1, -1, 1),
		more:   1,
		refuse: func(m *Manifest) error { return m.Tokens.checkBegin(m.Head, 1) },
		bindTo: (*textModel).findBeginEnd,
	},
	score: func(m *Model, ctx context.Context, passages []commonplace.Passage, out []output) error {
		return m.text.sequence(ctx, passages, out)
	},
	neighbours: true,
}

// scoresLines says that a second output tells how good a sentence is as a line.
func (m *Manifest) scoresLines() bool { return m.Head == sequenceName && len(m.Outputs) > 1 }

// quotability is one logit a passage (Content-based models of quotation, the
// single and pair models), or the log odds of two classes.
func (h *textModel) quotability(ctx context.Context, passages []commonplace.Passage, out []output) error {
	return h.run.each(ctx, len(passages),
		func(it *item) error { return h.tokens.EncodeTo(&it.encoded, passages[it.at].Text) },
		func(it *item, r row) error {
			value, err := h.logit(r)
			out[it.at] = output{value: value, truncated: it.encoded.Truncated}
			return err
		})
}

// passageRun is a run of consecutive passages of one document in one input.
type passageRun struct {
	first   int
	encoded tokenizer.Encoding
	ends    []int // places of the token after each passage
}

// sequence is one logit a passage at the token behind it, in inputs of as many
// consecutive passages as fit (Content-based models of quotation, section 6.2). A
// second output is the passage's score as a line.
func (h *textModel) sequence(ctx context.Context, passages []commonplace.Passage, out []output) error {
	ids := make([][]int64, len(passages))
	err := inParallel(len(passages), h.run.encoders, func(i int) error {
		e, err := h.tokens.Pieces(passages[i].Text)
		if ids[i] = e.IDs; err != nil {
			return atInput(i, err)
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	var runs []passageRun
	for i := 0; i < len(passages); {
		s := h.passageRun(passages, ids, i)
		i += len(s.ends)
		runs = append(runs, s)
	}
	return h.run.each(ctx, len(runs),
		func(it *item) error {
			s := runs[it.at]
			it.encoded, it.texts = s.encoded, len(s.ends)
			return nil
		},
		func(it *item, r row) error {
			s := runs[it.at]
			for k, end := range s.ends {
				o := output{value: float64(r.values[0][end]), truncated: s.encoded.Truncated}
				if len(r.values) > 1 {
					o.line = float64(r.values[1][end])
				}
				out[s.first+k] = o
			}
			return nil
		})
}

// passageRun takes passages, whose ids are given, from the i-th on while they fit. A
// passage that fills an input alone is cut.
func (h *textModel) passageRun(passages []commonplace.Passage, all [][]int64, i int) passageRun {
	s := passageRun{first: i}
	e := &s.encoded
	put := func(id int64) {
		e.IDs = append(e.IDs, id)
		e.Mask = append(e.Mask, 1)
		e.Types = append(e.Types, 0)
	}
	put(h.begin[0])
	room := h.manifest.Tokens.Max - 1
	for ; i < len(passages) && passages[i].DocID == passages[s.first].DocID; i++ {
		ids := all[i]
		if len(ids)+1 > room {
			if len(s.ends) > 0 {
				break
			}
			ids, e.Truncated = h.within(ids, room-1), true
		}
		for _, id := range ids {
			put(id)
		}
		s.ends = append(s.ends, len(e.IDs))
		put(h.end)
		room -= len(ids) + 1
	}
	return s
}
