package ingest

import (
	"cmp"
	"context"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/quotus"
	"github.com/commonplace/commonplace/pipelines/config"
)

// quotusSource reads transcripts, one a file or one an entry of an archive, and
// finds their days.
type quotusSource struct{ filesSource }

func (quotusSource) open(s config.Source, items []item) reader {
	return transcriptReader{newFilesReader(optionsOf(s), items)}
}

type transcriptReader struct{ *filesReader }

func (r transcriptReader) read(ctx context.Context, it item) (commonplace.Document, error) {
	doc, err := r.filesReader.read(ctx, it)
	if err == nil {
		doc.Date = cmp.Or(doc.Date, quotus.Date(it.Rel, doc.Text))
	}
	return doc, err
}
