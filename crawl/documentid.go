package crawl

import "errors"

// DocumentID is the id of a document, as tables have it in doc_id: 1 to 1,024 bytes of
// UTF-8 without control characters. The zero value is no id. Two ids are one document's
// only if their bytes are equal.
//
// The stage crawl makes one of what a source calls a document, before anything else looks
// at it. All rows with a doc_id are made from such documents.
type DocumentID struct {
	text string
}

// ParseDocumentID takes a text for an id, or says why it cannot be one.
func ParseDocumentID(text string) (DocumentID, error) {
	if bad := BadID(text); bad != "" {
		return DocumentID{}, errors.New(bad)
	}
	return DocumentID{text}, nil
}

// String is the id as tables have it; empty for the zero value.
func (id DocumentID) String() string { return id.text }

// IsZero says that there is no id.
func (id DocumentID) IsZero() bool { return id.text == "" }

// MarshalText writes the id, and nothing for the zero value.
func (id DocumentID) MarshalText() ([]byte, error) { return []byte(id.text), nil }

// UnmarshalText reads what MarshalText wrote.
func (id *DocumentID) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*id = DocumentID{}
		return nil
	}
	*id, err = ParseDocumentID(string(text))
	return err
}
