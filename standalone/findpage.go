package standalone

import (
	"bufio"
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/collate"
	"github.com/commonplace/commonplace/sorting"
)

//go:embed findpage.html
var pageHTML string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"percent": func(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) },
	"excerpt": excerpt,
	"inMarks": inMarks,
	"whose":   whose,
	"words": func(r Found) []collate.Column {
		columns, _ := collate.Words(r.SourceText, r.DerivedText)
		return columns
	},
	"class": func(kind int) string { return [...]string{"same", "dressed", "changed", "missing", "added"}[kind] },
}).Parse(pageHTML))

// writePage writes one page without scripts: each quotation, and beside it the words of
// the book in place, with what differs marked.
func (f Find) writePage(to io.Writer, sorted *sorting.Sorter, missing []commonplace.Quote) error {
	w := bufio.NewWriterSize(to, 1<<20)
	if err := page.ExecuteTemplate(w, "head", nil); err != nil {
		return err
	}
	var last Found
	places := 0
	if err := each(sorted, func(r Found) error {
		if places == 0 || !together(last, r) {
			if places > 0 {
				io.WriteString(w, "</article>\n")
			}
			if err := page.ExecuteTemplate(w, "quotation", r); err != nil {
				return err
			}
		}
		last = r
		places++
		return page.ExecuteTemplate(w, "place", r)
	}); err != nil {
		return err
	}
	if places > 0 {
		io.WriteString(w, "</article>\n")
	}
	if err := page.ExecuteTemplate(w, "foot", missing); err != nil {
		return err
	}
	return w.Flush()
}
