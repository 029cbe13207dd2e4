package config

import "github.com/commonplace/commonplace/crawl/files"

// KindFiles is the kind of a source that says of none.
const KindFiles = "files"

var filesKind = Kind{
	Name:    KindFiles,
	Short:   "folders, files and globs",
	Reads:   "`.txt`, `.xml` (TEI) and `.html`, each also `.gz`; `.zip`, `.tar`, `.tar.gz` and `.tar.zip` of texts; `.jsonl` (`.json` too, if each line is a record) and `.parquet` with `id` (or `doc_id`) and `text`, and where present `title`, `author`, `genre`, `date`, `language`, `rights`, `url`; `metadata` names JSONL files that give the same for documents by their ids",
	Decides: "in a folder, texts, archives and markup are read. So are the JSON lines that Spark, and so passim, writes to one (`part-00000*.json.gz`). Other lists and tables are read only when named or matched by a glob, because a list in a folder may describe texts without containing any",
	Help: []string{
		"folders, files and globs of .txt, .xml (TEI), .html, each",
		"also .gz, .zip and .tar; .jsonl and .parquet when named",
	},
	Columns:   files.MetadataFields,
	Metadata:  true,
	FromFiles: true,
}
