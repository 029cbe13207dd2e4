package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer/features"
)

// Training gets the counts that scoring gets with the same list of terms, of words and of lemmas.
func TestTrainingAndScoringCountTheSameTerms(t *testing.T) {
	texts := []string{
		"And he spake unto them: Whosoever loveth his houses hath not seen the greatest.",
		"They don’t speak; she loves her house, and was speaking of great men!",
		"Thou knowest that no man speaketh so. He loved it.",
	}
	for name, set := range map[string]func(*features.Vocabulary){
		"words":  func(*features.Vocabulary) {},
		"lemmas": func(v *features.Vocabulary) { v.Lemmas = true },
		"forms": func(v *features.Vocabulary) { // so many that texts share three terms without parts of speech
			v.Forms = features.Forms{"spake": "speak", "speaking": "speak", "speaketh": "speak", "whosoever": "that", "loveth": "love", "loved": "love", "loves": "love", "knowest": "that", "thou": "he", "she": "he"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			to := t.TempDir()
			var in strings.Builder
			for _, text := range texts {
				line, _ := json.Marshal(commonplace.Passage{Text: text})
				in.Write(append(line, '\n'))
			}
			learnt := features.NewVocabulary(name != "forms")
			set(learnt)
			if err := run(strings.NewReader(in.String()), to, 2, learnt); err != nil {
				t.Fatal(err)
			}
			list, err := os.ReadFile(filepath.Join(to, "terms.txt"))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(string(list), "PRON "); got != (name != "forms") { // another language has no parts of speech
				t.Errorf("parts of speech are there: %v, in %q", got, list)
			}
			if got := strings.Contains(string(list), "\nspeak\n"); got != (name != "words") {
				t.Errorf("speak is there: %v, in %q", got, list)
			}
			said, err := os.ReadFile(filepath.Join(to, "names.json"))
			if got := strings.Contains(string(said), fmt.Sprintf(`"lemmas":%d`, features.Lemmas)); err != nil || got != (name == "lemmas") {
				t.Errorf("names.json is %s (%v)", said, err)
			}
			v, err := features.ParseVocabulary(string(list))
			if err != nil {
				t.Fatal(err)
			}
			set(v)
			bag, vector := features.NewBag(v), make([]float32, features.Count)
			reader, err := features.NewReader(features.Names)
			if err != nil {
				t.Fatal(err)
			}
			begins, terms, counts := integers[int64](t, to, "begins"), integers[int32](t, to, "terms"), integers[int32](t, to, "times")
			for i, text := range texts {
				if err := bag.Read(reader, &commonplace.Passage{Text: text}, vector); err != nil {
					t.Fatal(err)
				}
				if int(begins[i+1]-begins[i]) != len(bag.Terms()) || len(bag.Terms()) < 3 {
					t.Errorf("%q has %d terms in training and %d in scoring", text, begins[i+1]-begins[i], len(bag.Terms()))
				}
				for k := begins[i]; k < begins[i+1]; k++ {
					if got := bag.Times(terms[k]); got != int(counts[k]) {
						t.Errorf("%q has %q %d times in training, %d in scoring", text, v.Term(terms[k]), counts[k], got)
					}
				}
			}
		})
	}
}

// integers reads an array in NumPy's format, of one dimension.
func integers[T int32 | int64](t *testing.T, folder, name string) []T {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, name+".npy"))
	if err != nil {
		t.Fatal(err)
	}
	data = data[10+binary.LittleEndian.Uint16(data[8:]):]
	values := make([]T, len(data)/binary.Size(T(0)))
	if _, err := binary.Decode(data, binary.LittleEndian, values); err != nil {
		t.Fatal(err)
	}
	return values
}
