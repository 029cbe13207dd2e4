package infer

import "fmt"

// oneOrTwo is the output of a graph that says one number of a text, or one for each of
// two classes.
var oneOrTwo = textGraph{shape: of(-1, anyFixed), widest: 2, bindTo: func(h *textModel) (any, error) {
	width := h.shape[1]
	if h.manifest.Quoted != nil && width == 1 {
		return nil, fmt.Errorf("quoted is for a graph of two classes, and the output %q has one number for a text", h.manifest.Outputs[0])
	}
	return nil, nil
}}

// logit is what such an output says: the number itself, or by how much the class that
// means quoted has more than the other, which is the logarithm of their odds.
func (h *textModel) logit(r row) (float64, error) {
	switch v := r.values[0]; len(v) {
	case 1:
		return float64(v[0]), nil
	case 2:
		quoted := 1
		if h.manifest.Quoted != nil {
			quoted = *h.manifest.Quoted
		}
		return float64(v[quoted]) - float64(v[1-quoted]), nil
	default:
		return 0, fmt.Errorf("the graph gives %d numbers for a text, expected 1, or 2 of a classifier", len(v))
	}
}
