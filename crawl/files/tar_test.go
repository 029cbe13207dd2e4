package files

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// tarred makes a tar of name, content pairs. A name that ends with / is a folder, one
// with @ a link.
func tarred(t testing.TB, pairs ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		h := &tar.Header{Name: pairs[i], Mode: 0o644, Size: int64(len(pairs[i+1])), Typeflag: tar.TypeReg}
		if name, link := strings.CutSuffix(h.Name, "@"); link {
			h = &tar.Header{Name: name, Linkname: pairs[i+1], Typeflag: tar.TypeSymlink}
		} else if strings.HasSuffix(h.Name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := w.Write([]byte(pairs[i+1])); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// zipped makes a zip of one entry, packed.
func zipped(t testing.TB, pairs ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		f, err := w.Create(pairs[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(pairs[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTar(t *testing.T) {
	weekly := tarred(t, "cache/", "", "cache/epub/", "", "cache/epub/1342/", "", "cache/epub/1342/pg1342.txt", "It is a truth", "cache/epub/84/pg84.txt", "You will rejoice")
	books := []string{"w/cache/epub/1342/pg1342=It is a truth", "w/cache/epub/84/pg84=You will rejoice"}
	long := strings.Repeat("d/", 90) + "a.txt"
	broken := []byte(gz(t, weekly))
	broken[len(broken)-5] ^= 0xff // the checksum
	brokenZip := []byte(zipped(t, "w.tar", weekly))
	brokenZip[60] ^= 0xff
	sparse := sparseTar(t)
	small := bounded.Limits{Records: 3}
	for _, c := range []struct {
		name, content string
		opts          Options
		want          []string
	}{
		{"w.tar", weekly, Options{}, books},
		{"w.tar.gz", gz(t, weekly), Options{}, books},
		{"w.TGZ", gz(t, weekly), Options{}, books},
		{"w.tar.zip", zipped(t, "w.tar", weekly), Options{}, books},
		{"one.tar", tarred(t, "./a.txt", "A"), Options{}, []string{"one/a=A"}},
		{"long.tar", tarred(t, long, "A"), Options{}, []string{"long/" + strings.TrimSuffix(long, ".txt") + "=A"}},
		{"old.tar", tarred(t, "pg7.txt.utf-8", "7"), Options{}, []string{"old/pg7.txt.utf-8=7"}},
		{"void.tar", tarred(t), Options{}, []string{"void.tar!empty"}},
		{"none.tar", tarred(t, "a.png", "x", ".a.txt", "h", "d/._a.txt", "h"), Options{}, []string{"none.tar!empty"}},
		{"bad.tar", tarred(t, "../x.txt", "x", "/abs.txt", "x", "a\\b.txt", "x", "link.txt@", "/etc/passwd", "in.zip", "PK", "in.txt.gz", "x", "empty.txt", "", "ok.txt", "ok"), Options{},
			[]string{"bad/../x!unsafe entry", "bad//abs!unsafe entry", `bad/a\b!unsafe entry`, "bad/empty!empty", "bad/in!nested archive", "bad/in.zip!nested archive", "bad/link!unsafe entry", "bad/ok=ok"}},
		{"twice.tar", tarred(t, "a.txt", "A", "a.txt", "B", "c.txt", "C"), Options{}, []string{"twice/a!duplicate id", "twice/a=A", "twice/c=C"}},
		{"sparse.tar", sparse, Options{}, []string{"sparse/a!unsafe entry"}},
		{"large.tar", tarred(t, "a.txt", strings.Repeat("a", 60), "b.txt", strings.Repeat("b", 101)), Options{MaxBytes: 100}, []string{"large/a=" + strings.Repeat("a", 60), "large/b!over the limit"}},
		// Of what breaks off or is too much nothing is taken.
		{"not.tar", strings.Repeat("no archive ", 100), Options{}, []string{"not.tar!broken tar"}},
		{"short.tar", "no archive", Options{}, []string{"short.tar!broken tar"}},
		{"nothing.tar", "", Options{}, []string{"nothing.tar!broken tar"}},
		{"cut.tar", weekly[:512*4+5], Options{}, []string{"cut.tar!broken tar"}},
		{"neat.tar", weekly[:len(weekly)-1024], Options{}, []string{"neat.tar!broken tar"}},
		{"head.tar", weekly[:512*2], Options{}, []string{"head.tar!broken tar"}},
		{"cut.tar.gz", gz(t, weekly)[:60], Options{}, []string{"cut.tar!broken tar"}},
		{"sum.tar.gz", string(broken), Options{}, []string{"sum.tar!broken tar"}},
		{"not.tar.gz", weekly, Options{}, []string{"not.tar!broken tar"}},
		{"sum.tar.zip", string(brokenZip), Options{}, []string{"sum.tar.zip!broken tar"}},
		{"two.tar.zip", zipped(t, "a.tar", weekly, "b.tar", weekly), Options{}, []string{"two.tar.zip!broken tar"}},
		{"text.tar.zip", zipped(t, "a.txt", "x"), Options{}, []string{"text.tar.zip!broken tar"}},
		{"bomb.tar.gz", gz(t, tarred(t, "a.txt", strings.Repeat(" ", 17<<20))), Options{}, []string{"bomb.tar!file over the limit"}},
		{"bomb.tar.zip", zipped(t, "b.tar", tarred(t, "a.png", strings.Repeat(" ", 17<<20))), Options{}, []string{"bomb.tar.zip!file over the limit"}},
		{"behind.tar.gz", gz(t, weekly+strings.Repeat("\x00", 17<<20)), Options{}, []string{"behind.tar!file over the limit"}},
		{"many.tar", weekly, Options{Limits: small}, []string{"many.tar!file over the limit"}},
		{"names.tar", weekly, Options{Limits: bounded.Limits{Memory: 100}}, []string{"names.tar!file over the limit"}},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.content), 0o644); err != nil {
			t.Fatal(err)
		}
		temp := t.TempDir()
		c.opts.Temp = temp
		slices.Sort(c.want)
		if base, ok := bounded.CutTar(c.name); !ok || base == c.name {
			t.Errorf("%s is no archive by its name", c.name)
		}
		if got := listedDocuments(path, c.opts); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("%s: left behind: %v, %v", c.name, left, err)
		}
	}
}

// sparseTar is an archive of one entry that says of a few bytes that they are a GB.
func sparseTar(t testing.TB) string {
	t.Helper()
	raw := []byte(tarred(t, "a.txt", "A"))
	raw[156] = tar.TypeGNUSparse
	copy(raw[257:], "ustar  \x00") // GNU's form
	copy(raw[386:], "00000000000\x0000000000001\x0007777777777\x0000000000000\x00")
	copy(raw[483:], "07777777777\x00") // the size of the file
	copy(raw[148:156], "        ")
	sum := 0
	for _, c := range raw[:512] {
		sum += int(c)
	}
	copy(raw[148:156], fmt.Sprintf("%06o\x00 ", sum))
	return string(raw)
}

// An archive that changed since it was listed gives no text of another entry, and a folder
// for temporary files that is not there is no fault of the archive.
func TestTarChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.tar.gz")
	write := func(pairs ...string) {
		if err := os.WriteFile(path, []byte(gz(t, tarred(t, pairs...))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a.txt", "A", "b.txt", "B")
	file := newFile(path, "x.tar.gz", 0)
	var entries []Entry
	for e, err := range Entries(t.Context(), file, Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	write("a.txt", "C", "b.txt", "B")
	o, err := Open(t.Context(), file, entries, Options{Temp: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if _, err := o.Read(t.Context(), entries[0]); commonplace.RejectOf(err) == nil || commonplace.RejectOf(err).Reason != ReasonChanged {
		t.Errorf("a: %v", err)
	}
	if d, err := o.Read(t.Context(), entries[1]); err != nil || d.Text != "B" || d.URL != "x.tar.gz:b.txt" {
		t.Errorf("b: %+v, %v", d, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Open(ended, file, entries, Options{Temp: t.TempDir()}); !errors.Is(err, context.Canceled) && commonplace.RejectOf(err) == nil {
		t.Errorf("%v", err)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no full disk here")
	}
	defer full.Close()
	if err := UnpackTar(t.Context(), path, full, bounded.Limits{}); err == nil || tarReason(err) == ReasonTar || commonplace.RejectOf(err) != nil {
		t.Errorf("on a full disk: %v", err)
	}
}

// Whatever the archive: documents and rejects, no more documents than texts, and none from
// one that breaks off.
func FuzzTar(f *testing.F) {
	f.Add("a.txt\n../b.txt\nc/d.txt", []byte("A miller.\n"), uint16(0), byte(0))
	f.Add("a.txt\na.txt\n/etc/x.txt\nb.zip\nd\\e.txt\ng/", []byte{}, uint16(40), byte(1))
	f.Add("\xff.txt\n.hidden.txt\n./f.txt", []byte("caf\xe9\x00"), uint16(156), byte(83)) // sparse
	f.Add("a.txt", bytes.Repeat([]byte("0123456789abcdef"), 64), uint16(124), byte(7))
	f.Fuzz(func(t *testing.T, names string, text []byte, at uint16, other byte) {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		all := strings.Split(names, "\n")
		all = all[:min(len(all), 50)]
		for _, name := range all {
			h := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg}
			if strings.HasSuffix(name, "/") {
				h.Typeflag, h.Size = tar.TypeDir, 0
			}
			if err := w.WriteHeader(h); err != nil {
				return // a name with a NUL
			}
			if h.Size > 0 {
				if _, err := w.Write(text); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		content := b.Bytes()
		content[int(at)%len(content)] ^= other
		wholeDocuments(t, "x.tar", content, len(content)/512)
		wholeDocuments(t, "x.tar", content[:int(at)%len(content)], len(content)/512) // cut
		wholeDocuments(t, "x.tar.gz", []byte(gz(t, string(content))), len(content)/512)
		wholeDocuments(t, "x.tar.zip", []byte(zipped(t, "x.tar", string(content))), len(content)/512)
		wholeDocuments(t, "x.tar.zip", text, 1)
		wholeDocuments(t, "x.tar", text, len(text)/512+1)
	})
}
