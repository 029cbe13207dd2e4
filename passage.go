package commonplace

import "fmt"

// Passage is a piece of a document: 200 words, a sentence, a verse, a line.
// Passages of a document are in order, do not overlap and count from 0.
// It is a row of the table passages.
type Passage struct {
	ID       string  `parquet:"passage_id" json:"passage_id" doc:"doc_id, a colon, and the index in at least six digits"`
	DocID    string  `parquet:"doc_id" json:"doc_id" doc:"document that the passage is cut from"`
	Index    int64   `parquet:"index" json:"index" doc:"place among the document's passages, from 0"`
	Begin    int64   `parquet:"begin" json:"begin" doc:"first code point in documents.text"`
	End      int64   `parquet:"end" json:"end" doc:"code point after the last in documents.text"`
	Text     string  `parquet:"text" json:"text" doc:"documents.text[begin:end]"`
	Words    int64   `parquet:"words" json:"words" doc:"number of words: runs between white space"`
	Position float64 `parquet:"position" json:"position" doc:"begin divided by the document's length, 0 to 1"`
	By       string  `parquet:"by" json:"by" doc:"how the document was cut, such as words:200"`
}

// PassageID names the passage with the given index so that ids sort as passages stand.
func PassageID(docID string, index int64) string {
	return fmt.Sprintf("%s:%06d", docID, index)
}
