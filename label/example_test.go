package label_test

import (
	"fmt"
	"log"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
)

// A document, its passages, and what quotes it. The packages segment and align make
// these rows; here they are written out.
var (
	doc = commonplace.Document{ID: "hamlet", Text: "Give thy thoughts no tongue.\nNeither a borrower nor a lender be."}

	passages = []commonplace.Passage{
		{ID: "hamlet:000000", DocID: "hamlet", Index: 0, Begin: 0, End: 28, Text: "Give thy thoughts no tongue."},
		{ID: "hamlet:000001", DocID: "hamlet", Index: 1, Begin: 29, End: 64, Text: "Neither a borrower nor a lender be."},
	}

	alignments = []commonplace.Alignment{
		{ID: "1", QuoteID: "debts", SourceID: "hamlet", SourceBegin: 29, SourceEnd: 63, SourceText: "Neither a borrower nor a lender be", Similarity: 1},
		{ID: "2", DerivedID: "essay", DerivedBegin: 10, DerivedEnd: 20, SourceID: "hamlet", SourceBegin: 39, SourceEnd: 47, SourceText: "borrower", Similarity: 1},
		{ID: "3", QuoteID: "beyond", SourceID: "hamlet", SourceBegin: 60, SourceEnd: 99, Similarity: 1},
	}
)

func Example() {
	examples, rejects := label.Triples(doc, passages, alignments, label.Options{})
	for _, e := range examples {
		fmt.Printf("%s: %q in %s\n", e.QuoteID, e.Quote, e.PassageID)
		fmt.Printf("  context %q, split %s\n", e.Context, e.Split)
	}
	for _, r := range rejects {
		fmt.Printf("alignment %s: %s, %s\n", r.ID, r.Reason, r.Detail)
	}
	// Output:
	// debts: "Neither a borrower nor a lender be" in hamlet:000001
	//   context "Give thy thoughts no tongue. .", split train
	// essay:10-20: "borrower" in hamlet:000001
	//   context "Give thy thoughts no tongue.\nNeither a nor a lender be.", split train
	// alignment 3: span outside the text, [60:99] in a text of 64
}

func ExampleCounts() {
	quotations := label.Quotations(doc.ID, alignments, nil)
	for _, c := range label.Counts(passages, quotations, label.OverlapAny) {
		fmt.Printf("%s is quoted %d times\n", c.PassageID, c.Count)
	}
	// Output:
	// hamlet:000000 is quoted 0 times
	// hamlet:000001 is quoted 3 times
}

// A split depends on the group's name and the seed alone: another book moves no example.
func ExampleSplit_Of() {
	var s label.Split // 0.8, 0.1, 0.1
	for _, group := range []string{"to be or not to be", "frailty thy name is woman", "the rest is silence"} {
		fmt.Println(s.Of(group), group)
	}
	// Output:
	// train to be or not to be
	// validation frailty thy name is woman
	// train the rest is silence
}

// Without Units, a conversation may break off between any two words.
func ExampleQuotationList_Replies() {
	talk := commonplace.Conversation{ID: "c1", Turns: []string{"May I borrow your umbrella?", "You never bring it back."}, Quotation: "Neither a borrower nor a lender be"}
	list := label.NewQuotationList([]commonplace.Conversation{talk})
	replies, reject := list.Replies(talk, label.ConversationOptions{Target: 4, Added: 1})
	if reject != nil {
		log.Fatal(reject.Reason)
	}
	for _, r := range replies {
		fmt.Printf("%s %q\n", r.Label, r.Target)
	}
	// Output:
	// <quo> "Neither a borrower nor a lender be"
	// <gen> "I borrow your umbrella?"
}
