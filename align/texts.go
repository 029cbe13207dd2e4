package align

import "github.com/commonplace/commonplace/align/fold"

// Letters is the number of letters and digits of text after folding, the unit in
// which search spaces are counted.
func Letters(text string) int { return fold.Letters(text) }
