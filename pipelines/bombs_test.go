package pipelines

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// A bomb is a small file that holds very much. Each stands for a way to make a
// parser keep what it reads: a million lines that are no documents, documents of
// one id, an answer of a gigabyte.
var bombs = []struct {
	name, stage string
	config      string
	file        string
	write       func(w io.Writer)
	rejected    int64
	reason      string // of the row that counts the others, or of the only one
}{
	{"broken lines", "crawl", "sources: [{name: a, files: [bomb.jsonl.gz]}]", "bomb.jsonl.gz",
		repeated("1\n", 600_000), 600_000, "broken line"},
	{"lines without an id", "crawl", "sources: [{name: a, files: [bomb.jsonl.gz]}]", "bomb.jsonl.gz",
		repeated("{}\n", 600_000), 600_000, "no id"},
	{"lines of one id", "crawl", "sources: [{name: a, files: [bomb.jsonl.gz]}]", "bomb.jsonl.gz",
		repeated(`{"id":"a","text":"b"}`+"\n", 300_000), 299_999, "duplicate id"},
	{"a line of brackets", "crawl", "sources: [{name: a, files: [bomb.jsonl.gz]}]", "bomb.jsonl.gz",
		repeated("[", 4<<20), 1, "over the limit"},
	{"an answer of 400 MB", "crawl", "sources: [{name: a, kind: warc, files: [bomb.warc.gz]}]", "bomb.warc.gz",
		answer(400 << 20), 1, "over the limit"},
	{"an answer of 200 MB that is packed once more", "crawl", "sources: [{name: a, kind: warc, files: [bomb.warc.gz]}]", "bomb.warc.gz",
		packedAnswer(200 << 20), 1, "broken answer"},
	{"broken quotations", "quotes", "sources: [{name: a, files: [mirror]}]\nquotes: [{name: q, path: bomb.jsonl.gz}]", "bomb.jsonl.gz",
		repeated("1\n", 1_000_000), 1_000_000, "broken line"},
	{"quotations of one id", "quotes", "sources: [{name: a, files: [mirror]}]\nquotes: [{name: q, path: bomb.csv.gz}]", "bomb.csv.gz",
		func(w io.Writer) {
			io.WriteString(w, "quote_id,text\n")
			repeated("a,b\n", 500_000)(w)
		}, 499_999, "duplicate id"},
	{"conversations without an id", "conversations", "conversations: [{name: c, path: bomb.jsonl.gz}]", "bomb.jsonl.gz",
		repeated("{}\n", 300_000), 300_000, "no id"},
	{"a catalogue of broken rows", "crawl", "sources: [{name: a, kind: gutenberg, files: [mirror], gutenberg: {catalog: bomb.csv.gz}}]", "bomb.csv.gz",
		func(w io.Writer) {
			io.WriteString(w, "Text#,Type,Issued,Title,Language,Authors,Subjects,LoCC,Bookshelves\n1,Text,,Title,en,,,,\n")
			repeated("x,,,,,,,,\n", 400_000)(w)
		}, 400_000, "bad id"},
}

// tables of the stages that read bombs, and what they count.
var bombed = map[string]struct{ table, unit, command string }{
	"crawl": {"documents", "inputs", "crawl"}, "quotes": {"quotes", "quotes", "quotes"}, "conversations": {"conversations", "conversations", "label"},
}

func repeated(s string, n int) func(io.Writer) {
	return func(w io.Writer) {
		block := []byte(strings.Repeat(s, 1000))
		for ; n >= 1000; n -= 1000 {
			w.Write(block)
		}
		w.Write(block[:n*len(s)])
	}
}

// answer is a WARC record of an HTTP response with so long a body.
func answer(n int) func(io.Writer) {
	return func(w io.Writer) { record(w, "Content-Type: text/plain\r\n", n, repeated("a", n)) }
}

func packedAnswer(n int) func(io.Writer) {
	var b bytes.Buffer
	return func(w io.Writer) {
		z := gzip.NewWriter(&b)
		repeated("a", n)(z)
		z.Close()
		record(w, "Content-Type: text/plain\r\nContent-Encoding: gzip\r\n", b.Len(), func(w io.Writer) { w.Write(b.Bytes()) })
	}
}

func record(w io.Writer, header string, n int, body func(io.Writer)) {
	header = "HTTP/1.1 200 OK\r\n" + header + "\r\n"
	fmt.Fprintf(w, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:12345678-1234-1234-1234-123456789012>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"+
		"WARC-Target-URI: http://example.org/\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s", len(header)+n, header)
	body(w)
	io.WriteString(w, "\r\n\r\n")
}

// bombVariable names a config to the process that is measured.
const bombVariable = "COMMONPLACE_BOMB"

// mostBombed is what any of them may take: the test itself takes half of it.
const mostBombed = 350 << 20

// Each bomb is read in a process of its own, whose memory is measured.
func TestBombs(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("only Linux tells a process's largest memory")
	}
	if raced {
		t.Skip("the race detector takes several times the memory that is measured")
	}
	for _, b := range bombs {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel() // each is measured in a process of its own
			dir := t.TempDir()
			packed(t, filepath.Join(dir, b.file), b.write)
			mirror := filepath.Join(dir, "mirror", "0", "1")
			if err := os.MkdirAll(mirror, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(mirror, "1-0.txt"), []byte("A book of words."), 0o644); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "run.yaml")
			text := "out: tables\nshards: 2\nmax_reject_fraction: 1\nrunner: {name: goroutines}\n" + b.config + "\n"
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			child := exec.Command(os.Args[0], "-test.run=^TestBombed$", "-test.v")
			child.Env = append(os.Environ(), bombVariable+"="+path, bombVariable+"_STAGE="+bombed[b.stage].command)
			output, err := child.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %.2000s", err, output)
			}
			peak := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(output)
			if peak == nil {
				t.Fatalf("no measure: %.2000s", output)
			}
			kb, _ := strconv.ParseInt(string(peak[1]), 10, 64)
			if kb<<10 > mostBombed {
				t.Errorf("it took %d MB, more than %d", kb>>10, mostBombed>>20)
			}
			out := filepath.Join(dir, "tables")
			c, err := table.ReadCommit(t.Context(), storage.Default, out, bombed[b.stage].table)
			if err != nil {
				t.Fatal(err)
			}
			in := c.In[bombed[b.stage].unit]
			if c.Rejected != b.rejected || in != c.Counts["taken"]+c.Rejected {
				t.Errorf("%d in, %d taken, %d rejected; %d should be rejected", in, c.Counts["taken"], c.Rejected, b.rejected)
			}
			rows, reasons := int64(0), map[string]bool{}
			for _, s := range c.Rejects {
				for r, err := range table.Rejects.Rows(t.Context(), filepath.Join(table.RejectsDir(out, b.stage), s.File)) {
					if err != nil {
						t.Fatal(err)
					}
					rows++
					reasons[r.Reason] = true
				}
			}
			if !reasons[b.reason] || rows > 1001 || rows+c.Untold != c.Rejected {
				t.Errorf("%d rows and %d without one, of %v; want %q", rows, c.Untold, reasons, b.reason)
			}
		})
	}
}

func packed(t *testing.T, path string, write func(io.Writer)) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	write(z)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestBombed is the process that is measured. Its address space is bounded, so
// that a parser without limits takes this process down and not the machine.
func TestBombed(t *testing.T) {
	path := os.Getenv(bombVariable)
	if path == "" {
		t.Skip("it is a part of TestBombs")
	}
	most := syscall.Rlimit{Cur: 4 << 30, Max: 4 << 30}
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &most); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	command := os.Getenv(bombVariable + "_STAGE")
	err = Build(context.Background(), engine.Request{Config: c, Stages: []string{command}})
	if err != nil && command != "label" { // behind the conversations it reads documents, of which there are none
		t.Fatal(err)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout.Write(status)
}
