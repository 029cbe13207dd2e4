package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
)

// passagesSource reads CSV files with one line a passage, such as a Bible's
// verses; each names its document.
type passagesSource struct{}

func (passagesSource) list(ctx context.Context, s config.Source, take func(item)) ([]string, error) {
	for _, path := range s.Files {
		docs, err := readPassages(ctx, path, s)
		if err != nil {
			return nil, fmt.Errorf("files: %w", err)
		}
		for _, d := range docs {
			take(newItem(d.ID, item{Rel: crawl.Printable(filepath.Base(path)) + ", " + d.ID, SHA256: d.SHA256, At: storage.MustJSON(crawl.Path(path))}))
		}
	}
	return nil, nil
}

func (passagesSource) open(s config.Source, items []item) reader {
	read := map[string]map[string]commonplace.Document{} // by file and id
	held, most := int64(0), s.Limits.WithDefaults().Memory
	return readFunc(func(ctx context.Context, it item) (commonplace.Document, error) {
		var at crawl.Path
		if err := json.Unmarshal(it.At, &at); err != nil {
			return commonplace.Document{}, err
		}
		path := string(at)
		if read[path] == nil {
			docs, err := readPassages(ctx, path, s)
			if err != nil {
				return commonplace.Document{}, changed(it.ID.String())
			}
			size := int64(0)
			for _, d := range docs {
				size += int64(len(d.Text))
			}
			if held += size; held > most { // files of that much together are read again when they are needed
				clear(read)
				held = size
			}
			read[path] = map[string]commonplace.Document{}
			for _, d := range docs {
				read[path][d.ID] = d
			}
		}
		doc := read[path][it.ID.String()]
		if doc.SHA256 != it.SHA256 {
			return doc, changed(it.ID.String())
		}
		return doc, nil
	})
}

func readPassages(ctx context.Context, path string, s config.Source) ([]commonplace.Document, error) {
	return files.ReadPassages(ctx, path, s.Columns, optionsOf(s))
}
