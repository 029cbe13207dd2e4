package commonplace

// Counted is one passage to learn from alone: its text with positional tokens,
// and how often it is quoted (content-based models of quotation, section 4 and
// Appendix F). It is a row of the table counted.
type Counted struct {
	PassageID string `parquet:"passage_id" json:"passage_id" doc:"passage that is counted"`
	DocID     string `parquet:"doc_id" json:"doc_id" doc:"document of the passage"`
	Index     int64  `parquet:"index" json:"index" doc:"passages.index"`
	Marked    string `parquet:"marked" json:"marked" doc:"passages.text with positional tokens such as [Starts-Book] and [Book@3]"`
	Count     int64  `parquet:"count" json:"count" doc:"quote_counts.count"`
	Readers   int64  `parquet:"readers" json:"readers" doc:"quote_counts.readers"`
	Editors   int64  `parquet:"editors" json:"editors" doc:"quote_counts.editors"`
	Genre     string `parquet:"genre" json:"genre" doc:"documents.genre"`
	Fold      int64  `parquet:"fold" json:"fold" doc:"fold of the document, from 0"`
}

// Sequence is a run of neighbouring passages to learn from together, as many as
// a model takes at once. It is a row of the table sequences.
type Sequence struct {
	ID         string   `parquet:"sequence_id" json:"sequence_id" doc:"doc_id, a colon, and the first and last index in at least six digits"`
	DocID      string   `parquet:"doc_id" json:"doc_id" doc:"document of the passages"`
	PassageIDs []string `parquet:"passage_ids,list" json:"passage_ids" doc:"the passages in order"`
	Marked     []string `parquet:"marked,list" json:"marked" doc:"counted.marked of each; the model sees [SEP] after each"`
	Counts     []int64  `parquet:"counts,list" json:"counts" doc:"quote_counts.count of each"`
	Pieces     int64    `parquet:"pieces" json:"pieces" doc:"number of word pieces of all passages, with one more for [CLS] and one for each [SEP]"`
	Truncated  bool     `parquet:"truncated" json:"truncated" doc:"one passage alone has more pieces than the model takes"`
	Fold       int64    `parquet:"fold" json:"fold" doc:"fold of the document, from 0"`
}

// Pair is two passages of one document of which the first is quoted more.
// It is a row of the table pairs.
type Pair struct {
	DocID      string `parquet:"doc_id" json:"doc_id" doc:"document of the passages"`
	MoreID     string `parquet:"more_id" json:"more_id" doc:"passage that is quoted more"`
	LessID     string `parquet:"less_id" json:"less_id" doc:"passage that is quoted less"`
	MoreMarked string `parquet:"more_marked" json:"more_marked" doc:"counted.marked of the one"`
	LessMarked string `parquet:"less_marked" json:"less_marked" doc:"counted.marked of the other"`
	MoreCount  int64  `parquet:"more_count" json:"more_count" doc:"quote_counts.count of the one"`
	LessCount  int64  `parquet:"less_count" json:"less_count" doc:"quote_counts.count of the other, smaller"`
	Fold       int64  `parquet:"fold" json:"fold" doc:"fold of the document, from 0"`
}
