package commonplace

// Paraphrase is the context of an example in other words, as a language model
// wrote them (RA-MTR, Appendix D, Algorithm 4 and its prompt). It is a row of
// the table paraphrases; the example keeps its own context.
type Paraphrase struct {
	ContextID string  `parquet:"context_id" json:"context_id" doc:"examples.context_id"`
	DocID     string  `parquet:"doc_id" json:"doc_id" doc:"examples.doc_id"`
	Context   string  `parquet:"context" json:"context" doc:"examples.context"`
	Target    string  `parquet:"target_context" json:"target_context" doc:"the paraphrase"`
	Overlap   float64 `parquet:"overlap" json:"overlap" doc:"words in both contexts divided by words in either, 0 to 1"`
	Model     string  `parquet:"model" json:"model" doc:"name of the language model that was asked"`
	Split     string  `parquet:"split" json:"split" doc:"examples.split"`
}
