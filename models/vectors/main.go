// Command vectors computes the features of passages for training, with the code
// that scores them later, so that a model sees the same numbers in both places.
//
//	go run ./models/vectors -to FOLDER [-least 5] [-lemmas | -foreign [-forms FILE]] < passages.jsonl
//
// Each line is a passage: text, position and places, as in the table passages.
// FOLDER gets, in NumPy's format and in the order of the lines, features.npy
// (float32, lines by features), and the bags of terms as a matrix of compressed
// rows: begins.npy (int64, one more than lines), terms.npy and times.npy (int32).
// Terms are those that at least -least passages have, by their alphabet, from 1;
// terms.txt lists them as a model folder does, names.json the features, which of
// them serve texts of any language, and with -lemmas, where words are lemmas, the number of their rules.
// With -foreign the passages are in another language than English, and no term is of parts of speech. With
// -forms their words are lemmas: FILE has a form and its lemma in each line.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/infer/features"
)

func main() {
	log.SetFlags(0)
	to := flag.String("to", "", "folder to write to")
	least := flag.Int("least", 5, "passages that a term must be in")
	lemmas := flag.Bool("lemmas", false, "take the lemmas of English words")
	foreign := flag.Bool("foreign", false, "the passages are in another language than English")
	formsFile := flag.String("forms", "", "file of forms and their lemmas, of that language")
	flag.Parse()
	if *to == "" || *foreign && *lemmas || !*foreign && *formsFile != "" || flag.NArg() > 0 {
		log.Fatal("usage: vectors -to FOLDER [-least N] [-lemmas | -foreign [-forms FILE]] < passages.jsonl")
	}
	vocabulary := features.NewVocabulary(!*foreign)
	vocabulary.Lemmas = *lemmas
	if *formsFile != "" {
		text, err := bounded.ReadFile(*formsFile, bounded.Limits{Settings: 1 << 30}) // the list of Finnish has 85 MB
		if err == nil {
			vocabulary.Forms, err = features.ParseForms(string(text))
		}
		if err != nil {
			log.Fatal("vectors: ", err)
		}
	}
	if err := run(os.Stdin, *to, *least, vocabulary); err != nil {
		log.Fatal("vectors: ", err)
	}
}

// times is how often a passage has a term.
type times struct{ term, n int32 }

// run counts the features and terms of passages; the vocabulary is a new one.
func run(in io.Reader, to string, least int, vocabulary *features.Vocabulary) error {
	reader, err := features.NewReader(features.Names)
	if err != nil {
		return err
	}
	bag := features.NewBag(vocabulary)
	vector := make([]float32, features.Count)
	var (
		matrix []float32
		rows   [][]times
		many   = []int{0} // passages that a term is in
	)
	lines := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	for lines.More() {
		var p commonplace.Passage
		if err := lines.Decode(&p); err != nil {
			return fmt.Errorf("passage %d: %w", len(rows)+1, err)
		}
		if err := bag.Read(reader, &p, vector); err != nil {
			return fmt.Errorf("passage %d: %w", len(rows)+1, err)
		}
		matrix = append(matrix, vector...)
		many = append(many, make([]int, vocabulary.Len()+1-len(many))...)
		var row []times
		for _, id := range bag.Terms() {
			many[id]++
			row = append(row, times{id, int32(bag.Times(id))})
		}
		rows = append(rows, row)
	}
	terms, number := kept(vocabulary, many, least)
	var begins []int64
	var ids, counts []int32
	for _, row := range rows {
		begins = append(begins, int64(len(ids)))
		for _, t := range row {
			if n := number[t.term]; n > 0 {
				ids, counts = append(ids, n), append(counts, t.n)
			}
		}
	}
	begins = append(begins, int64(len(ids)))
	said := map[string]any{"version": features.Version, "names": features.Names, "any_language": features.AnyLanguage()}
	if vocabulary.Lemmas {
		said["lemmas"] = features.Lemmas
	}
	names, err := json.Marshal(said)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, write := range []func() error{
		func() error { return array(to, "features.npy", "<f4", matrix, len(rows), features.Count) },
		func() error { return array(to, "begins.npy", "<i8", begins, len(begins)) },
		func() error { return array(to, "terms.npy", "<i4", ids, len(ids)) },
		func() error { return array(to, "times.npy", "<i4", counts, len(counts)) },
		func() error { return os.WriteFile(filepath.Join(to, "names.json"), names, 0o644) },
		func() error {
			return os.WriteFile(filepath.Join(to, "terms.txt"), []byte(strings.Join(terms, "\n")+"\n"), 0o644)
		},
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// kept are the terms that are frequent enough, by their alphabet, and the new
// number of each old one, 0 for those that are not.
func kept(v *features.Vocabulary, many []int, least int) (terms []string, number []int32) {
	number = make([]int32, len(many))
	var ids []int32
	for id := int32(1); int(id) < len(many); id++ {
		if many[id] >= least {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b int32) int { return strings.Compare(v.Term(a), v.Term(b)) })
	for i, id := range ids {
		number[id] = int32(i + 1)
		terms = append(terms, v.Term(id))
	}
	return terms, number
}

// array writes values in NumPy's format, version 1.0, row by row.
func array[T any](to, name, kind string, values []T, shape ...int) error {
	f, err := os.Create(filepath.Join(to, name))
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	var dimensions strings.Builder
	for _, n := range shape {
		fmt.Fprintf(&dimensions, "%d,", n)
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, dimensions.String())
	header += strings.Repeat(" ", 63-(len(header)+10)%64) + "\n"
	fmt.Fprintf(w, "\x93NUMPY\x01\x00%s%s", binary.LittleEndian.AppendUint16(nil, uint16(len(header))), header)
	if err := binary.Write(w, binary.LittleEndian, values); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
