package eval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/commonplace/commonplace"
)

// Figures are the rows of the table evaluations.
type Figures []commonplace.Evaluation

// Text is a table for each dataset and split: a row a figure, below the name of its
// system. Papers have a number in the table and their names below it, so that it fits a
// narrow terminal.
func (f Figures) Text(columns int) string {
	columns = cmp.Or(columns, Columns)
	var b strings.Builder
	var papers []string
	f.each(func(head string, rows Figures) {
		fmt.Fprintf(&b, "%s\n", folded(head, columns))
		lines := rows.lines(&papers)
		for i, r := range rows {
			if i == 0 || system(r) != system(rows[i-1]) {
				b.WriteString(folded(system(r), columns))
				if i == 0 {
					b.WriteString(lines[0])
				}
			}
			b.WriteString(lines[i+1])
		}
		b.WriteString("\n")
	})
	for i, paper := range papers {
		b.WriteString(folded(fmt.Sprintf("[%d] %s", i+1, paper), columns))
	}
	for _, n := range f.notes() {
		b.WriteString(folded(n, columns))
	}
	return b.String()
}

// lines are the head of a table and its rows, without their systems. It numbers the papers.
func (f Figures) lines(papers *[]string) []string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  metric\tvalue\tinterval\tn\tp\tpaper")
	for _, r := range f {
		c := cells(r)
		if r.PaperValue != nil {
			at := slices.Index(*papers, r.Paper)
			if at < 0 {
				at = len(*papers)
				*papers = append(*papers, r.Paper)
			}
			c[6] = fmt.Sprintf("%s [%d]", hundredths(r.Metric, *r.PaperValue), at+1)
		}
		fmt.Fprintln(w, "  "+strings.Join(c[1:], "\t"))
	}
	w.Flush()
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.TrimRight(line, " \n")+"\n")
	}
	return lines
}

// Markdown is the same for a document.
func (f Figures) Markdown() string {
	var b strings.Builder
	f.each(func(head string, rows Figures) {
		fmt.Fprintf(&b, "**%s**\n\n| system | metric | value | interval | n | p | paper |\n|---|---|---:|---|---:|---:|---|\n", head)
		for _, r := range rows {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(cells(r), " | "))
		}
		b.WriteString("\n")
	})
	for _, n := range f.notes() {
		fmt.Fprintf(&b, "- %s\n", n)
	}
	return b.String()
}

// each goes through the datasets and splits in their order.
func (f Figures) each(do func(head string, rows Figures)) {
	for i := 0; i < len(f); {
		j := i + 1
		for j < len(f) && f[j].Dataset == f[i].Dataset && f[j].Split == f[i].Split {
			j++
		}
		head := fmt.Sprintf("%s, %s", f[i].Dataset, f[i].Split)
		if f[i].LeftOut > 0 {
			head += fmt.Sprintf(": %d that taught a model are left out", f[i].LeftOut)
		}
		do(head, f[i:j])
		i = j
	}
}

// system is what made a figure. One in sample is never without the word.
func system(r commonplace.Evaluation) string {
	if r.InSample == "" {
		return r.System
	}
	return r.System + " (" + r.InSample + ")"
}

// cells are those of one figure.
func cells(r commonplace.Evaluation) []string {
	c := []string{system(r), r.Metric, "–", "", fmt.Sprint(r.N), "", ""}
	if r.Value != nil {
		c[2], c[3] = hundredths(r.Metric, *r.Value), hundredths(r.Metric, *r.Low)+"–"+hundredths(r.Metric, *r.High)
	}
	if r.P != nil {
		c[5] = fmt.Sprintf("%.3g", *r.P)
	}
	if r.PaperValue != nil {
		c[6] = fmt.Sprintf("%s (%s)", hundredths(r.Metric, *r.PaperValue), r.Paper)
	}
	return c
}

// hundredths are those of a share; a rank is as it is.
func hundredths(metric string, x float64) string {
	if metric == "mean rank" {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.1f", 100*x)
}

func (f Figures) notes() []string {
	notes := []string{"Hundredths, but for ranks, of which the lower is better; means over n documents or contexts, with bootstrap intervals. What a paper has is of its own data: an order of magnitude and no more."}
	if slices.ContainsFunc(f, func(r commonplace.Evaluation) bool { return r.Dataset == "triples" }) {
		notes = append(notes, "triples: unless recommend.context.paraphrased is set, a context is words of the very passage that is looked for, so BM25 and TF-IDF find it almost always. The paper's contexts are paraphrased.")
	}
	var tests []string
	for _, r := range f {
		if r.Test != "" && !slices.Contains(tests, r.Test) {
			tests = append(tests, r.Test)
		}
	}
	if len(tests) > 0 {
		notes = append(notes, fmt.Sprintf("p: as good as the first system of the table, two-sided, not corrected for the number of tests (%s).", strings.Join(tests, ", ")))
	}
	return notes
}
