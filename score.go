package commonplace

// Score is what a model says of a passage. It is a row of the table scores.
type Score struct {
	PassageID   string  `parquet:"passage_id" json:"passage_id" doc:"passage that was scored"`
	DocID       string  `parquet:"doc_id" json:"doc_id" doc:"document of the passage"`
	Index       int64   `parquet:"index" json:"index" doc:"passages.index"`
	Score       float64 `parquet:"score" json:"score" doc:"the model's score; greater is more quotable. The README in the model's folder says what it means"`
	Model       string  `parquet:"model" json:"model" doc:"name of the model folder"`
	ModelSHA256 string  `parquet:"model_sha256" json:"model_sha256" doc:"SHA-256 of the model's graph, in hex"`
	Device      string  `parquet:"device" json:"device" doc:"cpu, cuda or tensorrt"`
	Precision   string  `parquet:"precision" json:"precision" doc:"fp32, fp16 or int8"`
	InSample    string  `parquet:"in_sample" foreign:"may lack" json:"in_sample" doc:"yes: the passage's document, or another edition of it, taught the model, so its score says nothing about how good the model is; no; or unknown: the model's folder does not say what taught it"`
	Truncated   bool    `parquet:"truncated" json:"truncated" doc:"the passage was longer than the model's input and was truncated"`

	BestBegin *int64   `parquet:"best_begin" foreign:"may lack" json:"best_begin" doc:"first code point in documents.text of the passage's best line: one to three complete sentences of 4 to 60 words, which may extend beyond the passage; null if the passage has no such line or the model does not read sentences"`
	BestEnd   *int64   `parquet:"best_end" foreign:"may lack" json:"best_end" doc:"code point after the line's last; null as above"`
	BestText  string   `parquet:"best_text" foreign:"may lack" json:"best_text" doc:"documents.text[best_begin:best_end]; empty if these are null"`
	BestScore *float64 `parquet:"best_score" foreign:"may lack" json:"best_score" doc:"mean of the scores that the model gives the line's sentences as lines; null as above"`

	Reasons []Reason `parquet:"reasons,list" foreign:"may lack" json:"reasons,omitempty" doc:"why the passage has this score: the features and terms that changed it most, or its best sentences, strongest first. Empty if the model gives no reasons. Tables from other tools may omit the column"`
}

// Reason is one feature of a passage that moved its score.
type Reason struct {
	Feature string  `parquet:"feature" json:"feature" doc:"name of the feature (docs/features.md), or words or parts of speech of the passage in “ ”. For a model that reads sentences: the word sentence, followed by one of the best sentences"`
	Effect  float64 `parquet:"effect" json:"effect" doc:"what it added to the model's output, before the transform, compared with the average training passage. For a model that reads sentences: the sentence's part of the score"`
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
	RankBalanced   int64   `parquet:"rank_balanced" foreign:"may lack" json:"rank_balanced" doc:"rank over all documents in rounds: first the best passage of every document, by score, then the second best of every document, and so on"`
	Percentile     float64 `parquet:"percentile" json:"percentile" doc:"share of all passages that score lower, 0 to 1"`
	QuoteCount     int64   `parquet:"quote_count" json:"quote_count" doc:"quote_counts.count"`

	BestBegin *int64   `parquet:"best_begin" foreign:"may lack" json:"best_begin" doc:"scores.best_begin"`
	BestEnd   *int64   `parquet:"best_end" foreign:"may lack" json:"best_end" doc:"scores.best_end"`
	BestText  string   `parquet:"best_text" foreign:"may lack" json:"best_text" doc:"scores.best_text"`
	BestScore *float64 `parquet:"best_score" foreign:"may lack" json:"best_score" doc:"scores.best_score"`

	Reasons []Reason `parquet:"reasons,list" foreign:"may lack" json:"reasons,omitempty" doc:"scores.reasons; tables from other tools may omit the column"`
}
