package files

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/charset"
	"github.com/commonplace/commonplace/crawl/records"
)

// errNoList is why a file of another kind is no list of quotations.
type errNoList struct{ kind string }

func (e errNoList) Error() string {
	return "a list of quotations is .jsonl, .csv, .tsv, .txt or .md, not " + e.kind
}

// extension is what a name's last part must look like to say what the file is: not that of
// quotes.2024, nor that of Mr. Smith.
var extension = regexp.MustCompile(`^\.[a-z][a-z0-9]*$`)

// listKind is the kind of a list of quotations: .jsonl, .csv, .tsv, .txt or .md. A name
// without an extension says nothing, and the file's beginning shows it. Lines of JSON may
// have any name.
func (l *quoteList) listKind(ctx context.Context) (string, error) {
	kind := filepath.Ext(strings.TrimSuffix(strings.ToLower(l.path), ".gz"))
	switch kind {
	case ".jsonl", ".csv", ".tsv", ".md":
		return kind, nil
	case ".txt":
		if head, err := l.head(ctx); err == nil && len(firstObject(head)) > 0 {
			return ".jsonl", nil
		}
		return kind, nil
	case ".ndjson", ".json":
		return ".jsonl", nil
	case ".markdown":
		return ".md", nil
	case ".html", ".htm", ".xml", ".zip", ".parquet", ".pdf", ".docx", ".epub":
		return "", errNoList{kind}
	}
	head, err := l.head(ctx)
	if err != nil {
		return ".jsonl", nil // reading it gives the error again
	}
	begins := l.opts.beginsAs(ctx, head)
	if begins != ".jsonl" && extension.MatchString(kind) {
		return "", errNoList{kind}
	}
	return begins, nil
}

// mostHead is how much of a list is looked at to find its kind.
const mostHead = 1 << 16

// head is the beginning of the list.
func (l *quoteList) head(ctx context.Context) ([]byte, error) {
	r, _, err := openStream(ctx, l.path, l.opts.Limits, io.Discard)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	head, err := bufio.NewReaderSize(r, mostHead).Peek(mostHead)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return head, err
}

// beginsAs is the kind of list that begins so: lines of JSON, a table under a header that
// names a column of quotations, a Markdown page, or a text.
func (o QuoteOptions) beginsAs(ctx context.Context, head []byte) string {
	text := string(head)
	if decoded, err := charset.Decode(bytes.Clone(head), ""); err == nil {
		text = decoded.Text
	}
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return ".jsonl"
	}
	lines := records.NewLines(ctx, strings.NewReader(text), bounded.Limits{})
	if header, _, err := records.Next(lines, ','); err == nil && isSeparator(header) {
		return ".csv"
	} else if err == nil && len(header) > 1 && o.in("text", header) != "" {
		return ".csv" // whose reader finds tabs and semicolons
	}
	if frontMatter.MatchString(text) || blockQuote.MatchString(text) || onlyItems(text) {
		return ".md"
	}
	return ".txt"
}

var (
	blockQuote = regexp.MustCompile(`(?m)^ {0,3}>[ \t]*\S`)
	heading    = regexp.MustCompile(`^#{1,6}[ \t]+\S`)
)

// onlyItems says that below headings nothing but items of lists stands. Other lines below
// one are more often a quotation each than a paragraph.
func onlyItems(text string) bool {
	headings, items := 0, 0
	for _, line := range strings.Split(text, "\n") {
		body := strings.TrimSpace(line)
		switch {
		case body == "":
		case heading.MatchString(line):
			headings++
		case listItem.MatchString(body):
			items++
		case items == 0 || line[0] != ' ' && line[0] != '\t': // else an item goes on
			return false
		}
	}
	return headings > 0 && items > 0
}

// isSeparator says that a table's first line only names its separator, as Excel writes it:
// sep=;
func isSeparator(row []string) bool {
	return len(row) > 0 && len(row) <= 2 && strings.HasPrefix(strings.TrimPrefix(row[0], "\ufeff"), "sep=") && strings.Join(row[1:], "") == ""
}
