package standalone

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/sorting"
)

// writeText writes a page for people: each quotation, and the places that have it.
func (f Find) writeText(to io.Writer, sorted *sorting.Sorter, missing []commonplace.Quote) error {
	w := bufio.NewWriter(to)
	width := cmp.Or(f.Width, 80)
	fill := func(text, indent string) string { return filled(strings.Fields(text), indent, width) }
	bold := func(s string) string {
		if f.Color {
			return "\x1b[1m" + s + "\x1b[0m"
		}
		return s
	}
	var last Found
	quotations, places := 0, 0
	if err := each(sorted, func(r Found) error {
		if places == 0 || !together(last, r) {
			quotations++
			fmt.Fprintf(w, "\n%s\n", fill(r.heading(), ""))
		}
		last = r
		places++
		fmt.Fprintln(w, filled(r.place(), "    ", width))
		if r.QuoteID == "" {
			fmt.Fprintln(w, fill(bold(excerpt(r.SourceText, 60)), "      "))
			return nil
		}
		fmt.Fprintln(w, fill(before(r)+bold(excerpt(r.SourceText, 60))+after(r), "      "))
		return nil
	}); err != nil {
		return err
	}
	if len(missing) > 0 {
		fmt.Fprintf(w, "\nnot found: %d\n", len(missing))
		for _, q := range missing {
			fmt.Fprintln(w, fill(fmt.Sprintf("%s  %s", commonplace.Printable(q.ID), excerpt(q.Text, 20)), "    "))
		}
	}
	switch {
	case places == 0:
		fmt.Fprintln(w, "nothing was found")
	case last.QuoteID != "":
		fmt.Fprintf(w, "\n%d of %s found, at %s\n", quotations, commonplace.CountOf(quotations+len(missing), "quotation"), commonplace.CountOf(places, "place"))
	default:
		fmt.Fprintf(w, "\n%s found, at %s\n", commonplace.CountOf(quotations, "quotation"), commonplace.CountOf(places, "place"))
	}
	return w.Flush()
}

// heading is a quotation as a line of its own.
func (r Found) heading() string {
	if r.QuoteID != "" {
		if by := whose(r.QuoteAuthor, r.QuoteWork); by != "" {
			return inMarks(excerpt(r.QuoteText, 60)) + " — " + by
		}
		return inMarks(excerpt(r.QuoteText, 60))
	}
	return fmt.Sprintf("%s [%d:%d]: %s%s%s", whose(r.DerivedTitle), r.DerivedBegin, r.DerivedEnd, before(r), excerpt(r.DerivedText, 60), after(r))
}

// inMarks puts a quotation between quotation marks, unless its list did.
func inMarks(text string) string {
	const marks = "“”\""
	if bare := strings.Trim(text, marks); bare == text || !strings.ContainsAny(bare, marks) {
		return "“" + bare + "”"
	}
	return text // it has speech of its own at its beginning or end
}

// before and after are the words around, behind or before a mark that the text goes on.
func before(r Found) string {
	if r.Before == "" {
		return ""
	}
	return "… " + commonplace.Printable(r.Before)
}

func after(r Found) string {
	if r.After == "" {
		return ""
	}
	return commonplace.Printable(r.After) + " …"
}

// excerpt is the first words of a text, without what would command a terminal.
func excerpt(text string, n int) string {
	words := strings.Fields(text)
	if len(words) > n {
		words = append(words[:n:n], "…")
	}
	return commonplace.Printable(strings.Join(words, " "))
}

// place is the book and the chapter of a row, and how alike the words are, as words of a
// line. The offsets and the likeness are not torn apart.
func (r Found) place() []string {
	words := strings.Fields(whose(r.SourceTitle, r.SourceAuthor, r.Chapter))
	at := fmt.Sprintf("[%d:%d]  %.0f %%", r.SourceBegin, r.SourceEnd, 100*r.Similarity)
	if r.namesAnother() {
		return append(words, at+",", "but", "the", "list", "names", "another")
	}
	return append(words, at)
}

// filled breaks words into lines of at most so many characters, each behind an indent.
func filled(words []string, indent string, width int) string {
	var b strings.Builder
	column := 0
	for _, word := range words {
		n := len([]rune(word))
		switch {
		case column == 0:
			b.WriteString(indent)
			column = len(indent)
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}

// namesAnother says that a list names another book than the one that was found. Where
// nobody knows the book's author, that cannot be told.
func (r Found) namesAnother() bool {
	return r.Attributed == commonplace.AttributedOther && r.SourceAuthor != ""
}
