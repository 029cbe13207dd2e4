// Package merge decides between candidate matches of one quoting document that overlap, and
// groups those of the same words.
//
// [Documents] and [Marked] take the [Candidate] matches of all index parts and give the final rows.
package merge

import "github.com/commonplace/commonplace"

// Candidate is a match of one index part. Matches of several parts, and of several occurrences,
// may overlap in the derived text.
type Candidate struct {
	commonplace.Alignment
	Needed float64 `json:"needed,omitempty"` // evidence in bits that it needs to be reported
	Words  []byte  `json:"words,omitempty"`  // its source words, at which it may be cut (match.UnpackBorders); none if it may not

	// Reordered says that its parts are candidates, too: sentences that follow each other on both sides, in another order.
	Reordered bool `json:"reordered,omitempty"`
}

// Limits are what a match must reach to be reported.
type Limits struct {
	MinSimilarity float64 // identity, 0 to 1
	MinConfidence float64 // of a marked quotation, 0 to 1
	MinWords      int     // of the source
	Places        int     // occurrences reported for one derived span, best first; 0 reports all
}
