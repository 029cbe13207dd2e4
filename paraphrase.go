package commonplace

// Paraphrase is the context of an example in other words, as a language model
// wrote them (RA-MTR, Appendix D, Algorithm 4 and its prompt). It is a row of
// the table paraphrases; the example keeps its own context.
type Paraphrase struct {
	ContextID    string   `parquet:"context_id" json:"context_id" doc:"examples.context_id"`
	DocID        string   `parquet:"doc_id" json:"doc_id" doc:"examples.doc_id"`
	Context      string   `parquet:"context" json:"context" doc:"examples.context"`
	Target       string   `parquet:"target_context" json:"target_context" doc:"the paraphrase"`
	Overlap      float64  `parquet:"overlap" json:"overlap" doc:"words in both contexts divided by words in either, 0 to 1"`
	Model        string   `parquet:"model" json:"model" doc:"name of the language model that was asked"`
	Faithfulness *float64 `parquet:"faithfulness" json:"faithfulness" doc:"share of the paraphrase's statements that the context supports, 0 to 1, by the language model label.paraphrase.judge; null where none was asked or its answer has no verdict"`
	Split        string   `parquet:"split" json:"split" doc:"examples.split"`
}
