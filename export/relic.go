package export

import (
	"context"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// relicSentences is the longest quotation, in sentences, that RELiC's own
// evaluation reads.
const relicSentences = 5

// relicNames are RELiC's files.
var relicNames = map[string]string{"train": "train.json", "validation": "val.json", "test": "test.json"}

// relic are the files of RELiC's layout: an object of books by their doc_id, each
// with its quotes (sentences before, index of the first quoted sentence, their
// number, sentences after), its sentences and the indexes at which candidates of
// one to five sentences begin. In all sentences any white space is one space.
type relic struct {
	job   *job
	files map[string]*file // by split
	books map[string]int   // written, by split
	stats relicCounts
}

// relicCounts is what became of the windows.
type relicCounts struct {
	Written  int64 `json:"written"`
	Long     int64 `json:"too_long"`         // more sentences than the evaluation reads
	Short    int64 `json:"of_short_sources"` // of fewer sentences than the evaluation's longest candidates: it would end there
	Withheld int64 `json:"withheld"`         // the text of the source or of the window is left out
}

// export reads windows and sentences side by side: both are sorted by source and
// assigned to the same shards. It holds the sentences of one source.
func (r *relic) export(ctx context.Context) error {
	r.files, r.books = map[string]*file{}, map[string]int{}
	for split, name := range relicNames {
		f, err := r.job.folder.create(path.Join(RELiC, name))
		if err != nil {
			return err
		}
		defer f.on.Close() // after close it does nothing
		r.files[split] = f
		f.WriteByte('{')
	}
	sentences := r.job.commits[table.Passages.Name].ShardPaths(r.job.run)
	for k, at := range r.job.commits[table.Windows.Name].ShardPaths(r.job.run) {
		if err := r.shard(ctx, at, sentences[k]); err != nil {
			return err
		}
		r.job.done()
	}
	for _, f := range r.files {
		f.WriteString("\n}\n")
		if err := f.close(); err != nil {
			return err
		}
	}
	return nil
}

func (r *relic) shard(ctx context.Context, windows, passages string) error {
	next, stop := iter.Pull2(table.Passages.Rows(ctx, passages, "doc_id", "index", "text"))
	defer stop()
	sentence, err, more := next()
	var of []string // the source's sentences
	var source string
	var book []commonplace.Window
	flush := func() error {
		if len(book) == 0 {
			return nil
		}
		for more && err == nil && sentence.DocID < source {
			sentence, err, more = next()
		}
		of = of[:0]
		for more && err == nil && sentence.DocID == source {
			of = append(of, oneLine(sentence.Text))
			sentence, err, more = next()
		}
		if err != nil {
			return err
		}
		rows := book
		book = nil
		return r.book(source, of, rows)
	}
	for w, refused := range table.Windows.Rows(ctx, windows) {
		if refused != nil {
			return refused
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if w.SourceID != source {
			if err := flush(); err != nil {
				return err
			}
			source = w.SourceID
		}
		switch {
		case w.Sentences > relicSentences:
			r.stats.Long++
		case !r.job.rights.Documents(w.SourceID, w.DerivedID):
			r.stats.Withheld++
		default:
			book = append(book, w)
		}
	}
	return flush()
}

// book writes one source; its windows are in one split, or it is in several files.
func (r *relic) book(id string, sentences []string, windows []commonplace.Window) error {
	if len(sentences) < relicSentences {
		r.stats.Short += int64(len(windows))
		return nil
	}
	r.stats.Written += int64(len(windows))
	for split, f := range r.files {
		of := slices.DeleteFunc(slices.Clone(windows), func(w commonplace.Window) bool { return w.Split != split })
		if len(of) == 0 {
			continue
		}
		var b []byte
		if r.books[split]++; r.books[split] > 1 {
			b = append(b, ',')
		}
		b = append(appendString(append(b, '\n'), id), `:{"quotes":{`...)
		for i, w := range of {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, w.ID), ':', '[')
			b = append(appendStrings(b, w.Left), ',')
			b = append(appendInt(b, w.FirstSentence), ',')
			b = append(appendInt(b, w.Sentences), ',')
			b = append(appendStrings(b, w.Right), ']')
		}
		b = append(b, `},"sentences":`...)
		b = append(appendStrings(b, sentences), `,"candidates":{`...)
		for n := 1; n <= relicSentences; n++ {
			if n > 1 {
				b = append(b, ',')
			}
			b = append(appendInt(append(b, '"'), int64(n)), `_sentence":[`...)
			for i := 0; i+n <= len(sentences); i++ {
				if i > 0 {
					b = append(b, ',')
				}
				b = appendInt(b, int64(i))
			}
			b = append(b, ']')
		}
		if _, err := f.Write(append(b, "}}"...)); err != nil {
			return err
		}
	}
	return nil
}

// oneLine has one space for any white space, and none at the ends.
func oneLine(text string) string { return strings.Join(strings.FieldsFunc(text, unicode.IsSpace), " ") }

func appendStrings(b []byte, all []string) []byte {
	b = append(b, '[')
	for i, s := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, oneLine(s))
	}
	return append(b, ']')
}

func appendInt(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) }
