package segment_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/commonplace/commonplace/segment"
)

const alice = `CHAPTER I. Down the Rabbit-Hole

Alice was beginning to get very tired of sitting by her sister. "And what is the
use of a book," thought Alice "without pictures?"

CHAPTER II. The Pool of Tears

"Curiouser and curiouser!" cried Alice.
`

func Example() {
	passages, err := segment.Text("alice", alice, "sentences")
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range passages {
		fmt.Printf("%s %3d-%3d %2d words %q\n", p.ID, p.Begin, p.End, p.Words, p.Text)
	}
	// Output:
	// alice:000000   0- 10  2 words "CHAPTER I."
	// alice:000001  11- 31  3 words "Down the Rabbit-Hole"
	// alice:000002  33- 96 12 words "Alice was beginning to get very tired of sitting by her sister."
	// alice:000003  97-163 12 words "\"And what is the\nuse of a book,\" thought Alice \"without pictures?\""
	// alice:000004 165-176  2 words "CHAPTER II."
	// alice:000005 177-194  4 words "The Pool of Tears"
	// alice:000006 196-235  5 words "\"Curiouser and curiouser!\" cried Alice."
}

// Every passage knows the units of the text in which it begins.
func ExampleText_places() {
	passages, err := segment.Text("alice", alice, "sentences")
	if err != nil {
		log.Fatal(err)
	}
	for _, place := range passages[len(passages)-1].Places {
		fmt.Println(strings.TrimSpace(fmt.Sprintf("%s %d of %d %s", place.Kind, place.Index+1, place.Count, place.Title)))
	}
	// Output:
	// document 1 of 1
	// chapter 2 of 2 CHAPTER II. The Pool of Tears
	// paragraph 4 of 4
}

func ExampleBySentences() {
	text := "Mr. Bennet replied that he had not. \"But it is,\" returned she."
	for p := range segment.BySentences(text) {
		fmt.Println(text[p.Begin:p.End])
	}
	// Output:
	// Mr. Bennet replied that he had not.
	// "But it is," returned she.
}

func ExampleParse() {
	_, err := segment.Parse("sentence")
	fmt.Println(err)
	// Output:
	// segment: there is no segmenter "sentence"; did you mean sentences? There are words:200, prose:200, paragraphs, sentences, sentences:relic, lines, verses, verse-lines, chunks:1200/100
}
