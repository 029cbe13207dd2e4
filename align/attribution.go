package align

import (
	"cmp"
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
	author []string // words of the author's name
	work   []string // words of the work, and of the author, where a list often has the work
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
	return attribution{ebook: k.ebook, source: k.source, author: nameWords(k.author), work: append(append(nameWords(k.work), ""), nameWords(k.author)...), main: titleWords(mainTitle(k.work))}
}

// How closely a document has an attribution.
const (
	elsewhere = iota // it is of another author and work
	byAuthor         // it is by the author
	ofWork           // it is the work
)

// names are the author and the title of a document, in words.
type names struct {
	id       string
	ebook    int64
	surnames []string
	given    []string
	title    []string // all of it
	main     []string // up to the first mark that ends a title
	file     []string // words of its id, if it has neither author nor title: people name files by these
}

func namesOf(doc *commonplace.Document) names {
	n := names{id: doc.ID, ebook: doc.EBook, title: titleWords(doc.Title), main: titleWords(mainTitle(doc.Title))}
	if doc.Author == "" && doc.Title == "" {
		n.file = titleWords(doc.ID)
	}
	// Wells, H. G. (Herbert George); Mark Twain (Samuel Clemens)
	name, other, _ := strings.Cut(doc.Author, "(")
	for i, part := range [2]string{name, other} {
		last, first, turned := strings.Cut(part, ",")
		words := nameWords(last)
		if len(words) == 0 {
			continue
		}
		if turned {
			n.surnames, n.given = append(n.surnames, words[len(words)-1]), append(n.given, nameWords(first)...)
		} else if i == 0 || len(n.given) == 0 || !initialsOf(n.given, words) {
			n.surnames, n.given = append(n.surnames, words[len(words)-1]), append(n.given, words[:len(words)-1]...)
		} else { // the given names in full
			n.given = append(n.given, words...)
		}
	}
	return n
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

// isOfWork reports whether the list names the document's title, or the title begins with the work.
func (a *attribution) isOfWork(n *names) bool {
	if letters(n.main) >= leastTitle && contains(a.work, n.main) {
		return true
	}
	return letters(a.main) >= leastTitle && (contains(n.file, a.main) || len(a.main) <= len(n.title) && slices.Equal(a.main, n.title[:len(a.main)]))
}

// isBy reports whether the list has the author's surname and no given name that is not the author's.
func (a *attribution) isBy(n *names) bool {
	if slices.ContainsFunc(a.author, func(w string) bool { return len(w) >= leastTitle && slices.Contains(n.file, w) }) {
		return true
	}
	at := slices.IndexFunc(a.author, func(w string) bool { return slices.Contains(n.surnames, w) })
	if at < 0 {
		return false
	}
	fits, others := 0, 0
	for i, w := range a.author {
		if i == at {
			continue
		}
		others++
		if slices.ContainsFunc(n.given, func(g string) bool { return g == w || initial(g, w) || initial(w, g) }) || slices.Contains(n.surnames, w) {
			fits++
		}
	}
	return others == 0 || len(n.given) == 0 || 2*fits >= others
}

// initial reports whether a is the first letter of b.
func initial(a, b string) bool {
	return utf8.RuneCountInString(a) == 1 && strings.HasPrefix(b, a)
}

const leastTitle = 4 // letters of a title that is recognised

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
