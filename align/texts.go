package align

import (
	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/edit"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/marks"
)

// Letters is the number of letters and digits of text after folding, the unit in
// which search spaces are counted.
func Letters(text string) int { return fold.Letters(text) }

// Quotations are the spans of text that are marked as quotations, between
// quotation marks or indented as blocks, in order, as code points. Where a mark opens
// again before one closes, the quotation may go on over several lines or paragraphs,
// or a mark was never closed: both what begins at the first and at the last is listed.
func Quotations(text string) []commonplace.Span { return marks.Quotations(text) }

// Similarity is the identity of two texts after folding, 0 to 1: twice the
// length of their longest common subsequence over the sum of their lengths, the
// normalised indel similarity (RapidFuzz calls it ratio). Two texts without
// letters are equal.
func Similarity(a, b string) float64 { return edit.Similarity(a, b) }
