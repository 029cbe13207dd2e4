package export

import (
	"fmt"

	"github.com/commonplace/commonplace/table"
)

// writeCoNLL writes one row as CoNLL columns in IOB2: a word, a tab, and O,
// B-QUOTE or I-QUOTE a line, and a blank line after the last. Words have no
// white space in them, so nothing needs escaping. The n-th block of a split is
// the n-th row of its Parquet files whose text was not left out.
func writeCoNLL(to *file, row table.ExportedRow) error {
	tokens, tags := row.Words()
	if len(tokens) != len(tags) {
		return fmt.Errorf("table examples: a row has %d tokens and %d tags", len(tokens), len(tags))
	}
	for i, tag := range tags {
		to.WriteString(tokens[i])
		to.WriteByte('\t')
		to.WriteString(tag)
		to.WriteByte('\n')
	}
	return to.WriteByte('\n')
}
