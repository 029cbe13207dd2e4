package terms_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label/terms"
)

// Words that are quoted often weigh more than words that are not.
func Example() {
	l := terms.NewLanguage(1, 1, "")
	defer l.Close()
	for text, quotations := range map[string]int64{"love conquers": 20, "rain falls": 0} {
		var words []terms.QuotedWord
		for _, w := range strings.Fields(text) {
			words = append(words, terms.QuotedWord{Word: w, Quotations: quotations})
		}
		if err := l.Add(0, words); err != nil {
			log.Fatal(err)
		}
	}
	err := l.NGrams(func(n commonplace.NGram) error {
		if n.Fold < 0 {
			fmt.Printf("%s %.2f\n", n.Term, n.Weight)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// conquers 0.17
	// falls -0.20
	// love 0.17
	// love conquers 0.10
	// rain -0.20
	// rain falls -0.14
}
