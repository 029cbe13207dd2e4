package gutenberg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/records"
)

// Entry is one row of pg_catalog.csv, the weekly catalogue feed. No column
// holds when the book was printed: Issued is when Gutenberg published it.
type Entry struct {
	EBook     int64
	Type      string // Text, Sound, Dataset ...
	Issued    string // yyyy-mm-dd
	Title     string
	Languages []string // codes, such as en
	Authors   []string // "Austen, Jane, 1775-1817"
	Subjects  []string
	LoCC      []string // Library of Congress classes
	Shelves   []string
}

// Size is about what the entry takes in memory.
func (e Entry) Size() int64 {
	n := 256 + len(e.Type) + len(e.Issued) + len(e.Title)
	for _, values := range [][]string{e.Languages, e.Authors, e.Subjects, e.LoCC, e.Shelves} {
		for _, v := range values {
			n += len(v) + 16
		}
	}
	return int64(n)
}

// ErrUnusable refuses a catalogue as a whole: it has no header, or ends before
// its end. What is selected from half a catalogue would silently be half.
var ErrUnusable = errors.New("the catalogue")

// catalogColumns in the order of the feed of 2026; they are found by name.
var catalogColumns = []string{"Text#", "Type", "Issued", "Title", "Language", "Authors", "Subjects", "LoCC", "Bookshelves"}

// ReadCatalog reads the catalogue feed. A row that cannot be read is a
// [commonplace.RejectError] with its line, and the rows after it are read. Any other
// error ends the catalogue.
func ReadCatalog(ctx context.Context, r io.Reader, location string, l bounded.Limits) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		reject := func(row int, id, reason, detail string) bool {
			return yield(Entry{}, &commonplace.RejectError{Reject: commonplace.Reject{ID: strings.ToValidUTF8(id, "\uFFFD"), Reason: reason, Detail: strings.ToValidUTF8(detail, "\uFFFD"), Location: fmt.Sprintf("%s:%d", location, row)}})
		}
		l.Line = 1 << 20
		in := records.NewLines(ctx, r, l)
		var at []int
		seen := map[int64]int{}
		for {
			row, line, err := records.Next(in, ',')
			var broken *records.Broken
			switch {
			case err == io.EOF:
				return
			case errors.As(err, &broken) && at != nil:
				if !reject(line, "", "broken line", broken.Error()) {
					return
				}
				continue
			case err != nil:
				yield(Entry{}, fmt.Errorf("%w ends at line %d, before its end: %w", ErrUnusable, line, err))
				return
			}
			if at == nil {
				row[0] = strings.TrimPrefix(row[0], "\ufeff")
				for _, name := range catalogColumns {
					at = append(at, slices.Index(row, name))
				}
				if at[0] < 0 || at[3] < 0 || at[4] < 0 {
					yield(Entry{}, fmt.Errorf("%w: the header must have the columns Text#, Title and Language; it has %s", ErrUnusable, strings.Join(row, ", ")))
					return
				}
				continue
			}
			if len(row) <= slices.Max(at) {
				if !reject(line, row[0], "broken line", fmt.Sprintf("%d columns, too few", len(row))) {
					return
				}
				continue
			}
			e, detail := entry(row, at)
			if first, twice := seen[e.EBook]; detail == "" && twice {
				if !reject(line, row[at[0]], "duplicate id", fmt.Sprintf("line %d has this number already", first)) {
					return
				}
				continue
			}
			if detail != "" {
				if !reject(line, row[at[0]], "bad id", detail) {
					return
				}
				continue
			}
			seen[e.EBook] = line
			if !yield(e, nil) {
				return
			}
		}
	}
}

func entry(row []string, at []int) (e Entry, detail string) {
	get := func(i int) string {
		if at[i] < 0 {
			return ""
		}
		return strings.Clone(strings.TrimSpace(row[at[i]])) // else one field would keep the row
	}
	n, err := strconv.ParseInt(get(0), 10, 64)
	if err != nil || n <= 0 || n > 9_999_999 {
		return e, fmt.Sprintf("Text# is %q, not an eBook's number", get(0))
	}
	return Entry{
		EBook: n, Type: get(1), Issued: get(2), Title: strings.Join(strings.Fields(get(3)), " "),
		Languages: several(get(4)), Authors: several(get(5)), Subjects: several(get(6)), LoCC: several(get(7)), Shelves: several(get(8)),
	}, ""
}

// several parts values that stand between semicolons.
func several(s string) []string {
	var values []string
	for _, v := range strings.Split(s, ";") {
		if v = strings.Join(strings.Fields(v), " "); v != "" {
			values = append(values, strings.Clone(v)) // else it would keep the field
		}
	}
	return values
}

// Selection says which entries of the catalogue are wanted. Every condition
// that is given must hold; within one, any of its values. The zero value takes
// every text.
type Selection struct {
	IDs       []int64
	Languages []string // codes; an entry must have one of them and no other
	Authors   []string // parts of an author's name, whatever the case
	Subjects  []string // parts of a subject, a shelf or a class
	From, To  string   // release dates, yyyy-mm-dd, both inclusive
}

// Number reports whether a number is wanted, as far as the number alone decides.
func (s Selection) Number(ebook int64) bool {
	return len(s.IDs) == 0 || slices.Contains(s.IDs, ebook)
}

// Wants says that an entry is a text and fits.
func (s Selection) Wants(e Entry) bool {
	return e.Type == "Text" &&
		s.Number(e.EBook) &&
		(len(s.Languages) == 0 || len(e.Languages) > 0 && !slices.ContainsFunc(e.Languages, func(l string) bool { return !slices.Contains(s.Languages, l) })) &&
		(len(s.Authors) == 0 || anyPart(e.Authors, s.Authors)) &&
		(len(s.Subjects) == 0 || anyPart(slices.Concat(e.Subjects, e.Shelves, e.LoCC), s.Subjects)) &&
		(s.From == "" || e.Issued >= s.From) && (s.To == "" || e.Issued != "" && e.Issued <= s.To)
}

// anyPart says that one of the values holds one of the parts.
func anyPart(values, parts []string) bool {
	return slices.ContainsFunc(values, func(v string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return containsFold(v, strings.ToLower(p)) })
	})
}
