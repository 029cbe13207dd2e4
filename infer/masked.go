package infer

import (
	"slices"
	"strings"
)

// Mask stands in a window's context where the quotation stood (RELiC, section 4).
const Mask = "[MASK]"

// maskHeads are the heads whose models may name tokens.mask. The head choice has its own
// choice.mask.
func maskHeads() []string {
	return slices.DeleteFunc(slices.Concat(HeadsFor(RankPairs), HeadsFor(EmbedTexts)), func(name string) bool { return name == choiceHead.name })
}

// masked is a context with the token that the model reads in place of [Mask].
func (h *textModel) masked(context string) string {
	if token := h.manifest.Tokens.Mask; token != "" {
		return strings.ReplaceAll(context, Mask, token)
	}
	return context
}
