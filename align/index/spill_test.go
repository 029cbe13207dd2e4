package index

import (
	"bufio"
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/ngrams"
)

// A part that was built through a temporary file has the bytes of one that was built in
// memory, also where buckets are full. Nothing is left of the file.
func TestSpill(t *testing.T) {
	build := func(dir string, add func(*Builder)) []byte {
		t.Helper()
		var seeds Builder
		if dir != "" {
			var err error
			if seeds.spill, err = newSpill(dir); err != nil {
				t.Fatal(err)
			}
			defer seeds.spill.close()
		}
		add(&seeds)
		x, err := seeds.Build(1 << 24)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		out := &counter{w: bufio.NewWriter(&b)}
		out.tables(0, nil, x, seeds.spill)
		if seeds.spill != nil && (seeds.spill.err != nil || seeds.spill.size == 0) {
			t.Errorf("%d bytes, %v", seeds.spill.size, seeds.spill.err)
		}
		return b.Bytes()
	}
	many := func(seeds *Builder) {
		hash := uint64(1)
		for i := range uint32(700_000) { // 1,367 in each partition
			hash = hash*6364136223846793005 + 1442695040888963407
			seeds.Add(hash, i)
			if i%7 == 0 {
				seeds.Add(1<<60, i) // one full bucket
			}
		}
	}
	dir := t.TempDir()
	if !bytes.Equal(build("", many), build(dir, many)) {
		t.Error("other bytes than in memory")
	}
	if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
		t.Errorf("%v, %v", left, err)
	}
}

// A part of documents is the same either way, and a folder that is not there is an error.
func TestBuildThroughAFile(t *testing.T) {
	docs := []commonplace.Document{{ID: "a", Text: strings.Repeat("The ship came in at noon, and nobody said a word. ", 40)}, {ID: "b", Text: "A short one."}}
	counts := ngrams.New()
	for _, d := range docs {
		counts.Count(&d)
	}
	var parts [2]bytes.Buffer
	for i, dir := range []string{"", t.TempDir()} {
		if _, err := Build(dir, &parts[i], slices.Values(docs), counts); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(parts[0].Bytes(), parts[1].Bytes()) {
		t.Error("other bytes than in memory")
	}
	if _, err := Build("no such folder", &parts[0], slices.Values(docs), counts); err == nil {
		t.Error("no error")
	}
}
