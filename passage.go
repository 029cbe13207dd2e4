package commonplace

import "fmt"

// Passage is a piece of a document: 200 words, a sentence, a verse, a line.
// Passages of a document are in order and count from 0; chunks alone may overlap.
// It is a row of the table passages.
type Passage struct {
	ID       string  `parquet:"passage_id" json:"passage_id" doc:"doc_id, a colon, and the index in at least six digits"`
	DocID    string  `parquet:"doc_id" json:"doc_id" doc:"document of the passage"`
	Index    int64   `parquet:"index" json:"index" doc:"number of the passage in its document, from 0"`
	Begin    int64   `parquet:"begin" json:"begin" doc:"first code point in documents.text"`
	End      int64   `parquet:"end" json:"end" doc:"code point after the last in documents.text"`
	Text     string  `parquet:"text" json:"text" doc:"documents.text[begin:end]"`
	Words    int64   `parquet:"words" json:"words" doc:"number of words: runs between white space"`
	Position float64 `parquet:"position" json:"position" doc:"begin divided by the document's length, 0 to 1"`
	By       string  `parquet:"by" json:"by" doc:"segmenter, such as words:200"`
	Heading  bool    `parquet:"heading" json:"heading" doc:"the passage is part of a heading, such as CHAPTER I"`
	Speaker  string  `parquet:"speaker" json:"speaker" doc:"in plays, the speaker where the passage begins, as the text spells the name; otherwise empty"`
	Places   []Place `parquet:"places,list" json:"places,omitempty" doc:"the units of the document in which the passage begins, outermost first: the document itself, then volume, book, part, act, chapter, scene, section as far as there are any, speech in plays, paragraph"`
}

// Place is a passage's place in one unit of its document's structure, after
// the positional features and tokens of content-based models of quotation
// (Appendix E.3 and F). [Starts-Chapter] is First of the place of kind chapter,
// [Ends-Chapter] Last, [Book@n] the decile of the place of kind document.
type Place struct {
	Kind         string  `parquet:"kind" json:"kind" doc:"document, volume, book, part, act, chapter, scene, section, speech or paragraph"`
	Title        string  `parquet:"title" json:"title" doc:"the unit's heading on one line; empty for the document and paragraphs, the speaker for a speech"`
	Index        int64   `parquet:"index" json:"index" doc:"number of the unit among those of its kind in the document, from 0"`
	Count        int64   `parquet:"count" json:"count" doc:"units of this kind in the document"`
	IndexWithin  int64   `parquet:"index_within" json:"index_within" doc:"number of the unit among those of its kind in the enclosing unit, from 0"`
	CountWithin  int64   `parquet:"count_within" json:"count_within" doc:"units of this kind in the enclosing unit"`
	PassageIndex int64   `parquet:"passage_index" json:"passage_index" doc:"number of the passage among those that begin in the unit, from 0"`
	Passages     int64   `parquet:"passages" json:"passages" doc:"passages that begin in the unit"`
	Position     float64 `parquet:"position" json:"position" doc:"relative position of the passage in the unit: passage_index / passages, 0 to 1"`
	Decile       int64   `parquet:"decile" json:"decile" doc:"tenth of the unit that the passage is in, 0 to 9"`
	First        bool    `parquet:"first" json:"first" doc:"first passage of the unit"`
	Last         bool    `parquet:"last" json:"last" doc:"last passage of the unit"`
}

// Kinds of places.
const (
	PlaceDocument  = "document"
	PlaceVolume    = "volume"
	PlaceBook      = "book"
	PlacePart      = "part"
	PlaceAct       = "act"
	PlaceChapter   = "chapter"
	PlaceScene     = "scene"
	PlaceSection   = "section"
	PlaceSpeech    = "speech"
	PlaceParagraph = "paragraph"
)

// PassageID names the passage with the given index so that ids sort as passages stand.
func PassageID(docID string, index int64) string {
	return fmt.Sprintf("%s:%06d", docID, index)
}
