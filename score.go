package commonplace

// Score is what a model says of a passage. It is a row of the table scores.
type Score struct {
	PassageID   string  `parquet:"passage_id" json:"passage_id" doc:"passage that was scored"`
	DocID       string  `parquet:"doc_id" json:"doc_id" doc:"document of the passage"`
	Index       int64   `parquet:"index" json:"index" doc:"passages.index"`
	Score       float64 `parquet:"score" json:"score" doc:"expected quote count, or what the model's card says"`
	Model       string  `parquet:"model" json:"model" doc:"name of the model folder"`
	ModelSHA256 string  `parquet:"model_sha256" json:"model_sha256" doc:"SHA-256 of the model's graph, in hex"`
	Device      string  `parquet:"device" json:"device" doc:"cpu, cuda or tensorrt"`
	Precision   string  `parquet:"precision" json:"precision" doc:"fp32, fp16 or int8"`
	Truncated   bool    `parquet:"truncated" json:"truncated" doc:"the passage was longer than the model takes and was cut"`

	Reasons []Reason `parquet:"reasons,list" foreign:"may lack" json:"reasons,omitempty" doc:"what moved the score most, the strongest first, or the best sentences, the best first; empty where the model does not say; other tools may leave the column out"`
}

// Reason is one feature of a passage that moved its score.
type Reason struct {
	Feature string  `parquet:"feature" json:"feature" doc:"name of the feature (docs/features.md), or the words or parts of speech of the passage in “ ”; with score.sentences one of its best sentences, behind the word sentence"`
	Effect  float64 `parquet:"effect" json:"effect" doc:"what it added to the model's output before its transform, from the average of the training passages on: up above 0, down below; with score.sentences the sentence's share of the score"`
}

// Ranking is a passage's place by score. Equal scores share the better rank.
// It is a row of the table rankings.
type Ranking struct {
	PassageID      string  `parquet:"passage_id" json:"passage_id" doc:"passage that is ranked"`
	DocID          string  `parquet:"doc_id" json:"doc_id" doc:"document of the passage"`
	Index          int64   `parquet:"index" json:"index" doc:"passages.index"`
	Begin          int64   `parquet:"begin" json:"begin" doc:"passages.begin"`
	End            int64   `parquet:"end" json:"end" doc:"passages.end"`
	Text           string  `parquet:"text" json:"text" doc:"documents.text[begin:end]"`
	Score          float64 `parquet:"score" json:"score" doc:"scores.score"`
	RankInDocument int64   `parquet:"rank_in_document" json:"rank_in_document" doc:"1 is the most quotable passage of its document"`
	RankOverall    int64   `parquet:"rank_overall" json:"rank_overall" doc:"1 is the most quotable passage of all"`
	Percentile     float64 `parquet:"percentile" json:"percentile" doc:"share of all passages that score lower, 0 to 1"`
	QuoteCount     int64   `parquet:"quote_count" json:"quote_count" doc:"quote_counts.count"`

	Reasons []Reason `parquet:"reasons,list" foreign:"may lack" json:"reasons,omitempty" doc:"scores.reasons; other tools may leave the column out"`
}
