package standalone

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace"
)

// quoteFind is one line of the bare align command with a quote list.
type quoteFind struct {
	QuoteID     string  `json:"quote_id"`
	SourceID    string  `json:"source_id"`
	SourceBegin int64   `json:"source_begin"`
	SourceEnd   int64   `json:"source_end"`
	Similarity  float64 `json:"similarity"`
	Score       float64 `json:"score"`
	Kind        string  `json:"kind"`
	Confidence  float64 `json:"confidence"`
	Attributed  string  `json:"attributed"`
}

// documentFind is one line of the bare align command between folders: one
// quotation. Other places with the same words, in other editions say, are listed
// with it, best first.
type documentFind struct {
	DerivedID    string             `json:"derived_id"`
	DerivedBegin int64              `json:"derived_begin"`
	DerivedEnd   int64              `json:"derived_end"`
	SourceID     string             `json:"source_id"`
	SourceBegin  int64              `json:"source_begin"`
	SourceEnd    int64              `json:"source_end"`
	Similarity   float64            `json:"similarity"`
	Score        float64            `json:"score"`
	Kind         string             `json:"kind"`
	Confidence   float64            `json:"confidence"`
	Places       int64              `json:"places"`
	Parts        []commonplace.Part `json:"parts,omitempty"`
	Others       []elsewhere        `json:"others,omitempty"`
}

// elsewhere is another place at which the words of a quotation stand.
type elsewhere struct {
	SourceID    string  `json:"source_id"`
	SourceBegin int64   `json:"source_begin"`
	SourceEnd   int64   `json:"source_end"`
	Similarity  float64 `json:"similarity"`
	Score       float64 `json:"score"`
}

// documentFinds makes one line of every group of rows.
func documentFinds(rows []commonplace.Alignment) []documentFind {
	others := map[string][]elsewhere{}
	for _, r := range rows {
		if r.Group != "" && r.Group != r.ID {
			others[r.Group] = append(others[r.Group], elsewhere{r.SourceID, r.SourceBegin, r.SourceEnd, r.Similarity, r.Score})
		}
	}
	var out []documentFind
	for _, r := range rows {
		if r.Group != "" && r.Group != r.ID {
			continue
		}
		more := others[r.ID]
		slices.SortStableFunc(more, func(x, y elsewhere) int {
			return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(y.Similarity, x.Similarity), cmp.Compare(x.SourceID, y.SourceID), cmp.Compare(x.SourceBegin, y.SourceBegin))
		})
		out = append(out, documentFind{r.DerivedID, r.DerivedBegin, r.DerivedEnd, r.SourceID, r.SourceBegin, r.SourceEnd, r.Similarity, r.Score, r.Kind, r.Confidence, r.Places, r.Parts, more})
	}
	return out
}
