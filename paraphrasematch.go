package commonplace

// SentenceVector is a sentence as an encoder reads it. It is a row of the table
// sentence_vectors.
type SentenceVector struct {
	DocID     string `parquet:"doc_id" json:"doc_id" doc:"document of the sentence"`
	Begin     int64  `parquet:"begin" json:"begin" doc:"first code point in documents.text"`
	End       int64  `parquet:"end" json:"end" doc:"code point after the last"`
	Text      string `parquet:"text" json:"text" doc:"documents.text[begin:end]"`
	Role      string `parquet:"role" json:"role" doc:"documents.role"`
	Vector    string `parquet:"vector" json:"vector" doc:"the vector, a signed byte a number, in base64: the largest number becomes 127 or -127. Only the direction counts"`
	Truncated bool   `parquet:"truncated" json:"truncated" doc:"the sentence is longer than the model reads, and its end was left out"`
}

// ParaphraseMatch is a sentence that says what a sentence of a source says, in other
// words. It is a row of the table paraphrase_matches, and never of alignments.
type ParaphraseMatch struct {
	DerivedID    string  `parquet:"derived_id" json:"derived_id" doc:"document that has the paraphrase"`
	DerivedBegin int64   `parquet:"derived_begin" json:"derived_begin" doc:"first code point of its sentence in documents.text"`
	DerivedEnd   int64   `parquet:"derived_end" json:"derived_end" doc:"code point after the last"`
	DerivedText  string  `parquet:"derived_text" json:"derived_text" doc:"documents.text[derived_begin:derived_end]"`
	SourceID     string  `parquet:"source_id" json:"source_id" doc:"document that is paraphrased"`
	SourceBegin  int64   `parquet:"source_begin" json:"source_begin" doc:"first code point of its sentence in documents.text"`
	SourceEnd    int64   `parquet:"source_end" json:"source_end" doc:"code point after the last"`
	SourceText   string  `parquet:"source_text" json:"source_text" doc:"documents.text[source_begin:source_end]"`
	Similarity   float64 `parquet:"similarity" json:"similarity" doc:"cosine of the two vectors, -1 to 1"`
	Margin       float64 `parquet:"margin" json:"margin" doc:"similarity less the mean similarity of the four sentences of the source that come next: a sentence that resembles many others has little"`
	Score        float64 `parquet:"score" json:"score" doc:"similarity plus margin; paraphrases.min_score is its lowest value"`
	SourceIs     string  `parquet:"source_is" json:"source_is" doc:"as alignments.source_is"`
}
