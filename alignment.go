package commonplace

// Alignment says that one span repeats another: where a document (the source)
// holds a quote of a list, or where one document (the derived one) quotes
// another. It is a row of the table alignments.
//
// Exactly one of QuoteID and DerivedID is set. Derived offsets count in the
// quote's text or in the derived document's text accordingly.
type Alignment struct {
	ID              string  `parquet:"alignment_id" json:"alignment_id" doc:"source_id, source_begin, source_end and the quoting side, joined; unique in the table"`
	Kind            string  `parquet:"kind" json:"kind" doc:"exact, inexact, ellipsis, block, or, with align.inflected, inflected: found by the words without their endings"`
	QuoteID         string  `parquet:"quote_id" json:"quote_id" doc:"quote that was found, empty between documents"`
	DerivedID       string  `parquet:"derived_id" json:"derived_id" doc:"document that quotes, empty for a quote list"`
	DerivedBegin    int64   `parquet:"derived_begin" json:"derived_begin" doc:"first code point in the quote's or the derived document's text"`
	DerivedEnd      int64   `parquet:"derived_end" json:"derived_end" doc:"code point after the last"`
	DerivedText     string  `parquet:"derived_text" json:"derived_text" doc:"that text's [derived_begin:derived_end]"`
	SourceID        string  `parquet:"source_id" json:"source_id" doc:"document that is quoted"`
	SourceBegin     int64   `parquet:"source_begin" json:"source_begin" doc:"first code point in the source document's text"`
	SourceEnd       int64   `parquet:"source_end" json:"source_end" doc:"code point after the last"`
	SourceText      string  `parquet:"source_text" json:"source_text" doc:"documents.text[source_begin:source_end]"`
	Similarity      float64 `parquet:"similarity" json:"similarity" doc:"identity over the aligned part, 0 to 1; 1 is equal after folding case, punctuation and white space"`
	MatchedWords    int64   `parquet:"matched_words" json:"matched_words" doc:"words of the source that are unchanged in the derived text"`
	Score           float64 `parquet:"score" json:"score" doc:"evidence in bits that this is a quotation and not chance; of a listed quote with the evidence of its coverage"`
	Marked          bool    `parquet:"marked" json:"marked" doc:"the derived text is between quotation marks or in a block quote"`
	Confidence      float64 `parquet:"confidence" json:"confidence" doc:"how certain it is that this is a quotation of the source, 0 to 1, from evidence, similarity and quotation marks. Of a listed quote it is the posterior, calibrated on other lists (docs/alignment.md). Of other matches it orders them and is not a measured probability"`
	Attributed      string  `parquet:"attributed" json:"attributed,omitempty" doc:"whether the list names the source: true (its author, work, ebook or source_id), other (the list names another), or false (the list names none); empty between documents"`
	Group           string  `parquet:"group" json:"group" doc:"alignment_id of the best match, if the same words were found in several places; the same for all of them; empty if there is one place"`
	Places          int64   `parquet:"places" json:"places" doc:"number of places in the sources that have the same words, this one included, by the matches and the collection's counts. Boilerplate (a licence, a running head) is text at more than 16 places by the counts, proportionally more in sources of over 8 million words; only one of its places has a row"`
	SourceIs        string  `parquet:"source_is" json:"source_is" doc:"by the documents' dates: older or newer than the document that quotes; empty if the dates do not say, or for a quote list"`
	SourceMetadata  []Field `parquet:"source_metadata,list" json:"source_metadata,omitempty" doc:"the fields of the source that align.metadata names, in that order, where it has them"`
	DerivedMetadata []Field `parquet:"derived_metadata,list" json:"derived_metadata,omitempty" doc:"the same of the document that quotes; empty for a quote list"`
	Parts           []Part  `parquet:"parts,list" json:"parts,omitempty" doc:"the parts of an ellipsis or block quote, in order of the derived side; empty when there is one part"`
}

// Part is one contiguous piece of an alignment, offsets as in [Alignment].
type Part struct {
	DerivedBegin int64 `parquet:"derived_begin" json:"derived_begin" doc:"as alignments.derived_begin"`
	DerivedEnd   int64 `parquet:"derived_end" json:"derived_end" doc:"as alignments.derived_end"`
	SourceBegin  int64 `parquet:"source_begin" json:"source_begin" doc:"as alignments.source_begin"`
	SourceEnd    int64 `parquet:"source_end" json:"source_end" doc:"as alignments.source_end"`
}

// Whether a list attributes a quote to the source in which it was found.
const (
	AttributedTrue  = "true"
	AttributedOther = "other" // to another
	AttributedFalse = "false" // to none
)

// Kinds of alignment.
const (
	KindExact    = "exact"    // equal after folding
	KindInexact  = "inexact"  // damaged, shortened, changed
	KindEllipsis = "ellipsis" // parts of the source left out at a mark
	KindBlock    = "block"    // neighbouring quotations of neighbouring spans, joined

	KindInflected = "inflected" // the same words in other cases or persons, found without their endings
)
