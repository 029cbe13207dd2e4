package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPageUnderATextName is a Project Gutenberg file that is a page although its
// name ends in .txt: tags are no words of the book.
func TestPageUnderATextName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a-set-of-six.txt")
	raw := "<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"x\">\n<html><head><title>A Set</title><style>p {}</style></head>" +
		"<body><p>*** START OF THIS PROJECT GUTENBERG EBOOK A SET ***</p><p>The General nodded. &ldquo;Si.&rdquo;</p>" +
		"<p>*** END OF THIS PROJECT GUTENBERG EBOOK A SET ***</p></body></html>"
	if err := os.WriteFile(path, []byte(raw), 0o644); err != nil {
		t.Fatal(err)
	}
	file := File{ID: "a-set-of-six", Path: path, Rel: "a-set-of-six.txt"}
	doc, reject := Read(t.Context(), file, Options{})
	if reject != nil {
		t.Fatal(reject)
	}
	if got := strings.TrimSpace(doc.Text); got != "The General nodded. “Si.”" {
		t.Errorf("text is %q", got)
	}
	if bare, _ := Read(t.Context(), file, Options{Bare: true}); bare.Text != raw {
		t.Errorf("the bare commands take files as they are, got %q", bare.Text)
	}
}
