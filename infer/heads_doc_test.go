package infer

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the heads into docs/model-format.md")

// TestHeadsDocs holds the table of docs/model-format.md to the heads:
// `go test ./infer -run HeadsDocs -update` writes it.
func TestHeadsDocs(t *testing.T) {
	const page, top = "../docs/model-format.md", "| head | input | graph's output | what comes out | part of model.yaml |\n|---|---|---|---|---|\n"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, after, found := strings.Cut(string(data), top)
	if !found {
		t.Fatalf("%s has no table of heads", page)
	}
	old, rest, _ := strings.Cut(after, "\n\n")
	var rows []string
	for _, h := range heads {
		row := fmt.Sprintf("| `%s` | %s | %s | %s | %s |", h.name, h.doc.input, h.doc.output, h.doc.result, h.doc.parts)
		rows = append(rows, strings.ReplaceAll(row, "|  |", "| |"))
	}
	want := strings.Join(rows, "\n")
	if old == want {
		return
	}
	if !*update {
		t.Fatalf("%s does not say what the heads say: go test ./infer -run HeadsDocs -update", page)
	}
	if err := os.WriteFile(page, []byte(before+top+want+"\n\n"+rest), 0o644); err != nil {
		t.Fatal(err)
	}
}
