package archive

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/crawl/warc"
)

// Whatever an index says, as long as its WARC file is whole: what is believed lies in that
// file, in order; what the index leaves out is read from the file; a crawl goes on in it
// and loses no record.
func FuzzIndex(f *testing.F) {
	const name = "00001-a.org" + warc.Extension
	file, err := os.ReadFile(filepath.Join("testdata", name)) // records of a page each, after the first
	if err != nil {
		f.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join("testdata", indexOf(name)))
	if err != nil {
		f.Fatal(err)
	}
	dir := f.TempDir()
	path := filepath.Join(dir, name)
	f.Add(index)
	f.Add(index[:len(index)/2])
	f.Add([]byte(`{"url":"http://a.org/1","kind":"answer","status":200,"file":"` + name + `","offset":-9,"end":7}`))
	f.Add([]byte(`{"url":"http://a.org/1","kind":"answer","file":"../` + name + `","offset":0,"end":7}` + "\n"))
	f.Add([]byte(`{"file":"` + name + `","offset":0,"end":5}`))
	f.Add([]byte(`{"file":"` + name + `","offset":0,"end":9223372036854775807}` + "\n{}\n"))
	f.Fuzz(func(t *testing.T, index []byte) {
		must(t, os.WriteFile(path, file, 0o644))
		must(t, os.WriteFile(indexOf(path), index, 0o644))
		entries, end, err := readIndex(indexOf(path), int64(len(file)))
		must(t, err)
		last := int64(0)
		for _, e := range entries {
			if string(e.File) != name || e.Offset < last || e.End <= e.Offset || e.End > int64(len(file)) {
				t.Errorf("believes %+v", e)
			}
			last = e.End
		}
		if last != end {
			t.Errorf("%d entries end at %d, not at %d", len(entries), last, end)
		}
		a, err := Load(dir, "r1")
		must(t, err)
		for _, k := range a.urls {
			if k.answer.Kind == Answered {
				_, _ = a.Answer(k.answer, 1<<20) // an error, or the answer
			}
		}
		k, err := a.Keep("a.org", "test/1")
		must(t, err)
		must(t, k.Response(answer("http://a.org/4", 200, "Content-Type: text/plain\r\n", "text 4")))
		must(t, k.Close())
		if now, err := os.ReadFile(path); err != nil || len(now) <= len(file) || string(now[:len(file)]) != string(file) {
			t.Errorf("records are lost: %d bytes of %d, %v", len(now), len(file), err)
		}
	})
}
