package config

import "github.com/commonplace/commonplace/label"

// ArchiveFolder is in the run's folder beside the tables, and keeps every
// answer of every server.
const ArchiveFolder = "archive"

// FormatQuotus is the format of Quotus's quotes file.
const FormatQuotus = "quotus"

// Where counts come from.
const (
	CountAlignments = "alignments"
	CountFile       = "file"
	CountBoth       = "both"
)

// What is kept in one fold.
const (
	foldsByWork   = "work"
	FoldsByAuthor = "author"
)

// Retrievers that are no model.
const (
	RetrieveAll   = "all"
	RetrieveBM25  = "bm25"
	RetrieveTFIDF = "tfidf"
	RetrieveModel = "model"
)

// quoters are what by can say of a list or a file of spans.
var quoters = []string{"", label.ByReaders, label.ByEditors}

// Runners that runner.name takes, beside Beam's own direct.
const (
	EmbeddedRunner = "embedded"
	FlinkRunner    = "flink"
	DataflowRunner = "dataflow"
	// GoroutineRunner runs the same tasks in goroutines, without Beam. It
	// is what Beam's cost is measured against (bench/overhead.sh).
	GoroutineRunner = "goroutines"
)

// Elsewhere says that all work is done in processes on other machines, and that this one
// only submits it.
func (c Runner) Elsewhere() bool { return c.Name == FlinkRunner || c.Name == DataflowRunner }
