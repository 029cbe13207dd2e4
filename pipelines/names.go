package pipelines

import "github.com/commonplace/commonplace/label"

// archiveFolder lies in the run's folder beside the tables, and keeps every
// answer of every server.
const archiveFolder = "archive"

// formatQuotus is the format of Quotus's quotes file.
const formatQuotus = "quotus"

// Where counts come from.
const (
	countAlignments = "alignments"
	countFile       = "file"
	countBoth       = "both"
)

// What is kept in one fold.
const (
	foldsByWork   = "work"
	foldsByAuthor = "author"
)

// Retrievers that are no model.
const (
	retrieveAll   = "all"
	retrieveBM25  = "bm25"
	retrieveModel = "model"
)

// quoters are what by can say of a list or a file of spans.
var quoters = []string{"", label.ByReaders, label.ByEditors}

// Runners that runner.name takes, beside Beam's own direct.
const (
	embeddedRunner = "embedded"
	flinkRunner    = "flink"
	dataflowRunner = "dataflow"
	// plainRunner is the runner that is none: the same tasks in plain goroutines. It
	// is what Beam's cost is measured against (bench/overhead.sh).
	plainRunner = "goroutines"
)

// What is looked for in derived documents.
const (
	useDocuments = "documents" // every place that repeats a source
	useMarked    = "marked"    // what stands between quotation marks or in block quotes, with a confidence
)

var alignUses = []string{useDocuments, useMarked}
