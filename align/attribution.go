package align

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/commonplace/commonplace"
)

// attribution is what a list says of where a quote comes from. Names are compared as people write
// them: "G. Eliot" and "ELIOT, GEORGE" are one author, and "Middlemarch, ch. 3" is a place in Middlemarch.
type attribution struct {
	ebook  int64
	source string   // id of a document
	author []person // who may be meant: one name can be read in several ways
	work   []string // words of the work, and of what stands behind a name, where a list often has it
	main   []string // words of the work up to the first mark that ends a title
}

// attributionKey is what of a quote makes its attribution.
type attributionKey struct {
	author, work, source string
	ebook                int64
}

func keyOf(q *commonplace.Quote) attributionKey {
	return attributionKey{strings.TrimSpace(q.Author), strings.TrimSpace(q.Work), q.SourceID, q.EBook}
}

func (a attributionKey) compare(b attributionKey) int {
	return cmp.Or(cmp.Compare(a.author, b.author), cmp.Compare(a.work, b.work), cmp.Compare(a.source, b.source), cmp.Compare(a.ebook, b.ebook))
}

// newAttribution reads an attribution.
func newAttribution(k attributionKey) attribution {
	return attribution{ebook: k.ebook, source: k.source, author: personsOf(k.author), work: append(append(nameWords(k.work), ""), behindName(k.author)...), main: titleWords(mainTitle(k.work))}
}

// How closely a document has an attribution.
const (
	elsewhere = iota // it is of another author and work
	byAuthor         // it is by the author
	ofWork           // it is the work
)

// names are the authors and the title of a document, in words.
type names struct {
	id      string
	ebook   int64
	authors []person
	title   []string // all of it
	main    []string // up to the first mark that ends a title
	file    []string // words of its id, if it has neither author nor title: people name files by these
}

// person is a name.
type person struct {
	surname string
	given   []string
}

func namesOf(doc *commonplace.Document) names {
	n := names{id: doc.ID, ebook: doc.EBook, title: titleWords(doc.Title), main: titleWords(mainTitle(doc.Title)), authors: personsOf(doc.Author)}
	if doc.Author == "" && doc.Title == "" {
		n.file = titleWords(doc.ID)
	}
	return n
}

// betweenPersons separates the names of several.
var betweenPersons = regexp.MustCompile(`[;&/]|\sand\s`)

// nobility are titles that stand before a surname: "Alfred, Lord Tennyson".
var nobility = regexp.MustCompile(`(?i)\b(?:lord|sir|lady|baron|baroness|earl|viscount|count)\b`)

// personsOf are the names in a text, in every way in which they can be read: "Wells, H. G.
// (Herbert George)", "Mark Twain (Samuel Clemens)", "Marx, Karl; Engels, Friedrich".
func personsOf(s string) (persons []person) {
	for _, part := range betweenPersons.Split(s, -1) {
		name, other, _ := strings.Cut(part, "(")
		if i := strings.IndexAny(name, ":–—"); i > 0 && len(nameWords(name[:i])) > 0 { // a work follows
			name = name[:i]
		}
		last, first, _ := strings.Cut(name, ",")
		words, given := nameWords(last), nameWords(first)
		if len(words) == 0 {
			continue
		}
		p := person{words[len(words)-1], words[:len(words)-1]}
		if len(words) > 1 || len(given) == 0 { // else the surname alone stands first
			persons = append(persons, p)
		}
		if len(given) > 0 {
			p = person{p.surname, given}
			persons = append(persons, p)
			if nobility.MatchString(first) {
				persons = append(persons, person{given[len(given)-1], words})
			}
		}
		if full := nameWords(other); len(full) > 0 {
			if initialsOf(p.given, full) { // the given names in full
				persons = append(persons, person{p.surname, full})
			} else {
				persons = append(persons, person{full[len(full)-1], full[:len(full)-1]})
			}
		}
	}
	return persons
}

// behindName are the words of an author's field behind its first mark: "Jane Austen, Emma".
func behindName(s string) []string {
	if i := strings.IndexAny(s, ",:;(-–—"); i >= 0 {
		return nameWords(s[i:])
	}
	return nil
}

// initialsOf reports whether the given names are the initials of the words.
func initialsOf(given, words []string) bool {
	return len(given) == len(words) && !slices.ContainsFunc(given, func(s string) bool { return utf8.RuneCountInString(s) > 1 })
}

// of says how closely a document has the attribution.
func (a *attribution) of(n *names) int {
	switch {
	case a.source != "" && a.source == n.id, a.ebook != 0 && a.ebook == n.ebook, a.isOfWork(n):
		return ofWork
	case a.isBy(n):
		return byAuthor
	}
	return elsewhere
}

// isOfWork reports whether the list names the document's title, or the title begins with the
// work. A work of the same title by another author is none.
func (a *attribution) isOfWork(n *names) bool {
	if len(a.author) > 0 && len(n.authors) > 0 && !a.isBy(n) {
		return false
	}
	if letters(n.main) >= leastTitle && contains(a.work, n.main) {
		return true
	}
	return letters(a.main) >= leastTitle && (contains(n.file, a.main) || len(a.main) <= len(n.title) && slices.Equal(a.main, n.title[:len(a.main)]))
}

// isBy reports whether an author of the list is one of the document's.
func (a *attribution) isBy(n *names) bool {
	return slices.ContainsFunc(a.author, func(p person) bool {
		return utf8.RuneCountInString(p.surname) >= leastSurname && slices.Contains(n.file, p.surname) ||
			slices.ContainsFunc(n.authors, p.is)
	})
}

// is reports whether two names can be one person's: the surnames are equal, and no given
// name is another. A middle name may be missing, but not behind an initial.
func (p person) is(q person) bool {
	if p.surname != q.surname {
		return false
	}
	if len(p.given) == 0 || len(q.given) == 0 {
		return true
	}
	fits := func(w string) bool {
		return slices.ContainsFunc(q.given, func(g string) bool { return g == w || initial(g, w) || initial(w, g) })
	}
	first := p.given[0]
	known := utf8.RuneCountInString(first) > 1 && slices.Contains(q.given, first)
	return fits(first) && !slices.ContainsFunc(p.given[1:], func(w string) bool {
		return !fits(w) && !(known && utf8.RuneCountInString(w) > 1)
	})
}

// initial reports whether a is the first letter of b.
func initial(a, b string) bool {
	return utf8.RuneCountInString(a) == 1 && strings.HasPrefix(b, a)
}

const (
	leastTitle   = 4 // letters of a title that is recognised
	leastSurname = 5 // letters of a surname that is recognised in a file's name: "king-john" is not by King
)

func letters(words []string) (n int) {
	for _, w := range words {
		n += utf8.RuneCountInString(w)
	}
	return n
}

// contains reports whether the words have these in a row.
func contains(words, row []string) bool {
	for i := 0; i+len(row) <= len(words); i++ {
		if slices.Equal(words[i:i+len(row)], row) {
			return true
		}
	}
	return false
}

// mainTitle is a title without what follows its first mark: "Emma: a Novel", "Middlemarch, ch. 3".
func mainTitle(title string) string {
	title = strings.TrimLeft(title, " \"“‘'*_")
	if i := strings.IndexAny(title, ":;,(\"”*_"); i > 0 {
		title = title[:i]
	}
	return title
}

// notNames are words beside a name that are none.
var notNames = []string{"by", "the", "a", "an", "and", "of", "in", "from", "sir", "mr", "mrs", "miss", "dr", "lord", "lady", "st", "saint", "jr", "sr"}

// nameWords are the words of a name in small letters, without accents, titles and numbers.
func nameWords(s string) []string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
			return -1
		case unicode.IsLetter(r):
			return unicode.ToLower(r)
		}
		return ' '
	}, norm.NFD.String(s))
	return slices.DeleteFunc(strings.Fields(s), func(w string) bool { return slices.Contains(notNames, w) })
}

// titleWords are nameWords: titles, too, are written with articles and without.
func titleWords(s string) []string { return nameWords(s) }
