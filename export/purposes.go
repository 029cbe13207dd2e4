package export

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/table"
)

// Purposes of training rows.
const (
	ForTags    = TokenClassification // one row a passage with all its quotes
	ForSpans   = "span"              // a context and a passage, with what the context quotes of it
	ForRank    = "rank"              // a context and a candidate, right or wrong
	ForPairs   = "pairs"             // a context, its right candidate and some wrong ones
	ForCounts  = "counts"            // a passage and how often it is quoted, by fold
	ForReplies = "replies"           // a conversation and what follows
)

// Purposes lists them.
func Purposes() []string {
	return []string{ForTags, ForSpans, ForRank, ForPairs, ForCounts, ForReplies}
}

// snippets are the scripts of ten lines beside the rows; CI runs them.
//
//go:embed snippets/*.py
var snippets embed.FS

// purpose writes training rows to a folder of their own.
type purpose struct {
	job   *job
	name  string
	files map[string]*file // by split, or by fold
	Stats purposeCounts
	about string // how many, for the card
}

// purposeCounts is what became of the rows.
type purposeCounts struct {
	Purpose  string           `json:"for"`
	Rows     map[string]int64 `json:"rows"`     // by split or fold
	Copies   int64            `json:"copies"`   // of documents of which an edition comes before them: left out
	Withheld int64            `json:"withheld"` // whose texts are left out

	Elsewhere int64 `json:"elsewhere,omitempty"` // right candidates whose text a later split asks for: left out
	Missing   int64 `json:"missing,omitempty"`   // wrong candidates that were asked for and are not there
}

// checkPurposes refuses a purpose that the run has no tables for.
func (j *job) checkPurposes() error {
	needs := map[string][]string{
		ForTags: {table.Examples.Name, table.Passages.Name}, ForCounts: {table.Counted.Name, table.Passages.Name}, ForReplies: {table.Replies.Name},
	}
	wanted := slices.Clone(j.options.For)
	if j.formats[TokenClassification] { // its older name
		wanted = append(wanted, ForTags)
		delete(j.formats, TokenClassification)
	}
	if n := j.options.Negatives; !(n >= 0 && n <= 1e6) {
		return fmt.Errorf("%w: negatives is %v, must be from 0 to 1000000", ErrOptions, n)
	}
	if n := j.options.Nearest; !(n >= 0 && n <= 1) {
		return fmt.Errorf("%w: nearest is %v, must be from 0 to 1", ErrOptions, n)
	}
	slices.Sort(wanted)
	for _, name := range slices.Compact(wanted) {
		if !slices.Contains(Purposes(), name) {
			return fmt.Errorf("%w: there is no purpose %q; there are %s", ErrOptions, name, strings.Join(Purposes(), ", "))
		}
		for _, t := range needs[name] {
			if c := j.commits[t]; c.Rows == 0 || len(c.Shards) != len(j.commits[needs[name][0]].Shards) {
				return j.lacks("purpose "+name, needs[name]...)
			}
		}
		if needs[name] == nil && j.options.Questions == nil {
			return fmt.Errorf("%w: purpose %s needs the contexts of the run", ErrOptions, name)
		}
		j.purposes = append(j.purposes, &purpose{job: j, name: name, files: map[string]*file{}, Stats: purposeCounts{Purpose: name, Rows: map[string]int64{}}})
	}
	return nil
}

// datasets are those of label.datasets that make a table.
var datasets = map[string]string{
	table.Examples.Name: "triples", table.Counted.Name: "counts", table.Replies.Name: "replies", table.Windows.Name: "windows",
}

// lacks is the error of what needs tables that the run does not have, or has of two builds.
func (j *job) lacks(what string, tables ...string) error {
	hint := "build with a config that asks for them"
	if d := datasets[tables[0]]; d != "" {
		hint = fmt.Sprintf("name %s in label.datasets of the config, and build", d)
	}
	return fmt.Errorf("%w: %s needs the tables %s, and %s does not have them with rows of one build: %s", ErrOptions, what, strings.Join(tables, " and "), table.Home(j.run), hint)
}

func (x *purpose) export(ctx context.Context) error {
	defer func() {
		for _, f := range x.files {
			f.on.Close() // after close it does nothing
		}
	}()
	if x.name != ForCounts {
		for _, split := range []string{label.Train, label.Validation, label.Test} {
			if err := x.open(split); err != nil {
				return err
			}
		}
	}
	var err error
	switch x.name {
	case ForTags:
		err = (&tagged{purpose: x}).export(ctx)
	case ForCounts:
		err = x.counts(ctx)
	case ForReplies:
		err = x.replies(ctx)
	default:
		err = x.questions(ctx)
	}
	if err != nil {
		return err
	}
	for _, f := range x.files {
		if err := f.close(); err != nil {
			return err
		}
	}
	script, err := snippets.ReadFile("snippets/" + x.name + ".py")
	if err != nil {
		return err
	}
	if err := x.job.folder.write(path.Join(x.name, "train.py"), string(script)); err != nil {
		return err
	}
	if err := x.training(ctx); err != nil {
		return err
	}
	return x.job.folder.write(path.Join(x.name, "README.md"), x.card())
}

// open begins the file of a split or fold.
func (x *purpose) open(part string) (err error) {
	x.files[part], err = x.job.folder.create(path.Join(x.name, part+".jsonl"))
	return err
}

func (x *purpose) put(part string, row any) error {
	if x.files[part] == nil {
		if err := x.open(part); err != nil {
			return err
		}
	}
	x.Stats.Rows[part]++
	return writeLine(x.files[part], row)
}

func writeLine(f *file, row any) error {
	e := json.NewEncoder(f)
	e.SetEscapeHTML(false)
	return e.Encode(row)
}

// training lists what a model that learns from the rows is taught by: a model folder
// takes over the lines of what it was given (docs/model-format.md).
func (x *purpose) training(ctx context.Context) error {
	if x.asks() || x.name == ForReplies || x.job.options.Documents == nil {
		return nil // questions write it as they come
	}
	f, err := x.job.folder.create(path.Join(x.name, trainingFile))
	if err != nil {
		return err
	}
	defer f.on.Close()
	for line, err := range x.job.options.Documents(ctx) {
		var of struct {
			DocID string `json:"doc_id"`
		}
		if err == nil {
			err = json.Unmarshal(line, &of)
		}
		if err == nil && !x.job.rights.Documents(of.DocID) {
			continue // without rows it teaches nothing, and its hash says something of its words
		}
		if err == nil {
			_, err = f.Write(append(line, '\n'))
		}
		if err != nil {
			return err
		}
	}
	return f.close()
}

const trainingFile = "training.jsonl"

// Lines are JSON objects.
type Lines = iter.Seq2[[]byte, error]
