package bounded

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zip"
)

// over says which limit an error names, if any.
func over(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Limit
	}
	return ""
}

func gzipped(t *testing.T, members int, text string) string {
	t.Helper()
	var b bytes.Buffer
	for range members {
		z := gzip.NewWriter(&b)
		io.WriteString(z, text)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.txt.gz")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReader(t *testing.T) {
	mb := strings.Repeat("a", 1<<20)
	for _, c := range []struct {
		name    string
		members int
		limits  Limits
		want    string
	}{
		{"within what is free", 15, Limits{}, ""},
		{"one member more than the ratio has", 20, Limits{}, "limits.ratio"},
		{"a ratio that a config raised", 20, Limits{Ratio: 2000}, ""},
		{"bytes", 3, Limits{Bytes: 2 << 20}, "limits.bytes"},
	} {
		r, err := Open(gzipped(t, c.members, mb), c.limits)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, r)
		if over(err) != c.want || c.want == "" && n != int64(c.members)<<20 {
			t.Errorf("%s: %d bytes, %v, want %q", c.name, n, err, c.want)
		}
		r.Close()
	}
	path := gzipped(t, 1, "text")
	raw, _ := os.ReadFile(path)
	for name, b := range map[string][]byte{"cut": raw[:len(raw)-4], "damaged": append(bytes.Clone(raw[:len(raw)-8]), 1, 2, 3, 4, 5, 6, 7, 8), "none": []byte("text")} {
		os.WriteFile(path, b, 0o644)
		r, err := Open(path, Limits{})
		if err == nil {
			_, err = io.Copy(io.Discard, r)
			r.Close()
		}
		var broken *BrokenGzip
		if !errors.As(err, &broken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What has no end or no writer is refused at once.
func TestNotRegular(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{pipe, "/dev/zero", t.TempDir()} {
		if _, err := ReadFile(path, Limits{}); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := Open(path, Limits{}); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := ReadWhole(path, 1<<20); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v", path, err)
		}
		// What came in a file's place after it was looked at.
		if _, _, err := openRegular(path); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v", path, err)
		}
	}
	long := filepath.Join(t.TempDir(), "long")
	os.WriteFile(long, make([]byte, 100), 0o644)
	if _, err := ReadFile(long, Limits{Settings: 99}); over(err) != "limits.settings" {
		t.Error(err)
	}
}

// An archive of so many empty entries, of which the directory's end may lie.
func archive(t *testing.T, n int, lie bool) string {
	t.Helper()
	var head, end [46]byte
	copy(head[:], "PK\x01\x02")
	path := filepath.Join(t.TempDir(), "a.zip")
	b := bytes.Repeat(head[:], n)
	copy(end[:], "PK\x05\x06")
	binary.LittleEndian.PutUint16(end[8:], uint16(n))
	binary.LittleEndian.PutUint16(end[10:], uint16(n))
	binary.LittleEndian.PutUint32(end[12:], uint32(len(b)))
	if lie {
		binary.LittleEndian.PutUint16(end[8:], 3)
		binary.LittleEndian.PutUint16(end[10:], 3)
		binary.LittleEndian.PutUint32(end[12:], 3*46)
	}
	if err := os.WriteFile(path, append(b, end[:22]...), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestZip(t *testing.T) {
	for _, lie := range []bool{false, true} {
		path := archive(t, 500_000, lie)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := OpenZip(path, Limits{})
		runtime.ReadMemStats(&after)
		if over(err) != "limits.entries" {
			t.Errorf("lie %v: %v", lie, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
			t.Errorf("lie %v: %d MB were allocated to refuse it", lie, took>>20)
		}
	}
	path := filepath.Join(t.TempDir(), "good.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	w.SetComment("PK\x05\x06 is no end")
	for _, name := range []string{"a.txt", "b.txt"} {
		e, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(e, "text")
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	z, err := OpenZip(path, Limits{Entries: 2})
	if err != nil || len(z.File) != 2 {
		t.Fatalf("%v, %v", z, err)
	}
	z.Close()
	if _, err := OpenZip(path, Limits{Entries: 1}); over(err) != "limits.entries" {
		t.Error(err)
	}
}

func TestDepth(t *testing.T) {
	deep := strings.Repeat("[", 600) + strings.Repeat("]", 600)
	if err := CheckDepth([]byte(deep), Limits{}); over(err) != "limits.depth" {
		t.Error(err)
	}
	if err := CheckDepth([]byte(`{"a":"`+strings.Repeat("[", 600)+`\"["}`), Limits{}); err != nil {
		t.Error("brackets in a text:", err)
	}
	var nested strings.Builder
	for i := range 600 {
		nested.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	for name, text := range map[string]string{"indents": nested.String(), "lists": strings.Repeat("- ", 600) + "a", "brackets": "a: " + deep,
		"a mark within a word": "[a \"" + deep + "\"", "a mark that does not end": "- '" + deep, "behind a quoted text": `a: ["\\", '` + "'," + deep, "an escaped mark": `a: ["\"` + `", ` + deep} {
		if err := CheckYAML([]byte(text), Limits{}); over(err) != "limits.depth" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{strings.Repeat("- a:\n    b: [1, {c: 2}]\n", 1000), "a: \"" + deep + "\"\nb: ['" + deep + "', \"\\\"" + deep + "\"]\n- \"" + deep + "\""} {
		if err := CheckYAML([]byte(text), Limits{}); err != nil {
			t.Errorf("%.40s: %v", text, err)
		}
	}
}

func TestTags(t *testing.T) {
	l := Limits{Attributes: 100}
	flood := strings.Repeat("a=b ", 150)
	for text, want := range map[string]string{
		"<p " + flood + ">":                                "limits.attributes",
		"<p " + strings.Repeat("a ", 101) + ">":            "limits.attributes",
		"<p " + strings.Repeat("a ", 100) + ">":            "",
		"<p/" + strings.Repeat("a/", 101) + ">":            "limits.attributes",
		"<p " + strings.Repeat(`a="b c=d e"`, 101) + ">":   "limits.attributes",
		"<p " + strings.Repeat(`a="b c=d e"`, 100) + ">":   "",
		"<p " + strings.Repeat("a = 'b c' ", 101) + ">":    "limits.attributes",
		"<p " + strings.Repeat("a = 'b c' ", 100) + ">":    "",
		"<p a='" + strings.Repeat("a b ", 100) + "'>":      "",
		`<p x=">" ` + flood + ">":                          "limits.attributes",
		"<!-- it's --><p " + flood + ">":                   "limits.attributes",
		"<SCRIPT>x</SCRIPT><p " + flood + ">":              "limits.attributes",
		strings.Repeat("<p class='a'>", 150):               "",
		"1 < 2 " + flood:                                   "",
		"<p " + strings.Repeat(" ", 1000) + "a=b>":         "",
		"<script>if (a<b) {} '=>'; " + flood + "</script>": "",
		"<!-- <p> --> " + flood + "<!-- <p class='a'> -->": "",
		"<![CDATA[x]]><p " + flood + ">":                   "limits.attributes",
		"<?xml a='?><p " + flood + ">":                     "limits.attributes",
		"<!DOCTYPE a [<!ENTITY b 'c'>]><p " + flood + ">":  "limits.attributes",
		// What looks as if it went on, for those who read it otherwise than its parser.
		"<?x > <!-- ?><p " + flood + ">":                   "limits.attributes",
		`<!DOCTYPE a "<!--"><p ` + flood + ">":             "limits.attributes",
		"<!--><p " + flood + ">":                           "limits.attributes",
		"<!-- --!><p " + flood + ">":                       "limits.attributes",
		"<title><!--</title><p " + flood + ">":             "limits.attributes",
		"<script></scripts a=\"</script><p " + flood + ">": "limits.attributes",
		"<p \" " + flood + ">":                             "limits.attributes",
		"<p a<b " + flood + ">":                            "limits.attributes",
		"<p " + strings.Repeat("a<b ", 150) + ">":          "limits.attributes",
		"<_ " + flood + ">":                                "limits.attributes",
		"<:a " + flood + ">":                               "limits.attributes",
		"<é " + flood + ">":                                "limits.attributes",
	} {
		if got := over(CheckTags(text, l)); got != want {
			t.Errorf("%.40q: %q, want %q", text, got, want)
		}
		_, err := io.Copy(io.Discard, &Tags{From: iotest.OneByteReader(strings.NewReader(text)), Limits: l})
		if got := over(err); got != want {
			t.Errorf("%.40q, read: %q, want %q", text, got, want)
		}
	}
}

func TestLimits(t *testing.T) {
	if (Limits{}).WithDefaults() != Defaults() || Defaults().Changed() != (Limits{}) {
		t.Error("a limit has no default, or none that is recognised")
	}
	if key, _ := Defaults().Wrong(); key != "" {
		t.Error(key)
	}
	if key, _ := (Limits{Ratio: 1, Bytes: -1}).Wrong(); key != "bytes" {
		t.Error(key)
	}
	b := Budget{Most: 10}
	if b.Hold(8) != nil || over(b.Hold(3)) != "limits.memory" {
		t.Error("a budget")
	}
}

// Object gives what the standard library gives, of any bytes.
func FuzzObject(f *testing.F) {
	for _, s := range []string{`{"a":1,"b":{"c":[1,"}"]},"a":"\"x"}`, ` {"\u0061" : null } `, "null", "[1]", `{"a":}`, "", `{"a":1}x`, `{}`, "{\"\\\\\":\"\\\\\"}", "{\"\xfd\":0}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var want map[string]json.RawMessage
		failed := json.Unmarshal(raw, &want)
		got := map[string]json.RawMessage{}
		err := Object(raw, Limits{Depth: 9000}, func(name string, value json.RawMessage) { got[name] = value })
		if (err != nil) != (failed != nil) {
			t.Fatalf("%q: %v, want %v", raw, err, failed)
		}
		if err != nil {
			return
		}
		for name, value := range want {
			if !bytes.Equal(bytes.TrimSpace(value), bytes.TrimSpace(got[name])) {
				t.Fatalf("%q: %q is %q, want %q", raw, name, got[name], value)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %v, want %v", raw, got, want)
		}
	})
}
