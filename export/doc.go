// Package export writes the tables of a run as a folder that people can use at
// once, without this program:
//
//	DIR/README.md        a dataset card: what is in it, whose it is, how it was checked
//	DIR/data/            Parquet for Hugging Face datasets, DuckDB and pandas
//	DIR/jsonl/ squad/ conll/ relic/   the same rows as others read them
//	DIR/plots/           what the card draws
//	DIR/statistics.json  what the card says in numbers
//	DIR/manifest.json    what the rows were made from, with which settings
//	DIR/CITATION.cff
//	DIR/SHA256SUMS       for sha256sum -c
//
// # Promises
//
//   - The same tables and options give the same bytes.
//   - The folder appears in one step when it is whole. A run that is killed
//     leaves a hidden folder beside it, which the next one takes away.
//   - A folder that is not an export, and not empty, is refused; so is a run
//     whose tables are not all finished and made from one another.
//   - Rights are an allow-list: where texts are left out, one stays only if all
//     documents and quotes that it comes from are known to allow it.
//   - Rows stream: memory follows the largest document, not the collection,
//     but for sixteen bytes a document and a listed quote where texts are left
//     out, and some twenty a quote for the leak checks.
//   - Offsets count code points into the text of the record that the column
//     names; where a text was left out they still count in the whole text.
//
// # Kinds
//
// A table becomes one configuration of the dataset, with its own columns. Its entry
// in table says whether and how ([table.Export]); those without stay in the run.
// Columns that are classes become class labels: examples.tags O, B-QUOTE, I-QUOTE;
// choices.label no, yes; replies.label <gen>, <quo>. Examples and quoted spans have
// SQuAD's answers beside their spans.
package export
