package standalone

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/reuse"
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
// could use: an apostrophe before it makes it a text. Signs of East Asian width begin one
// too, where the spreadsheet speaks such a language.
func noFormula(cell string) string {
	if strings.IndexAny(cell, "=+-@＝＋－＠\t\r\n") == 0 {
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

// writePassim writes a cluster for every quotation: itself, and every place that has it.
func (f Find) writePassim(to io.Writer, sorted *sorting.Sorter, _ []commonplace.Quote) error {
	w := bufio.NewWriterSize(to, 1<<20)
	var cluster []Found
	number := int64(0)
	flush := func() error {
		if len(cluster) == 0 {
			return nil
		}
		number++
		first := cluster[0]
		rows := []reuse.Passage{{ID: cmp.Or(first.QuoteID, first.DerivedID), Begin: first.DerivedBegin, End: first.DerivedEnd, Text: first.DerivedText}}
		documents := map[string]bool{rows[0].ID: true}
		for _, r := range cluster {
			rows = append(rows, reuse.Passage{ID: r.SourceID, Begin: r.SourceBegin, End: r.SourceEnd, Text: r.SourceText})
			documents[r.SourceID] = true
		}
		for _, r := range rows {
			r.Cluster, r.Size, r.Fields = number, int64(len(documents)), []commonplace.Field{{Name: "series", Value: r.ID}}
			if _, err := w.Write(r.JSON()); err != nil {
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
