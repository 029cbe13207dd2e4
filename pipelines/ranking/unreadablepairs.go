package ranking

import (
	"context"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
)

// readable leaves out pairs that a ranker's tokenizer refuses. A context that is left without a candidate is
// rejected, and of others the candidate, once for its pool. Every pair is judged by itself, so a context has the
// rows that it would have alone.
func (r *recommender) readable(ctx context.Context, p pool, contexts []asked, found [][]candidate) (read []asked, left [][]candidate, err error) {
	pairs := r.pairs(p, contexts, found)
	why := make([]error, len(pairs))
	for _, m := range r.rankers {
		refused, err := m.UnreadablePairs(ctx, pairs)
		if err != nil {
			return nil, nil, err
		}
		for i, err := range refused {
			if why[i] == nil {
				why[i] = err
			}
		}
	}
	for i, a := range contexts {
		of := why[:len(found[i])]
		why = why[len(of):]
		var rest []candidate
		for k, c := range found[i] {
			if of[k] == nil {
				rest = append(rest, c)
			}
		}
		if len(rest) == 0 {
			r.rejectContext(a, of[0])
			continue
		}
		for k, c := range found[i] {
			if of[k] != nil {
				r.rejectCandidate(p, c, of[k])
			}
		}
		read, left = append(read, a), append(left, rest)
	}
	return read, left, nil
}

func (r *recommender) rejectContext(a asked, why error) {
	r.o.In++
	r.reject(a.id, a.docID, why)
}

// rejectCandidate writes a reject for a candidate, once for its pool. All candidates of such a pool
// count beside the contexts, so that max_reject_fraction is of what could be refused.
func (r *recommender) rejectCandidate(p pool, c candidate, why error) {
	if p.search.rejected[c.at] {
		return
	}
	if p.search.rejected == nil {
		p.search.rejected = map[int]bool{}
		r.o.In += int64(len(p.candidates))
		r.o.Taken += int64(len(p.candidates))
	}
	p.search.rejected[c.at] = true
	r.o.Taken--
	r.reject(p.candidates[c.at].id, p.docID, why)
}

func (r *recommender) reject(id, docID string, why error) {
	r.o.Reject(commonplace.Reject{ID: id, Location: docID, Reason: label.ReasonUnreadable, Detail: why.Error()})
}
