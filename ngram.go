package commonplace

// NGram is a word, or a pair of neighbouring words, in what is quoted and in all
// of the text: an entry of the language models whose ratio says how much a text
// reads like what is quoted (content-based models of quotation, Appendix E.2).
// It is a row of the table language; terms.Language says how it is made.
type NGram struct {
	Term       string  `parquet:"term" json:"term" doc:"a word with A to Z in lower case, or two with a space between them"`
	Fold       int64   `parquet:"fold" json:"fold" doc:"the fold (counted.fold) whose counts are left out; use these rows for passages of that fold. -1: no fold is left out; use these rows for new texts"`
	Passages   int64   `parquet:"passages" json:"passages" doc:"passages that have the term, of all folds"`
	Background int64   `parquet:"background" json:"background" doc:"how often it occurs in passages of all folds except this one"`
	Quotable   float64 `parquet:"quotable" json:"quotable" doc:"the same, but each occurrence counts log2(1 + number of its quotations). A pair has as many quotations as its less quoted word"`
	Weight     float64 `parquet:"weight" json:"weight" doc:"natural logarithm of quoted frequency divided by expected frequency. The expected frequency of a word follows from its background, that of a pair from the weights of its words. To score a text, add the weights of its terms, repeats included, and divide by the number of its words in this table"`
}
