package group

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label/internal/disjoint"
)

// AuthorName is a person's name in words that can be compared, however it was
// written: small letters, no accents, no dates, no titles, given names first.
type AuthorName struct {
	words  []string
	family []string // those of words that another spelling must have, too
}

// String is the name in its normal form: dickens, charles.
func (n AuthorName) String() string {
	given := slices.DeleteFunc(slices.Clone(n.words), func(w string) bool { return slices.Contains(n.family, w) })
	if len(given) == 0 {
		return strings.Join(n.family, " ")
	}
	return strings.Join(n.family, " ") + ", " + strings.Join(given, " ")
}

// Same says that two names can be one person's: each has the other's family
// name, and each word of the shorter is a word of the longer, or its initial.
// Folds ask it, so doubt joins: J. Smith is the same as John and as Jane Smith.
func (n AuthorName) Same(other AuthorName) bool {
	if len(n.words) > len(other.words) {
		n, other = other, n
	}
	return haveAny(other.words, n.family) && haveAny(n.words, other.family) && abbreviates(n.words, other.words)
}

func haveAny(words, wanted []string) bool {
	return slices.ContainsFunc(wanted, func(w string) bool { return slices.Contains(words, w) })
}

// abbreviates says that each word of the shorter list is one of the longer, or the
// initial of one, or has one as its initial; none is taken twice.
func abbreviates(short, long []string) bool {
	left := slices.Clone(long)
	var rest []string
	for _, w := range short {
		if i := slices.Index(left, w); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			rest = append(rest, w)
		}
	}
	for _, w := range rest {
		i := slices.IndexFunc(left, func(l string) bool { return initialOf(w, l) || initialOf(l, w) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

func initialOf(initial, word string) bool {
	return utf8.RuneCountInString(initial) == 1 && strings.HasPrefix(word, initial)
}

// AuthorNames reads an author as libraries write one: "Dickens, Charles,
// 1812-1870", "Charles Dickens", "Chesterton, G. K. (Gilbert Keith)". Several
// persons give several names, and so does a pseudonym where the text says whose
// it is: "Mark Twain (Samuel Clemens)". Unknown authors give none.
func AuthorNames(author string) []AuthorName {
	if author == "" {
		return nil
	}
	var names []AuthorName
	for _, person := range strings.Split(several.Replace(author), ";") {
		names = append(names, namesOf(person)...)
	}
	return names
}

var several = strings.NewReplacer(" and ", ";", " & ", ";")

// namesOf are the names of one person.
func namesOf(person string) []AuthorName {
	person, roles := cutOut(person, '[', ']')
	if slices.ContainsFunc(roles, func(r string) bool { return helpers[strings.ToLower(strings.TrimSpace(r))] }) {
		return nil
	}
	person, inside := cutOut(person, '(', ')')
	name := parseName(person)
	if len(name.words) == 0 || nobody[strings.Join(name.words, " ")] {
		return nil
	}
	names := []AuthorName{name}
	for _, text := range inside {
		other := parseName(text)
		given := slices.DeleteFunc(slices.Clone(name.words), func(w string) bool { return slices.Contains(name.family, w) })
		switch {
		case len(given) > 0 && abbreviates(given, other.words): // the given names in full
			names[0].words = append(other.words, name.family...)
		case len(other.words) > 1: // another name of the same person
			names = append(names, other)
		}
	}
	return names
}

// cutOut takes what stands between brackets out of a text.
func cutOut(text string, left, right rune) (rest string, inside []string) {
	for {
		i := strings.IndexRune(text, left)
		n := strings.IndexRune(text[max(i, 0):], right)
		if i < 0 || n < 0 {
			return text, inside
		}
		inside = append(inside, text[i+1:i+n])
		text = text[:i] + " " + text[i+n+1:]
	}
}

// parseName reads "family, given" or "given family".
func parseName(text string) AuthorName {
	var parts [][]string
	for i, part := range strings.Split(text, ",") {
		words := nameWords(part)
		if len(words) > 0 && (i == 0 || !isTitle(part)) {
			parts = append(parts, words)
		}
	}
	switch len(parts) {
	case 0:
		return AuthorName{}
	case 1:
		return AuthorName{words: parts[0], family: parts[0][len(parts[0])-1:]}
	}
	return AuthorName{words: append(parts[1], parts[0]...), family: parts[0]}
}

// isTitle says that a part between commas is no given name: graf, Sir, Emperor of
// Rome, Jr.
func isTitle(part string) bool {
	words := strings.FieldsFunc(part, notLetter)
	return len(words) == 0 || titles[strings.ToLower(words[0])] || !slices.ContainsFunc(words, capitalised)
}

// nameWords are the words of a part of a name, without particles and titles.
func nameWords(part string) []string {
	part = strings.NewReplacer("'", "", "’", "").Replace(part)
	written := strings.FieldsFunc(part, notLetter)
	for len(written) > 1 && titles[strings.ToLower(written[0])] {
		written = written[1:]
	}
	if slices.ContainsFunc(written, capitalised) {
		written = slices.DeleteFunc(written, func(w string) bool { return !capitalised(w) }) // de, von, of
	}
	for i, w := range written {
		written[i] = strings.ToLower(strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(w)))
	}
	return written
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) }

// capitalised is also said of words in a script without capitals.
func capitalised(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return !unicode.IsLower(r)
}

func setOf(words ...string) map[string]bool {
	set := map[string]bool{}
	for _, w := range words {
		set[w] = true
	}
	return set
}

var (
	titles = setOf("sir", "lord", "lady", "dame", "mr", "mrs", "miss", "ms", "dr", "rev", "reverend", "saint", "st", "count", "countess", "graf", "baron", "baroness",
		"baronne", "marquis", "marquise", "comte", "comtesse", "vicomte", "duc", "duke", "duchess", "prince", "princess", "emperor", "king", "queen", "pope", "bishop",
		"captain", "colonel", "general", "professor", "jr", "sr", "père", "fils", "madame", "monsieur", "b", "d", "ca", "active")
	helpers = setOf("editor", "translator", "illustrator", "contributor", "commentator", "compiler", "annotator", "introduction", "author of introduction, etc.")
	nobody  = setOf("various", "anonymous", "unknown", "anon", "nobody")
)

// SameAuthor says that two authors, however written, can be one; an author who is
// unknown can be anybody.
func SameAuthor(a, b string) bool {
	ours, theirs := AuthorNames(a), AuthorNames(b)
	if len(ours) == 0 || len(theirs) == 0 {
		return true
	}
	return slices.ContainsFunc(ours, func(n AuthorName) bool { return slices.ContainsFunc(theirs, n.Same) })
}

// KeepAuthors gives every work its author's normal name, the same for all that must
// be in one fold: documents of one work or of one author, and so on from one to the
// next. Of several names it is the first in alphabetical order; works of unknown
// authors get none. authors are documents.author by doc_id.
func KeepAuthors(works []commonplace.Work, authors map[string]string) {
	nodes := map[string]int{} // works, and names behind a NUL
	node := func(key string) int {
		if _, ok := nodes[key]; !ok {
			nodes[key] = len(nodes)
		}
		return nodes[key]
	}
	var pairs [][2]int
	var names []AuthorName
	byWord := map[string][]int{} // of names
	for _, w := range works {    // one without a name needs no node: there may be millions
		for _, n := range AuthorNames(authors[w.DocID]) {
			if _, seen := nodes["\x00"+n.String()]; !seen {
				for _, word := range slices.Compact(slices.Sorted(slices.Values(n.words))) {
					byWord[word] = append(byWord[word], len(names))
				}
				names = append(names, n)
			}
			pairs = append(pairs, [2]int{node(w.Work), node("\x00" + n.String())})
		}
	}
	trees := disjoint.New(len(nodes))
	for _, p := range pairs {
		trees.Join(p[0], p[1])
	}
	for _, n := range names {
		for _, word := range n.family {
			for _, i := range byWord[word] {
				if n.Same(names[i]) {
					trees.Join(node("\x00"+n.String()), node("\x00"+names[i].String()))
				}
			}
		}
	}
	first := map[int]string{} // by root
	for _, n := range names {
		r := trees.Root(node("\x00" + n.String()))
		if name := n.String(); first[r] == "" || name < first[r] {
			first[r] = name
		}
	}
	for i, w := range works {
		if n, named := nodes[w.Work]; named {
			works[i].Author = first[trees.Root(n)]
		}
	}
}
