package label

import "regexp"

// citation is a place in a book that scholarship gives in brackets: (p. 149),
// (pp. 12-13), (ch. iv), (II. 3), (149), with the white space before it. A year
// alone in brackets is none.
var citation = regexp.MustCompile(`[\s\x{a0}]*[(\[](?:(?:see|cf\.?)\s+)?(?:[A-Z][\pL.]+,?\s+)?(?:(?:pp?|chs?|chap|vol|ll?|bk|sec|par)\.\s*(?:\d{1,4}|[ivxlc]+)|\d{1,3}|[IVXLC]+[.,]\s*\d{1,4})(?:\s*[-–,;.]\s*(?:pp?\.\s*)?(?:\d{1,4}|[ivxlc]+))*[)\]]`)

// WithoutCitations takes in-line citations out of a sentence (RELiC, Appendix A).
func WithoutCitations(sentence string) string { return citation.ReplaceAllString(sentence, "") }
