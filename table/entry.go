package table

import (
	"cmp"
	"runtime"
	"slices"

	"github.com/commonplace/commonplace/table/check"
)

// Entry is all that the program knows of a table, beside its row type T. What
// lists tables, prints, verifies, documents or exports them reads it here.
type Entry[T any] struct {
	Name  string   // folder of the run that holds it, and word on the command line
	Holds string   // what it and its neighbours hold: a line of the overview in docs/tables.md
	About string   // its section of docs/tables.md
	Order []string // columns that rows are sorted by
	Shard string   // column whose hash gives the shard; empty: shards are those of the task

	Duplicates bool // rows with an equal key are allowed

	// Verify adds what must hold of a row to what holds of all: order, unique
	// keys, the right shard. Sequence is the same where it depends on the rows
	// before; it is asked once for a table, with the config of its commit record.
	Verify   func(c *check.Row, row *T)
	Sequence func(config []byte) func(c *check.Row, row *T)

	// Elsewhere checks rows against texts of other shards.
	Elsewhere []check.Side[T]

	Export *Export[T] // nil: the table stays in the run
}

// Export says how a table becomes a configuration of a dataset.
type Export[T any] struct {
	Row     string   // what a row is, for the card
	Tasks   []string // of the Hugging Face hub that the rows serve
	Default int      // place among the tables that readers get who name none; 0: never
	Ground  int      // place among the tables that datasets are made from, which come last; 0: a dataset

	Split func(row *T) string // nil: all rows are train

	// Texts are columns that are emptied where Allowed says no: "text", or
	// "pages.head" for a field of a list. Textless says that no column has words
	// of a text: an entry without both would publish texts.
	Texts    []string
	Allowed  func(r Rights, row *T) bool
	Textless bool

	Form  *form[T]                            // the rows are written as another type; nil: as they are
	Keys  []Key[T]                            // what must stay in one split, and is counted
	Day   func(row *T) string                 // by which rows are split; nil: by none
	Watch func(s Statistics, row *T)          // numbers for the card; nil: none
	SQuAD func(row *T) Question               // nil: the format is not offered
	CoNLL func(row *T) (words, tags []string) // nil: the format is not offered
}

// Rights says whose texts may be given on.
type Rights interface {
	Documents(ids ...string) bool // all of these documents
	AllDocuments() bool           // every document of the run
	Quote(id string) bool         // this entry of a quote list
	Conversations() bool
}

// Statistics gathers numbers of rows for the card, by what they are.
type Statistics interface {
	Measure(what string, x float64)
	Share(what string, x float64)            // of a number from 0 to 1
	Count(what, word string)                 // rows by a word that they have
	PerDocument(doc, what string, x float64) // sums over the rows of a document
}

// Watched describes what must stay in one split.
type Watched struct {
	What    string // such as "quote_id"
	Why     string // such as "no quote is in two splits (RA-MTR)"; empty: it is only counted
	Weak    bool   // it is counted and no leak
	SplitBy string // weak unless the run was asked to split by this; empty: whatever it was asked
}

// Key is what must stay in one split. An empty key is not counted.
type Key[T any] struct {
	Watched
	Of func(row *T) string
}

// Question is a row as SQuAD has it: a paragraph, a question about it, and the
// answer's words in it. The start counts code points, as the public evaluation
// does in Python.
type Question struct {
	Title, Passage, Context string
	ID, Question            string
	Answer                  string
	Start                   int64
}

// registered are the tables in the order of entries.go.
var registered []registration

type registration struct {
	table Descriptor
	line  int // of entries.go
}

// register makes an entry's table. What is wrong with the entry is an error of
// a user of the table, and by [Table.Err].
func register[T any](e Entry[T]) *Table[T] {
	t := newTable(e)
	// Go makes a variable after those that it depends on, so tables come in another
	// order than their entries stand in. The line says where an entry stands.
	_, _, line, _ := runtime.Caller(1)
	at, _ := slices.BinarySearchFunc(registered, line, func(r registration, line int) int { return cmp.Compare(r.line, line) })
	registered = slices.Insert(registered, at, registration{t, line})
	return t
}
