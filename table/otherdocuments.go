package table

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// otherNames are the columns that other tools' tables of documents may have, by
// our own: the first that is there is read. An id and a text must be there.
var otherNames = []struct {
	own   string
	names []string
	must  bool
}{
	{"doc_id", []string{"doc_id", "id"}, true},
	{"text", []string{"text"}, true},
	{"title", []string{"title"}, false},
	{"author", []string{"author"}, false},
	{"genre", []string{"genre"}, false},
	{"date", []string{"date"}, false},
	{"language", []string{"language"}, false},
	{"rights", []string{"rights"}, false},
	{"url", []string{"url"}, false},
}

// OpenDocuments opens any Parquet file with the columns id (or doc_id) and text,
// both text, and reads from it what a document can have from elsewhere: those
// two, and title, author, genre, date, language, rights and url where they are texts.
// With onlyIDs it reads no other column than the id. Errors are those of
// [Table.Open], and a [bounded.Error] where the file is over a limit.
func OpenDocuments(ctx context.Context, path string, onlyIDs bool, l bounded.Limits) (*Reader[commonplace.Document], error) {
	shard, err := openGuarded(ctx, Documents.files, path, l)
	if err != nil {
		return nil, err
	}
	r := &Reader[commonplace.Document]{shard: shard}
	for _, o := range otherNames {
		if onlyIDs && o.own != "doc_id" {
			continue
		}
		cr, err := otherColumn(shard, o.own, o.names)
		if err != nil && o.must {
			shard.close()
			return nil, err
		}
		if err == nil {
			r.columns = append(r.columns, cr)
		}
	}
	return r, nil
}

// otherColumn finds one of our columns under one of several names.
func otherColumn(s *shardFile, own string, names []string) (*columnReader, error) {
	var c column
	for _, known := range Documents.columns {
		if known.name == own && known.kind == reflect.String && !known.list {
			c = known
		}
	}
	for _, name := range names {
		if s.parquet.Root().Column(name) != nil {
			c.name = name
			return newColumnReader(s, &c)
		}
	}
	return nil, fmt.Errorf("%s: %w: it has no column %s (text)", s.path, ErrColumn, strings.Join(names, " or "))
}
