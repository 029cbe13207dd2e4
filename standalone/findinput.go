package standalone

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
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

func extensionOf(head []byte) string {
	if bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff"))), []byte("{")) {
		return ".jsonl"
	}
	line, _, _ := strings.Cut(strings.ToLower(string(head)), "\n")
	for extension, comma := range map[string]string{".csv": ",", ".tsv": "\t"} {
		columns := strings.Split(strings.TrimSpace(line), comma)
		for _, c := range columns {
			if len(columns) > 1 && (c == "text" || c == "quote" || c == "quotation") {
				return extension
			}
		}
	}
	return ".txt"
}
