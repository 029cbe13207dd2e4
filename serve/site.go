package serve

import (
	"context"
	"fmt"
	"os"
)

// Site holds a page and the files that it loads, by their names. They are in one file
// that has no name, so nobody else opens it, and it is gone when the process ends,
// however it ends. Nothing may be added while a [Server] answers from it.
type Site struct {
	file  *os.File
	size  int64
	spans map[string]span
	text  TextOf
}

// TextOf reads a script with a piece of a document's text, when a browser asks for it. It
// is [fs.ErrNotExist] where there is none.
type TextOf func(ctx context.Context, id string, piece int) ([]byte, error)

// texts is the name at which texts are asked for, with an id and a piece.
const texts = "text"

// span is where in the file an answer is, in bytes.
type span struct{ begin, size int64 }

// page is the name of the page: an address that ends with the token and a slash.
const page = ""

// NewSite makes an empty site, with its file in a folder for temporary files.
func NewSite(dir string) (*Site, error) {
	f, err := os.CreateTemp(dir, "commonplace-serve-*.tmp")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return &Site{file: f, spans: map[string]span{}}, nil
}

// Close frees the disk.
func (s *Site) Close() error { return s.file.Close() }

// Size is the number of bytes of all files.
func (s *Site) Size() int64 { return s.size }

// SetPage adds the page.
func (s *Site) SetPage(content []byte) error { return s.add(page, content) }

// AddPart adds a script that the page loads, and returns its address as the page sees it.
func (s *Site) AddPart(content []byte) (string, error) {
	name := fmt.Sprintf("part-%d.js", len(s.spans))
	return name, s.add(name, content)
}

// SetTexts has texts read on demand, and returns their address as the page sees it.
func (s *Site) SetTexts(of TextOf) string {
	s.text = of
	return texts
}

func (s *Site) add(name string, content []byte) error {
	if _, err := s.file.WriteAt(content, s.size); err != nil {
		return err
	}
	s.spans[name] = span{s.size, int64(len(content))}
	s.size += int64(len(content))
	return nil
}
