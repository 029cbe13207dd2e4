package standalone

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"reflect"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/sorting"
	"github.com/commonplace/commonplace/table/parquet"
)

// Formats are those of the find command. All but passim have the rows of [Found].
var Formats = []string{"text", "jsonl", "csv", "parquet", "html", "passim"}

var writers = map[string]func(f Find, w io.Writer, sorted *sorting.Sorter, missing []commonplace.Quote) error{
	"text":   Find.writeText,
	"jsonl":  Find.writeJSONL,
	"csv":    Find.writeCSV,
	"html":   Find.writePage,
	"passim": Find.writePassim,
}

func (f Find) writeJSONL(to io.Writer, sorted *sorting.Sorter, _ []commonplace.Quote) error {
	w := bufio.NewWriterSize(to, 1<<20)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := each(sorted, func(r Found) error { return e.Encode(r) }); err != nil {
		return err
	}
	return w.Flush()
}

func (f Find) writeCSV(to io.Writer, sorted *sorting.Sorter, _ []commonplace.Quote) error {
	w := csv.NewWriter(to)
	var header []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Found]()) {
		header = append(header, field.Tag.Get("parquet"))
	}
	if err := w.Write(header); err != nil {
		return err
	}
	if err := each(sorted, func(r Found) error {
		var record []string
		for _, v := range reflect.ValueOf(r).Fields() {
			record = append(record, noFormula(fmt.Sprint(v.Interface())))
		}
		return w.Write(record)
	}); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// noFormula keeps spreadsheets from taking a cell for a formula, which texts of strangers
// could use: an apostrophe before it makes it a text.
func noFormula(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

func (f Find) writeParquet(ctx context.Context, sorted *sorting.Sorter) error {
	w, err := parquet.NewSchema[Found]("found").CreateFile(ctx, f.Out)
	if err != nil {
		return err
	}
	if err := each(sorted, w.Write); err != nil {
		w.Abort()
		return err
	}
	_, err = w.Close()
	return err
}

// passage is a line of passim's out.json: a passage of a cluster of passages that say
// the same. begin and end count code points, as passim 2 (seriatim.py) does; uid is a
// number of the document.
type passage struct {
	UID     int64  `json:"uid"`
	Cluster int64  `json:"cluster"`
	Size    int    `json:"size"`
	Begin   int64  `json:"begin"`
	End     int64  `json:"end"`
	ID      string `json:"id"`
	Series  string `json:"series"`
	Text    string `json:"text"`
}

// writePassim writes a cluster for every quotation: itself, and every place that has it.
func (f Find) writePassim(to io.Writer, sorted *sorting.Sorter, _ []commonplace.Quote) error {
	w := bufio.NewWriterSize(to, 1<<20)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	var cluster []Found
	number := int64(0)
	flush := func() error {
		if len(cluster) == 0 {
			return nil
		}
		number++
		first := cluster[0]
		rows := []passage{{ID: first.DerivedID, Begin: first.DerivedBegin, End: first.DerivedEnd, Text: first.DerivedText}}
		if first.QuoteID != "" {
			rows[0].ID = first.QuoteID
		}
		for _, r := range cluster {
			rows = append(rows, passage{ID: r.SourceID, Begin: r.SourceBegin, End: r.SourceEnd, Text: r.SourceText})
		}
		for _, r := range rows {
			uid := fnv.New64a()
			io.WriteString(uid, r.ID)
			r.UID, r.Cluster, r.Size, r.Series = int64(uid.Sum64()), number, len(rows), r.ID
			if err := e.Encode(r); err != nil {
				return err
			}
		}
		cluster = cluster[:0]
		return nil
	}
	if err := each(sorted, func(r Found) error {
		if len(cluster) > 0 && !together(cluster[0], r) {
			if err := flush(); err != nil {
				return err
			}
		}
		cluster = append(cluster, r)
		return nil
	}); err != nil {
		return err
	}
	if err := flush(); err != nil {
		return err
	}
	return w.Flush()
}

// together says that two rows are places of one quotation.
func together(a, b Found) bool {
	if a.QuoteID != "" {
		return a.QuoteID == b.QuoteID
	}
	return a.DerivedID == b.DerivedID && a.Group != "" && a.Group == b.Group
}

// whose names a quotation's author and work, or a book's.
func whose(parts ...string) string {
	var named []string
	for _, p := range parts {
		if p = oneLine(p); p != "" {
			named = append(named, p)
		}
	}
	return commonplace.Printable(strings.Join(named, ", "))
}
