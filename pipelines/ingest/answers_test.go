package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/archive"
	"github.com/commonplace/commonplace/crawl/fetch"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/crawl/hathitrust"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
)

// endpoint is a source of volumes from an endpoint, by their ids, and an archive that holds
// its answers, by their addresses.
func endpoint(t *testing.T, ids []string, answers map[string]string) (config.Source, *archive.Archive) {
	t.Helper()
	dir := t.TempDir()
	s := config.NewSource("hathitrust")
	s.Name, s.Files, s.Fetch.Endpoint = "volumes", []string{filepath.Join(dir, "ids.txt")}, "https://a.org/htd"
	if err := os.WriteFile(s.Files[0], []byte(strings.Join(ids, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	a, err := archive.Load(filepath.Join(dir, "archive"), "")
	if err != nil {
		t.Fatal(err)
	}
	keep, err := a.Keep("a.org", "test/1")
	if err != nil {
		t.Fatal(err)
	}
	for address, body := range answers {
		url, err := crawl.ParseAddress(address)
		if err != nil {
			t.Fatal(err)
		}
		raw := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		if err := keep.Response(&fetch.Response{URL: url, Status: 200, Raw: []byte(raw), At: time.Unix(1, 0)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := keep.Close(); err != nil {
		t.Fatal(err)
	}
	return s, a
}

// The pages of a volume have max_bytes together, not each.
func TestAnswersOfOneDocument(t *testing.T) {
	const id = "uc2.t1"
	answers := map[string]string{hathitrust.MetaAddress("https://a.org/htd", id): `{"numpages": "8"}`}
	for n := range 8 {
		answers[hathitrust.PageAddress("https://a.org/htd", id, n+1)] = strings.Repeat("a word of many words\n", 100)
	}
	s, a := endpoint(t, []string{id}, answers)
	p, err := hathitrustRemote{}.plan(t.Context(), a, s)
	if err != nil || len(p.documents) != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	it, asked := found(a, p.documents[0])
	if !asked || it.Reject != nil {
		t.Fatalf("%+v", it)
	}
	for most, want := range map[int64]string{1 << 20: "", 8 * 2100: "", 8*2100 - 1: files.ReasonLimit, 2100: files.ReasonLimit, 2099: files.ReasonUnreadable} {
		s.MaxBytes = most
		doc, err := answerReader(hathitrustRemote{}, s).read(t.Context(), it)
		reason := ""
		if r := commonplace.RejectOf(err); r != nil {
			reason = r.Reason
		}
		if reason != want || (err == nil) != (len(doc.Pages) == 8) {
			t.Errorf("max_bytes %d: %v, %d pages", most, err, len(doc.Pages))
		}
	}
}

// What an endpoint says of the number of pages is counted against limits.memory before
// any of them is asked for.
func TestPagesWithinMemory(t *testing.T) {
	var ids []string
	answers := map[string]string{}
	for i := range 10 {
		ids = append(ids, fmt.Sprintf("uc2.t%d", i))
		answers[hathitrust.MetaAddress("https://a.org/htd", ids[i])] = fmt.Sprintf(`{"numpages": "%d"}`, 1+20_000*(i%2))
	}
	s, a := endpoint(t, ids, answers)
	s.HathiTrust.MaxPages = 30_000
	s.Limits.Memory = 12 << 20
	p, err := hathitrustRemote{}.plan(t.Context(), a, s)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.documents) != 7 || len(p.refused) != 3 || !slices.ContainsFunc(p.refused, func(it item) bool { return strings.Contains(it.Reject.Detail, "limits.memory") }) {
		t.Errorf("%d documents, refused: %s", len(p.documents), storage.MustJSON(p.refused))
	}
}
