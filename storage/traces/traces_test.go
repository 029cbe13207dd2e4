package traces

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func zstandard(t *testing.T, b []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return w.EncodeAll(b, nil)
}

// noise has bytes of every kind, also such as packed parts begin with.
func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	for range n / 5000 {
		copy(b[r.IntN(n-8):], [][]byte{gzipMagic, zstdMagic}[r.IntN(2)])
	}
	return b
}

// Wherever a piece or a name lies, packed or not, at the end of a file or of what is
// read at once, it is found; and nothing is in what does not hold it.
func TestWhereverItLies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := "The mill stood where two rivers met, and nobody remembered who had built it there. "
	w := New()
	w.AddText(text)
	w.AddName("mill-7")
	for _, secret := range []string{text[11:70], "{\"doc_id\":\"mill-7\"}"} {
		for _, size := range []int{0, 40, 3000, chunk - 30, chunk - 4, chunk, chunk + 1, 3*chunk - 17} {
			for how, packing := range map[string]func([]byte) []byte{
				"plain":                func(b []byte) []byte { return b },
				"gzip":                 gzipped,
				"zstd":                 func(b []byte) []byte { return zstandard(t, b) },
				"gzip in gzip in zstd": func(b []byte) []byte { return zstandard(t, gzipped(gzipped(b))) },
				"zstd in gzip, behind": func(b []byte) []byte { return append(gzipped([]byte("other")), gzipped(zstandard(t, b))...) },
			} {
				for _, there := range []bool{true, false} {
					inner := noise(r, 200+size%97)
					if there {
						inner = slices.Concat(inner, []byte(" "+secret+" "), noise(r, 100))
					}
					file := slices.Concat(noise(r, size+8), packing(inner), noise(r, size/2+8))
					found, err := w.In(t.Context(), bytes.NewReader(file), int64(len(file)))
					if err != nil || found.Any() != there {
						t.Errorf("%q, %s, behind %d bytes: found %v, want %v (%v)", secret, how, size, found.Any(), there, err)
					}
				}
			}
		}
	}
}

// As much of a text as a piece and a stride is found, whatever it is cut out of.
func TestAnyLongEnoughPartIsFound(t *testing.T) {
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "Sentence %d of the book ends here. ", i)
	}
	w := New()
	w.AddText(text.String())
	for at := 0; at+pieceBytes+stride-1 <= text.Len(); at += 7 {
		part := []byte(text.String()[at : at+pieceBytes+stride-1])
		if found, err := w.In(t.Context(), bytes.NewReader(part), int64(len(part))); err != nil || len(found.Pieces) == 0 {
			t.Fatalf("nothing of %q (%v)", part, err)
		}
	}
	stars := bytes.Repeat([]byte("* "), 500)
	w = New()
	w.AddText(string(stars))
	if w.Pieces() != 0 {
		t.Error("a line of stars is taken for somebody's own")
	}
}

// A sample finds as much of a text as it says, also one that has dull stretches where the
// pieces of the sample would be.
func TestASampleFindsLongParts(t *testing.T) {
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "Chapter %d: %s %d\n", i, strings.Repeat(".", 40+i%90), 3*i+7)
	}
	for i := range 300 {
		fmt.Fprintf(&text, "Sentence %d of the book ends here. ", i)
	}
	first, again := New(), New()
	first.AddText(text.String())
	again.AddSample(first.Sample())
	if n := again.Pieces(); n < 100 || n > first.Pieces()/4 {
		t.Errorf("%d pieces of %d are kept", n, first.Pieces())
	}
	dull, all := 0, 0
	for at := 0; at+SampledBytes <= text.Len(); at += 7 {
		part := text.String()[at : at+SampledBytes]
		found, err := again.In(t.Context(), strings.NewReader(part), SampledBytes)
		if err != nil {
			t.Fatal(err)
		}
		if all++; len(found.Pieces) == 0 {
			dull++
			if !strings.Contains(part, "........") {
				t.Fatalf("nothing of %q", part)
			}
		}
		for _, seal := range found.Pieces {
			if !again.sealed[seal] {
				t.Fatal("a piece that was not looked for")
			}
		}
	}
	if dull*10 > all {
		t.Errorf("%d of %d parts are not found", dull, all)
	}
}

// A name is found as a word, and where its own length stands before it.
func TestNames(t *testing.T) {
	w := New()
	w.AddName("salt")
	for in, want := range map[string]bool{
		"salt": true, `"salt"`: true, "books/salt.txt": true, "salt:000012": true,
		"salt-ledger": false, "basalt": false, "salty": false, "sal": false,
		"\x04\x00\x00\x00salte": true, "x\x04salta": true, "": false,
	} {
		if found, err := w.In(t.Context(), strings.NewReader(in), int64(len(in))); err != nil || found.Any() != want {
			t.Errorf("%q: %v, want %v (%v)", in, found.Any(), want, err)
		}
	}
}

// A name is no other where a file is read in two parts, wherever they meet.
func TestNamesBetweenTwoReads(t *testing.T) {
	w := New()
	w.AddName("salt")
	w.AddName("harbour-book")
	for at := chunk - 40; at < chunk+40; at++ {
		for word, want := range map[string]bool{" basalt ": false, " salt ": true, " salted ": false} {
			file := append(bytes.Repeat([]byte{'.'}, at), word+strings.Repeat(".", 100)...)
			if found, err := w.In(t.Context(), bytes.NewReader(file), int64(len(file))); err != nil || found.Any() != want {
				t.Fatalf("%q behind %d bytes: %v, want %v (%v)", word, at, found.Any(), want, err)
			}
		}
	}
}

// What was unpacked is counted once, and frames one after the other are no more work
// than they have bytes.
func TestUnpackedBytesAreCountedOnce(t *testing.T) {
	w := New()
	w.AddName("mill-7")
	var file []byte
	one := bytes.Repeat([]byte("many words "), 1000)
	for range 20 {
		file = append(file, zstandard(t, one)...)
		file = append(file, gzipped(one)...)
	}
	found, err := w.In(t.Context(), bytes.NewReader(file), int64(len(file)))
	if want := int64(40 * len(one)); err != nil || found.Unpacked != want || found.Bytes != want+int64(len(file)) {
		t.Errorf("%d bytes unpacked of %d, want %d (%v)", found.Unpacked, found.Bytes, want, err)
	}
}

// What is too large to hold is searched to its end, but not for packed parts.
func TestLargeParts(t *testing.T) {
	w := New()
	w.AddName("mill-7")
	large := append(make([]byte, mostHeld+chunk/2), " mill-7"...)
	for how, file := range map[string][]byte{"gzip": gzipped(large), "zstd": zstandard(t, large)} {
		found, err := w.In(t.Context(), bytes.NewReader(file), int64(len(file)))
		if err != nil || !found.Any() || found.Shallow != 1 || found.Unpacked != int64(len(large)) {
			t.Errorf("%s: %+v (%v)", how, found, err)
		}
	}
}

// Any bytes are searched: a name that stands in them is found, and nothing fails.
func FuzzIn(f *testing.F) {
	f.Add([]byte("abc"))
	f.Add(gzipped([]byte("mill-7")))
	f.Add([]byte("\x28\xb5\x2f\xfd\x04\x00\x09\x00\x00abc"))
	w := New()
	w.AddName("mill-7")
	w.AddText("The mill stood where two rivers met, and nobody remembered it.")
	f.Fuzz(func(t *testing.T, b []byte) {
		b = append(b, " mill-7 "...)
		if found, err := w.In(t.Context(), bytes.NewReader(b), int64(len(b))); err != nil || !slices.Contains(found.Names, "mill-7") {
			t.Errorf("%v, %v", found, err)
		}
	})
}
