package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/charset"
	"github.com/commonplace/commonplace/crawl/records"
)

// ReadPassages reads documents from a CSV file with a header line, plain or
// gzip, that has one line a passage, such as a Bible's verses. columns name the
// file's own column for document, chapter, verse and text. Each document's text
// is its passages, one a line, with its number before it (1:1) where there are
// chapters and verses, and a blank line before each chapter; white space within
// a passage is one space. Documents come in the order of their first lines. The
// first line that cannot be understood is the error: half a text would pass for
// one. The file is held whole.
func ReadPassages(ctx context.Context, path string, columns map[string]string, opts Options) ([]commonplace.Document, error) {
	r, _, err := openStream(ctx, path, opts.Limits, io.Discard)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer r.Close()
	in := records.NewQuoteLines(ctx, r, opts.Limits)
	budget := bounded.Budget{Most: opts.Limits.WithDefaults().Memory}
	var docs []commonplace.Document
	texts := map[string]*passageText{}
	var at map[string]int
	width := 0
	for {
		record, line, err := records.Next(in, ',')
		switch {
		case errors.Is(err, io.EOF):
			for i := range docs {
				d := &docs[i]
				d.Text = strings.ToValidUTF8(texts[d.ID].String(), "\uFFFD")
				d.Characters = int64(utf8.RuneCountInString(d.Text))
				d.FrameEnd, d.SHA256 = d.Characters, sum([]byte(d.Text))
			}
			return docs, nil
		case err != nil:
			return nil, fmt.Errorf("%s, line %d: %w", path, line, err)
		case at == nil:
			width = len(record)
			if at, err = passageColumns(record, columns); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			continue
		case len(record) != width:
			return nil, fmt.Errorf("%s, line %d: %d fields where the header has %d", path, line, len(record), width)
		}
		id, text := record[at["document"]], strings.Join(strings.Fields(record[at["text"]]), " ")
		if detail := crawl.BadID(id); detail != "" {
			return nil, fmt.Errorf("%s, line %d: the document is %q: %s", path, line, id, detail)
		}
		if text == "" {
			return nil, fmt.Errorf("%s, line %d: the passage has no text", path, line)
		}
		if texts[id] == nil {
			if err := budget.Hold(int64(3*len(id)) + 512); err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", path, line, err)
			}
			id = strings.Clone(id) // else it would keep the record
			texts[id] = &passageText{}
			docs = append(docs, commonplace.Document{
				ID: id, Source: opts.Source, Title: id, URL: id, FrameStatus: StatusAsIs, Encoding: "utf-8", EncodingReason: charset.ValidUTF8,
			})
		}
		chapter, verse := "", ""
		if at["chapter"] >= 0 && at["verse"] >= 0 {
			chapter, verse = record[at["chapter"]], record[at["verse"]]
		}
		if err := budget.Hold(int64(len(text)+len(chapter)+len(verse)) + 4); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, line, err)
		}
		texts[id].add(chapter, verse, text)
	}
}

func passageColumns(header []string, columns map[string]string) (map[string]int, error) {
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	at := map[string]int{}
	for _, key := range []string{"document", "chapter", "verse", "text"} {
		name := columns[key]
		if name == "" {
			name = key
		}
		at[key] = slices.Index(header, name)
		if at[key] < 0 && (columns[key] != "" || key == "document" || key == "text") {
			return nil, fmt.Errorf("there is no column %s, only %s; say with columns which one is the %s", name, strings.Join(header, ", "), key)
		}
	}
	return at, nil
}

// passageText is a document's text while it grows.
type passageText struct {
	strings.Builder
	chapter string
}

func (p *passageText) add(chapter, verse, text string) {
	if p.Len() > 0 {
		p.WriteByte('\n')
		if chapter != p.chapter {
			p.WriteByte('\n')
		}
	}
	if p.chapter = chapter; chapter != "" {
		fmt.Fprintf(p, "%s:%s ", chapter, verse)
	}
	p.WriteString(text)
}
