// Command tokenizers measures infer/tokenizer beside the reference and holds
// every text's ids and offsets to it.
//
//	python3 bench/tokenizers/peer.py TOKENIZER.json TEXTS.jsonl HASHES.txt
//	go run ./bench/tokenizers TOKENIZER.json TEXTS.jsonl HASHES.txt
package main

import (
	"bufio"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"runtime"

	"github.com/commonplace/commonplace/bench/measure"
	"github.com/commonplace/commonplace/infer/tokenizer"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("usage: tokenizers TOKENIZER.json TEXTS.jsonl HASHES.txt")
	}
	runtime.GOMAXPROCS(1)
	t, err := tokenizer.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	t = t.With(nil, nil)
	var texts []string
	size := 0
	eachLine(os.Args[2], func(line []byte) {
		var row struct{ Text string }
		if err := json.Unmarshal(line, &row); err != nil {
			log.Fatal(err)
		}
		texts = append(texts, row.Text)
		size += len(row.Text)
	})
	var hashes []string
	eachLine(os.Args[3], func(line []byte) { hashes = append(hashes, string(line)) })
	if len(hashes) != len(texts) {
		log.Fatalf("%d hashes for %d texts", len(hashes), len(texts))
	}
	// Texts are encoded once, in batches, and only that is timed: the first time a
	// word is seen counts.
	equal, ids, spent := 0, 0, 0.0
	batch := make([]tokenizer.Encoding, 1000)
	for from := 0; from < len(texts); from += len(batch) {
		part := texts[from:min(from+len(batch), len(texts))]
		begin := measure.CPU()
		for i, text := range part {
			if err := t.EncodeTo(&batch[i], text); err != nil {
				log.Fatal(err)
			}
		}
		spent += measure.CPU() - begin
		for i := range part {
			ids += batch[i].Len()
			if hash(&batch[i]) == hashes[from+i] {
				equal++
			} else if from+i-equal < 5 {
				log.Printf("text %d differs: %.120q", from+i, texts[from+i])
			}
		}
	}
	fmt.Printf("commonplace: %d of %d texts equal, %d ids, %.1f MB in %.2f CPU s = %.2f MB/s\n", equal, len(texts), ids, float64(size)/1e6, spent, float64(size)/1e6/spent)
	if equal != len(texts) {
		os.Exit(1)
	}
}

func hash(e *tokenizer.Encoding) string {
	b := make([]byte, 0, 12*e.Len())
	for _, id := range e.IDs {
		b = binary.LittleEndian.AppendUint32(b, uint32(id))
	}
	for _, s := range e.Spans {
		b = binary.LittleEndian.AppendUint32(b, uint32(s.Begin))
		b = binary.LittleEndian.AppendUint32(b, uint32(s.End))
	}
	sum := sha1.Sum(b)
	return hex.EncodeToString(sum[:])
}

func eachLine(path string, yield func([]byte)) {
	f, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		yield(lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}
