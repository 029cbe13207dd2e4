package pipelines

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
)

// tinyVariable names a config to the process that is measured.
const tinyVariable = "COMMONPLACE_TINY"

// mostOfATinyDocument is what a document may cost beside its text, so that a million
// fit a gigabyte.
const mostOfATinyDocument = 500

var tinyWords = strings.Fields("it was the best of times and worst winter sea hope death men women love heart night river tide truth")

// TestTinyDocuments builds libraries of many documents of twelve words, each in a process
// of its own, and divides by the documents what the larger one takes more.
func TestTinyDocuments(t *testing.T) {
	if !slow {
		t.Skip("takes a minute: set COMMONPLACE_SLOW=1 to run it")
	}
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("only Linux tells a process's largest memory")
	}
	const few, many = 20_000, 320_000
	small, large := memoryOf(t, few), memoryOf(t, many)
	t.Logf("%d documents take %d MB, %d take %d MB: %d bytes a document", few, small>>20, many, large>>20, (large-small)/(many-few))
	if large-small > (many-few)*mostOfATinyDocument {
		t.Errorf("%d bytes a document, more than %d", (large-small)/(many-few), mostOfATinyDocument)
	}
}

// memoryOf is the largest memory of a build of so many documents.
func memoryOf(t *testing.T, documents int) int64 {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "tiny.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	for i := range documents {
		fmt.Fprintf(w, `{"id": "d%07d", "text": "`, i)
		for k := range 12 {
			fmt.Fprintf(w, "%s ", tinyWords[(i*(2*k+1)>>k)%len(tinyWords)])
		}
		io.WriteString(w, "\"}\n")
	}
	if err := w.Flush(); err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "run.yaml")
	if err := os.WriteFile(path, []byte("out: tables\nsources: [{name: tiny, files: [tiny.jsonl]}]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	child := exec.Command(os.Args[0], "-test.run=^TestTiny$", "-test.v")
	child.Env = append(os.Environ(), tinyVariable+"="+path)
	output, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %.2000s", err, output)
	}
	peak := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(output)
	if peak == nil {
		t.Fatalf("no measure: %.2000s", output)
	}
	kb, _ := strconv.ParseInt(string(peak[1]), 10, 64)
	return kb << 10
}

// TestTiny is the process that is measured.
func TestTiny(t *testing.T) {
	path := os.Getenv(tinyVariable)
	if path == "" {
		t.Skip("it is a part of TestTinyDocuments")
	}
	c, err := config.Load(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Build(context.Background(), engine.Request{Config: c}); err != nil {
		t.Fatal(err)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout.Write(status)
}
