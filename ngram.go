package commonplace

// NGram is a word, or a pair of neighbouring words, in what is quoted and in all
// of the text: an entry of the language models whose ratio says how much a text
// reads like what is quoted (content-based models of quotation, Appendix E.2).
// It is a row of the table language; terms.Language says how it is made.
type NGram struct {
	Term       string  `parquet:"term" json:"term" doc:"a word with A to Z in lower case, or two with a space between them"`
	Fold       int64   `parquet:"fold" json:"fold" doc:"counted.fold that was left out, for the passages of that fold; -1: none was, for texts that no fold has"`
	Passages   int64   `parquet:"passages" json:"passages" doc:"passages that have the term, of all folds"`
	Background int64   `parquet:"background" json:"background" doc:"how often it stands in passages, the fold left out"`
	Quotable   float64 `parquet:"quotable" json:"quotable" doc:"the same, each time weighing log2(1 + quotations of it); a pair is quoted as often as the less quoted of its words"`
	Weight     float64 `parquet:"weight" json:"weight" doc:"ln of quoted over expected frequency. A word's expectation comes from its background, a pair's from the weights of its words. A text's ratio is the sum of its terms' weights, repeats included, divided by the number of its words that the table has"`
}
