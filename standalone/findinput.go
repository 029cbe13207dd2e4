package standalone

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/commonplace/commonplace/crawl/files"
)

// copyInput copies standard input to a file of a folder, and gives the file the
// extension of what it holds: JSON objects, a table with a header, or a text.
func copyInput(from io.Reader, dir string) (string, error) {
	r := bufio.NewReaderSize(from, 1<<16)
	head, err := r.Peek(4096)
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return "", err
	}
	path := filepath.Join(dir, "stdin"+extensionOf(head))
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	if _, err := io.Copy(f, r); err != nil {
		f.Close()
		return "", err
	}
	return path, f.Close()
}

// extensionOf is the kind of list that a text begins as.
func extensionOf(head []byte) string {
	text := strings.TrimPrefix(string(head), "\ufeff")
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return ".jsonl"
	}
	header, _, _ := strings.Cut(text, "\n")
	for _, table := range []struct{ extension, comma string }{{".tsv", "\t"}, {".csv", ","}} {
		columns := strings.Split(strings.TrimSpace(header), table.comma)
		for i := range columns {
			columns[i] = strings.Trim(columns[i], `"`)
		}
		if len(columns) > 1 && files.HoldsQuotes(columns) {
			return table.extension
		}
	}
	return ".txt"
}
