package table

import (
	"context"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/table/parquet"
)

// documentColumns are what other tools' tables may say of a document. An id and a
// text must be there.
var documentColumns = []parquet.Alias{
	{Column: "doc_id", Names: []string{"doc_id", "id"}, Required: true},
	{Column: "text", Names: []string{"text"}, Required: true},
	{Column: "title", Names: []string{"title", "Title", "TITLE"}},
	{Column: "author", Names: []string{"author", "Author", "AUTHOR"}},
	{Column: "genre", Names: []string{"genre", "Genre", "GENRE"}},
	{Column: "date", Names: []string{"date", "Date", "DATE"}},
	{Column: "language", Names: []string{"language", "Language", "LANGUAGE"}},
	{Column: "rights", Names: []string{"rights", "Rights", "RIGHTS"}},
	{Column: "url", Names: []string{"url", "Url", "URL"}},
}

// OpenDocuments opens any Parquet file with the columns id (or doc_id) and text,
// both text, and reads from it what a document can have from elsewhere: those
// two, and title, author, genre, date, language, rights and url where they are texts, dates or whole numbers.
// Its other columns are the documents' metadata. With onlyIDs it reads no other column than the id. Errors are those of
// [Schema.OpenForeign].
func OpenDocuments(ctx context.Context, path string, onlyIDs bool, l bounded.Limits) (*Reader[commonplace.Document], error) {
	columns := documentColumns
	if onlyIDs {
		columns = columns[:1]
	}
	r, err := Documents.OpenForeign(ctx, path, columns, l)
	if err != nil || onlyIDs {
		return r, err
	}
	if err := r.WithOthers(Documents.Schema, "metadata"); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}
