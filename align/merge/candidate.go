package merge

import (
	"github.com/commonplace/commonplace"
)

// Candidate is a find of one index part. Finds of several parts, and of several places,
// may overlap in the derived text: [Merge] decides between them, and where an overlap is cut.
type Candidate struct {
	commonplace.Alignment
	Needed float64 `json:"needed,omitempty"` // bits that it must say to be reported
	Words  []byte  `json:"words,omitempty"`  // its source words, at which it may be cut (packBorders); none if it may not be
}

// Limits are what a match must reach to be reported.
type Limits struct {
	MinSimilarity float64 // identity, 0 to 1
	MinConfidence float64 // of a marked quotation, 0 to 1
	MinWords      int     // of the source
	Places        int     // occurrences reported for one derived span, best first; 0 reports all
}
