package align_test

import (
	"fmt"
	"log"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/align/edit"
)

const address = `Four score and seven years ago our fathers brought forth, upon this continent, a new
nation, conceived in liberty, and dedicated to the proposition that all men are created
equal. Now we are engaged in a great civil war, testing whether that nation, or any nation
so conceived and so dedicated, can long endure.`

func Example() {
	a := align.New(align.Options{})
	a.Add("gettysburg", address)

	rows, err := a.Find("essay", "He spoke of a new nation, concieved in liberty and dedicated to the proposition that all men are equal, and sat down.")
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Printf("%s %d-%d quotes %s %d-%d, similarity %.2f\n", r.DerivedID, r.DerivedBegin, r.DerivedEnd, r.SourceID, r.SourceBegin, r.SourceEnd, r.Similarity)
		fmt.Printf("%q\n", r.SourceText)
	}
	// Output:
	// essay 12-96 quotes gettysburg 79-164, similarity 0.99
	// "a new\nnation, conceived in liberty, and dedicated to the proposition that all men are"
}

func ExampleAligner_FindQuotes() {
	a := align.New(align.Options{})
	a.Add("gettysburg", address)

	rows, err := a.FindQuotes(
		commonplace.Quote{ID: "war", Text: "Now we are engaged in a great civil war"},
		commonplace.Quote{ID: "equal", Text: "All men … are created equal"},
		commonplace.Quote{ID: "elsewhere", Text: "Ask not what your country can do for you"},
	)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Printf("%s: %s %d-%d, %s\n", r.QuoteID, r.SourceID, r.SourceBegin, r.SourceEnd, r.Kind)
	}
	// Output:
	// equal: gettysburg 153-178, exact
	// war: gettysburg 180-219, exact
}

func ExampleAligner_FindMarked() {
	a := align.New(align.Options{})
	a.Add("gettysburg", address)

	rows, err := a.FindMarked("essay", "Could it “long endure”? We were told of “a great civil war” then.")
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Printf("%q, confidence %.2f\n", r.SourceText, r.Confidence)
	}
	// Output:
	// "a great civil war", confidence 0.97
}

func ExampleScript() {
	for _, e := range align.Script("concieved in liberty", "conceived in all liberty") {
		fmt.Printf("%q stands where the source has %q\n", e.DerivedText, e.SourceText)
	}
	// Output:
	// "ie" stands where the source has "ei"
	// "" stands where the source has "all"
}

func ExampleSimilarity() {
	fmt.Printf("%.2f\n", edit.Similarity("All men are created equal!", "all men are equal"))
	// Output:
	// 0.80
}
