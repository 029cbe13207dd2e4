package standalone

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/sorting"
)

// writeText writes a page for people: each quotation, and the places that have it.
func (f Find) writeText(to io.Writer, sorted *sorting.Sorter, missing []commonplace.Quote) error {
	w := bufio.NewWriter(to)
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
		fmt.Fprintf(w, "    %s\n", whose(r.SourceTitle, r.SourceAuthor, r.Chapter)+fmt.Sprintf(" [%d:%d]  %.0f %%%s", r.SourceBegin, r.SourceEnd, 100*r.Similarity, otherwise(r)))
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
		fmt.Fprintf(w, "\n%d of %s found, at %s\n", quotations, counted(quotations+len(missing), "quotation"), counted(places, "place"))
	default:
		fmt.Fprintf(w, "\n%s found, at %s\n", counted(quotations, "quotation"), counted(places, "place"))
	}
	return w.Flush()
}

// heading is a quotation as a line of its own.
func (r Found) heading() string {
	if r.QuoteID != "" {
		if by := whose(r.QuoteAuthor, r.QuoteWork); by != "" {
			return fmt.Sprintf("“%s” — %s", strings.Trim(excerpt(r.QuoteText, 60), "“”\""), by)
		}
		return fmt.Sprintf("“%s”", strings.Trim(excerpt(r.QuoteText, 60), "“”\""))
	}
	return fmt.Sprintf("%s [%d:%d]: %s%s%s", whose(r.DerivedTitle), r.DerivedBegin, r.DerivedEnd, before(r), excerpt(r.DerivedText, 60), after(r))
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

// fill breaks a text into lines of at most 80 characters, each behind an indent.
func fill(text, indent string) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case column == 0:
			b.WriteString(indent)
			column = len(indent)
		case column+1+n > 80:
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

// otherwise says that a list names another book than the one that was found. Where nobody
// knows the book's author, that cannot be told.
func otherwise(r Found) string {
	if r.Attributed == commonplace.AttributedOther && r.SourceAuthor != "" {
		return ", but the list names another"
	}
	return ""
}
