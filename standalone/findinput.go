package standalone

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// isStandardInput says that a list is what the user pipes in.
func isStandardInput(path string) bool { return path == "-" || path == "/dev/stdin" }

// isStream says that a list can be read once only: standard input, or the pipe of
// <(command).
func isStream(path string) bool {
	return isStandardInput(path) || strings.HasPrefix(path, "/dev/fd/")
}

// copyStream copies a list that can be read once only to a file of a folder.
func copyStream(path, dir string) (string, error) {
	if isStandardInput(path) {
		return copyInput(os.Stdin, dir)
	}
	in, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer in.Close()
	return copyInput(in, dir)
}

// copyInput copies a stream to a file of a folder. The file's name says nothing of what it
// holds but that it is packed.
func copyInput(from io.Reader, dir string) (string, error) {
	r := bufio.NewReader(from)
	path := filepath.Join(dir, "stdin")
	if magic, _ := r.Peek(2); string(magic) == "\x1f\x8b" { // an error comes again
		path += ".gz"
	}
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
