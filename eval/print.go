package eval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
)

// legend tells the two NDCGs apart.
const legend = `qNDCG is the form of "Content-based models of quotation": ranks 1 and 2 count alike; NDCG is the common one.`

// nothingQuoted is the note of a run of which no figure can be computed.
const nothingQuoted = "Nothing can be measured without a document of which a passage was quoted. The key quotes of a config names the lists to look for."

// Text is the table for a terminal that is so wide, 0 for Columns: hundredths, with the
// interval below each.
func (r Result) Text(columns int) string {
	columns = cmp.Or(columns, Columns)
	var b strings.Builder
	b.WriteString(folded(r.Summary(), columns))
	if r.Documents > 0 {
		fmt.Fprintf(&b, "\n%s", r.table(columns))
	}
	b.WriteString("\n")
	for _, note := range r.Notes() {
		b.WriteString(folded(note, columns))
	}
	return b.String()
}

// Columns are those of a terminal for which a table is printed, unless it is narrower.
const Columns = 100

// beside is how many metrics a table has at most beside the longest name.
const beside = 4

// folded is a note in lines.
func folded(note string, columns int) string {
	var b strings.Builder
	at := 0
	for _, word := range strings.Fields(note) {
		n := utf8.RuneCountInString(word)
		switch {
		case at == 0:
		case at+1+n > columns:
			b.WriteString("\n  ")
			at = 2
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String() + "\n"
}

// Label is what the row is called in a table: a figure in sample is never without the word.
func (r Row) Label() string {
	if r.InSample == "" {
		return r.Name
	}
	return r.Name + " (" + r.InSample + ")"
}

// table shows all metrics, a few below the others: as many beside each other as fit, but
// at least one.
func (r Result) table(columns int) string {
	for n := beside; ; n-- {
		var blocks []string
		fits := true
		for names := range slices.Chunk(r.metrics(), n) {
			block := r.Only(names).block()
			fits = fits && width(block) <= columns
			blocks = append(blocks, block)
		}
		if fits || n == 1 {
			return strings.Join(blocks, "\n")
		}
	}
}

// width is how many columns the longest line has.
func width(block string) (most int) {
	for line := range strings.Lines(block) {
		most = max(most, utf8.RuneCountInString(strings.TrimRight(line, " \n")))
	}
	return most
}

func (r Result) block() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\t%s\t\n", strings.Join(r.metrics(), "\t"))
	for _, row := range r.Rows {
		cells, intervals := []string{row.Label()}, []string{""}
		for _, f := range row.Figures {
			cells = append(cells, f.String()+f.Mark())
			intervals = append(intervals, f.Interval())
		}
		fmt.Fprintf(w, "%s\t\n%s\t\n", strings.Join(cells, "\t"), strings.Join(intervals, "\t"))
	}
	for _, ref := range r.References {
		cells := []string{ref.Name + " ‡"}
		for _, m := range r.metrics() {
			cells = append(cells, ref.cell(m))
		}
		fmt.Fprintf(w, "%s\t\n", strings.Join(cells, "\t"))
	}
	w.Flush()
	return b.String()
}

// Markdown is the table for a document.
func (r Result) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", r.Summary())
	if r.Documents > 0 {
		fmt.Fprintf(&b, "%s\n", r.markdownTable())
	}
	for _, note := range r.Notes() {
		fmt.Fprintf(&b, "- %s\n", note)
	}
	return b.String()
}

func (r Result) markdownTable() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| | %s |\n|---|%s\n", strings.Join(r.metrics(), " | "), strings.Repeat("---:|", len(r.metrics())))
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %s |", strings.ReplaceAll(row.Label(), "|", `\|`))
		for _, f := range row.Figures {
			fmt.Fprintf(&b, " %s%s<br>%s |", f, f.Mark(), f.Interval())
		}
		b.WriteString("\n")
	}
	for _, ref := range r.References {
		fmt.Fprintf(&b, "| %s ‡ |", ref.Name)
		for _, m := range r.metrics() {
			fmt.Fprintf(&b, " %s |", ref.cell(m))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// metrics are those of the rows, in their order.
func (r Result) metrics() []string {
	var names []string
	for _, f := range r.Rows[0].Figures {
		names = append(names, f.Metric)
	}
	return names
}

// Only keeps the figures of the metrics that are named, in the order of the table.
func (r Result) Only(names []string) Result {
	r.Rows = slices.Clone(r.Rows)
	for i, row := range r.Rows {
		r.Rows[i].Figures = slices.DeleteFunc(slices.Clone(row.Figures), func(f Figure) bool { return !slices.Contains(names, f.Metric) })
	}
	r.References = slices.DeleteFunc(slices.Clone(r.References), func(ref Reference) bool {
		return !slices.ContainsFunc(names, func(m string) bool { _, has := ref.Figures[m]; return has })
	})
	return r
}

// Summary says over what the figures are.
func (r Result) Summary() string {
	return fmt.Sprintf("%s with a quoted passage (%d without one left out), %d of %s quoted",
		commonplace.CountOf(r.Documents, "document"), r.Unquoted, r.Quoted, commonplace.CountOf(r.Passages, "passage"))
}

// Notes explain the table.
func (r Result) Notes() []string {
	if r.Documents == 0 {
		return append([]string{nothingQuoted}, r.Remarks...)
	}
	notes := []string{
		fmt.Sprintf("Hundredths, means over documents; below each its %.0f %% bootstrap interval over documents.", 100*r.Options.Confidence),
	}
	if slices.ContainsFunc(r.metrics(), func(m string) bool { return strings.Contains(m, "NDCG") }) {
		notes = append(notes, legend)
	}
	if len(r.Rows) > 1 {
		notes = append(notes, fmt.Sprintf("* differs from %s at p < .05, ** at p < .01 by a paired permutation test, not corrected for the number of tests.", r.Rows[0].Name))
	}
	notes = append(notes, r.Remarks...)
	for _, row := range r.Rows {
		if row.Note != "" {
			notes = append(notes, row.Name+": "+row.Note+".")
		}
	}
	for i, ref := range r.References {
		if i == 0 || ref.Note != r.References[i-1].Note {
			notes = append(notes, "‡ "+ref.Note+".")
		}
	}
	return notes
}

// String is the mean in hundredths.
func (f Figure) String() string {
	if f.Mean == nil {
		return "–"
	}
	return fmt.Sprintf("%.1f", 100**f.Mean)
}

// Interval is the interval in hundredths.
func (f Figure) Interval() string {
	if f.Low == nil {
		return ""
	}
	return fmt.Sprintf("%.1f–%.1f", 100**f.Low, 100**f.High)
}

// Mark shows how sure the difference from the first system is.
func (f Figure) Mark() string {
	switch {
	case f.P == nil || *f.P >= 0.05:
		return ""
	case *f.P >= 0.01:
		return "*"
	}
	return "**"
}

func (r Reference) cell(metric string) string {
	if v, ok := r.Figures[metric]; ok {
		return fmt.Sprintf("%.1f", 100*v)
	}
	return "–"
}
