package label

// Given are splits and folds that somebody else chose, such as those of a paper, by the ids
// of quotes, contexts, documents or conversations.
type Given struct {
	Splits map[string]string
	Folds  map[string]int64
}

// split is the split of the first id that has one; empty: none has.
func (g *Given) split(ids ...string) string {
	if g == nil {
		return ""
	}
	for _, id := range ids {
		if s := g.Splits[id]; s != "" {
			return s
		}
	}
	return ""
}

// Fold is the fold of a document, where it has one.
func (g *Given) Fold(docID string) (fold int64, given bool) {
	if g == nil {
		return 0, false
	}
	fold, given = g.Folds[docID]
	return fold, given
}
