package commonplace

// Document is one text as it was decoded: a book, a transcript, an OCR volume.
// It is a row of the table documents.
type Document struct {
	ID              string  `parquet:"doc_id" json:"doc_id" doc:"stable id: the file's name without .txt and .gz, or the source's own id"`
	Source          string  `parquet:"source" json:"source" doc:"name of the source in the config"`
	Title           string  `parquet:"title" json:"title" doc:"title as the source gives it, empty when unknown"`
	Author          string  `parquet:"author" json:"author" doc:"author as the source gives it, empty when unknown"`
	Genre           string  `parquet:"genre" json:"genre" foreign:"may lack" doc:"fiction, prose (of any other kind), verse, drama or scripture, as the source gives it; empty when unknown"`
	Date            string  `parquet:"date" json:"date" doc:"day of the text as the source gives it, YYYY-MM-DD, or YYYY where only the year is known; empty when unknown"`
	Language        string  `parquet:"language" json:"language" doc:"code of the language, such as en, or of several, such as en; fr. language_reason says how it is known. A name that is no known language stays as it is; empty when unknown"`
	LanguageReason  string  `parquet:"language_reason" json:"language_reason" doc:"where language comes from: source, config, or identified (from the text); source, unknown name or config, unknown name where language is no code; empty when it is unknown"`
	Rights          string  `parquet:"rights" json:"rights" doc:"rights statement of the source, empty when unknown"`
	Role            string  `parquet:"role" json:"role" doc:"source (is segmented, searched and ranked), derived (quotes the sources) or both"`
	URL             string  `parquet:"url" json:"url" doc:"where the text was read: an address, or a path relative to the source's folder"`
	EBook           int64   `parquet:"ebook" json:"ebook" doc:"Project Gutenberg eBook number, 0 when unknown"`
	Metadata        []Field `parquet:"metadata,list" json:"metadata,omitempty" foreign:"may lack" doc:"other fields that the source's record has, such as series or volume, sorted by name; of TEI, the elements of the header"`
	Text            string  `parquet:"text" json:"text" doc:"the body, unchanged: code points [frame_start, frame_end) of the decoded file. For an HTML page: of its visible text. For a news article: the article's paragraphs on its page"`
	Characters      int64   `parquet:"characters" json:"characters" doc:"length of text in code points"`
	KnownWords      float64 `parquet:"known_words" json:"known_words" doc:"share of words that are common English words, 0 to 1, estimated from 32 places of the text. English prose has 0.9 or more, badly recognised prose 0.7 or less, and other languages even less"`
	FrameStart      int64   `parquet:"frame_start" json:"frame_start" doc:"code point of the decoded file at which the body begins"`
	FrameEnd        int64   `parquet:"frame_end" json:"frame_end" doc:"code point of the decoded file at which the body ends, exclusive"`
	FrameMarkers    string  `parquet:"frame_markers" json:"frame_markers" doc:"the lines that were recognised as the frame's start and end, one per line; empty when there are none"`
	FrameStatus     string  `parquet:"frame_status" json:"frame_status" doc:"removed; no start; no end; none; kept whole (otherwise more than half would be removed); as is (no search for a frame); or article (extracted from a news page)"`
	RemovedFraction float64 `parquet:"removed_fraction" json:"removed_fraction" doc:"share of the decoded file's code points outside the body"`
	Encoding        string  `parquet:"encoding" json:"encoding" doc:"encoding that the bytes were decoded with"`
	EncodingReason  string  `parquet:"encoding_reason" json:"encoding_reason" doc:"why that encoding: bom, valid utf-8, declared, or guessed"`
	SHA256          string  `parquet:"sha256" json:"sha256" doc:"SHA-256 of the file's bytes after decompression, in hex"`
	FetchedAt       string  `parquet:"fetched_at" json:"fetched_at" doc:"when it was fetched, RFC 3339 in UTC; empty for local files"`
	Pages           []Page  `parquet:"pages,list" json:"pages,omitempty" doc:"the pages of a scanned volume, in order; empty for other documents"`
	Hyphens         []int64 `parquet:"hyphens,list" json:"hyphens,omitempty" doc:"offsets in text at which a hyphen and a line or page break were removed to join a word; only in scanned volumes"`
}

// Page is one page of a scanned volume and what was taken from it, so that the
// page as it was read can be put together again.
type Page struct {
	Sequence int64  `parquet:"sequence" json:"sequence" doc:"number of the page's file, from 1"`
	Label    string `parquet:"label" json:"label" doc:"printed page number, as METS gives it; empty when unknown"`
	Features string `parquet:"features" json:"features" doc:"labels of the page in METS, such as TITLE or TABLE_OF_CONTENTS; empty when there are none"`
	Begin    int64  `parquet:"begin" json:"begin" doc:"first code point of the page in documents.text"`
	End      int64  `parquet:"end" json:"end" doc:"code point after the last"`
	Head     string `parquet:"head" json:"head" doc:"lines removed from the page's top: running head, page number"`
	Foot     string `parquet:"foot" json:"foot" doc:"lines removed from the page's bottom: page number, signature"`
}
