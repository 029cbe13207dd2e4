package table

import (
	"iter"
	"reflect"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/parquet-go/parquet-go"
)

// Table is one table of a run: its name, columns, order and place.
// T is a row type of the root package.
type Table[T any] struct {
	Name string // folder of the run that holds it, and word on the command line

	columns []column
	schema  *parquet.Schema
	order   []int // indexes into columns: rows are sorted by them
	doc     int   // column whose hash gives the shard; -1: shards are those of the task
	twins   bool  // rows with an equal key are allowed
	files   storage.FileSystem

	metadata map[string]string // of the files' footers
}

// The tables of a run. Each is sorted by the columns that its line names.
var (
	Documents  = newTable[commonplace.Document]("documents", "doc_id", "doc_id")
	Quotes     = newTable[commonplace.Quote]("quotes", "quote_id", "quote_id")
	Passages   = newTable[commonplace.Passage]("passages", "doc_id", "doc_id", "index")
	Alignments = newTable[commonplace.Alignment]("alignments", "source_id", "source_id", "source_begin", "source_end", "quote_id", "derived_id", "derived_begin")
	// Matches are alignments between documents before they are dealt to their sources.
	Matches = newTable[commonplace.Alignment]("matches", "derived_id", "derived_id", "derived_begin", "derived_end", "source_id", "source_begin", "source_end")
	// Spans are places that a file says are quoted.
	Spans    = newTable[commonplace.GivenSpan]("spans", "doc_id", "doc_id", "begin", "end", "source", "line")
	Works    = newTable[commonplace.Work]("works", "doc_id", "doc_id")
	Groups   = newTable[commonplace.Group]("groups", "doc_id", "doc_id", "source_begin", "source_end", "alignment_id")
	Examples = newTable[commonplace.Example]("examples", "doc_id", "doc_id", "quote_begin", "quote_end", "context_id")
	// Choices are offered to the contexts of examples, SpanChoices to those of quoted spans.
	Choices     = newTable[commonplace.Choice]("choices", "doc_id", "doc_id", "context_id", "place")
	Paraphrases = newTable[commonplace.Paraphrase]("paraphrases", "doc_id", "doc_id", "context_id")
	Queries     = newTable[commonplace.Query]("queries", "doc_id", "doc_id", "span_begin", "span_end", "query_id")
	QuotedSpans = newTable[commonplace.QuotedSpan]("quoted_spans", "doc_id", "doc_id", "part_id")
	SpanChoices = newTable[commonplace.Choice]("span_choices", "doc_id", "doc_id", "context_id", "place")
	Agreements  = newTable[commonplace.Agreement]("agreements", "doc_id", "doc_id", "quote_id")
	Windows     = newTable[commonplace.Window]("windows", "source_id", "source_id", "source_begin", "source_end", "derived_id", "derived_begin", "derived_end")
	QuoteCounts = newTable[commonplace.QuoteCount]("quote_counts", "doc_id", "doc_id", "index")
	Counted     = newTable[commonplace.Counted]("counted", "doc_id", "doc_id", "index")
	Sequences   = newTable[commonplace.Sequence]("sequences", "doc_id", "doc_id", "sequence_id")
	Pairs       = newTable[commonplace.Pair]("pairs", "doc_id", "doc_id", "more_id", "less_id")
	// Attributes are of the whole run: one shard.
	Attributes = newTable[commonplace.Attribute]("attributes", "feature", "number")
	// Language is of the whole run: one shard.
	Language      = newTable[commonplace.NGram]("language", "term", "term", "fold")
	Conversations = newTable[commonplace.Conversation]("conversations", "conversation_id", "conversation_id")
	Replies       = newTable[commonplace.Reply]("replies", "conversation_id", "conversation_id", "reply_id")
	Scores        = newTable[commonplace.Score]("scores", "doc_id", "doc_id", "index")
	Rankings      = newTable[commonplace.Ranking]("rankings", "doc_id", "doc_id", "index")
	// Recommendations are the passages of their document for the contexts of examples.
	Recommendations = newTable[commonplace.Recommendation]("recommendations", "doc_id", "doc_id", "context_id", "place")
	// Rejects are sharded as the task that refused them, and two may be equal.
	Rejects = newTable[commonplace.Reject]("rejects", "", "stage", "id", "location", "reason", "detail")
)

// All describes the tables in the order in which a run makes them.
func All() []Descriptor {
	return []Descriptor{
		Documents, Quotes, Conversations, Passages, Spans, Matches, Alignments, Works, Groups,
		Examples, Choices, Paraphrases, Queries, QuotedSpans, SpanChoices, Agreements, Windows, Replies,
		QuoteCounts, Counted, Sequences, Pairs, Attributes, Language, Scores, Rankings, Recommendations, Rejects,
	}
}

// Named finds a table by its name.
func Named(name string) (Descriptor, bool) {
	for _, t := range All() {
		if t.Describe().Name == name {
			return t, true
		}
	}
	return nil, false
}

// Descriptor is a table without its row type, for what treats all tables alike.
type Descriptor interface {
	// Describe gives the table's name, columns and order.
	Describe() Description
	// rows reads a shard without knowing its row type.
	rows(files storage.FileSystem, path string, columns []string) iter.Seq2[Row, error]
}

// Description says what a table holds.
type Description struct {
	Name    string
	Columns []Column
	Order   []string // columns that the rows are sorted by
	Shard   string   // column whose hash gives the shard; empty for rejects
}

// Column is one column of a table.
type Column struct {
	Name string
	Type string // string, int64, float64, bool, list of string, list of struct
	Doc  string
	// Fields are the columns of a list of struct.
	Fields []Column
}

// Describe gives the table's name, columns and order.
func (t *Table[T]) Describe() Description {
	d := Description{Name: t.Name}
	for _, c := range t.columns {
		d.Columns = append(d.Columns, c.describe())
	}
	for _, i := range t.order {
		d.Order = append(d.Order, t.columns[i].name)
	}
	if t.doc >= 0 {
		d.Shard = t.columns[t.doc].name
	}
	return d
}

// On is the same table on another file system.
func (t *Table[T]) On(files storage.FileSystem) *Table[T] {
	u := *t
	u.files = files
	return &u
}

func newTable[T any](name, shard string, order ...string) *Table[T] {
	t := &Table[T]{Name: name, doc: -1, twins: name == "rejects", files: storage.Default}
	t.columns = columnsOf[T]()
	t.schema = schemaOf[T](name, t.columns)
	at := make(map[string]int, len(t.columns))
	for i, c := range t.columns {
		if c.kind == reflect.Struct && !c.list {
			panic("table: " + name + "." + c.name + " is a struct, which a table cannot be read back with: see Sheet")
		}
		at[c.name] = i
	}
	for _, o := range order {
		i, ok := at[o]
		if !ok {
			panic("table: " + name + " has no column " + o)
		}
		t.order = append(t.order, i)
	}
	if shard != "" {
		t.doc = at[shard]
	}
	return t
}
