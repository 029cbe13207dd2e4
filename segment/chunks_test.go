package segment

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func chunksOf(t testing.TB, text, form string) []string {
	t.Helper()
	seg, err := Parse("chunks:" + form)
	if err != nil {
		t.Fatal(err)
	}
	var chunks []string
	for p := range seg.Cut(text) {
		chunks = append(chunks, text[p.Begin:p.End])
	}
	return chunks
}

// The chunks are LangChain's; bench/segment/langchain_chunks.py wrote what is expected.
func TestChunksAreLangChains(t *testing.T) {
	golden, err := filepath.Glob("testdata/chunks/*.txt")
	if err != nil || len(golden) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, path := range golden {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var want map[string][]string
		readJSON(t, strings.TrimSuffix(path, ".txt")+".json", &want)
		for form, chunks := range want {
			got := chunksOf(t, string(text), form)
			if slices.Equal(got, chunks) {
				continue
			}
			for i := range max(len(got), len(chunks)) {
				if i >= len(got) || i >= len(chunks) || got[i] != chunks[i] {
					t.Errorf("%s, chunks:%s: %d chunks, want %d; number %d differs", path, form, len(got), len(chunks), i)
					break
				}
			}
		}
	}
}

func TestChunksOfTenBooksAreLangChains(t *testing.T) {
	const folder = "../../shared/data/books"
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the shared books are not here")
	}
	var want map[string]map[string]struct {
		Chunks int
		SHA256 string
	}
	readJSON(t, "testdata/chunks/books.json", &want)
	if len(want) != 10 {
		t.Fatalf("%d books, want 10", len(want))
	}
	for name, forms := range want {
		text := gunzip(t, filepath.Join(folder, name))
		for form, w := range forms {
			h := sha256.New()
			chunks := chunksOf(t, text, form)
			for _, c := range chunks {
				io.WriteString(h, c+"\x00")
			}
			if got := hex.EncodeToString(h.Sum(nil)); len(chunks) != w.Chunks || got != w.SHA256 {
				t.Errorf("%s, chunks:%s: %d chunks, want %d of other content", name, form, len(chunks), w.Chunks)
			}
		}
	}
}

func readJSON(t testing.TB, path string, into any) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatal(err)
	}
}

func gunzip(t testing.TB, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
