package group_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label/group"
)

// Two entries of a list that say nearly the same are one group, and so is what a source
// has of either.
func Example() {
	g := group.NewGrouper(nil, "")
	defer g.Close()
	for _, q := range []commonplace.Quote{
		{ID: "1", Text: "Neither a borrower nor a lender be"},
		{ID: "2", Text: "Neither a borrower, nor a lender be!"},
		{ID: "3", Text: "Give thy thoughts no tongue"},
	} {
		if err := g.Quote(q); err != nil {
			log.Fatal(err)
		}
	}
	doc := commonplace.Document{ID: "hamlet", Text: "Give thy thoughts no tongue. Neither a borrower nor a lender be."}
	found := []commonplace.Alignment{
		{ID: "a", QuoteID: "1", SourceID: "hamlet", SourceBegin: 29, SourceEnd: 63},
		{ID: "b", QuoteID: "2", SourceID: "hamlet", SourceBegin: 29, SourceEnd: 63},
		{ID: "c", QuoteID: "3", SourceID: "hamlet", SourceBegin: 0, SourceEnd: 27},
	}
	for _, r := range group.Regions(doc, found) {
		if err := g.Region(r); err != nil {
			log.Fatal(err)
		}
	}
	groups, err := g.Group(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	defer groups.Close()
	for _, a := range found {
		row, err := groups.Of(a)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(a.QuoteID, row.Group)
	}
	// Output:
	// 1 neither a borrower nor a lender be
	// 2 neither a borrower nor a lender be
	// 3 give thy thoughts no tongue
}
