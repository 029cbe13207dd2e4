package label

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
)

// Genre says which positional tokens a document's passages get (content-based
// models of quotation, Appendix F).
type Genre string

// The genres of the paper's five datasets.
const (
	Scripture Genre = "scripture" // verses: book, chapter
	Drama     Genre = "drama"     // lines: play, act, scene
	Prose     Genre = "prose"     // sentences: book, chapter, paragraph
	Latin     Genre = "latin"     // sentences: book, and sections that begin anywhere
)

// level is one kind of place in a genre's tokens.
type level struct {
	name string
	kind string // of passages.places
	of   bool   // [Chapter@n] is the chapter's place in the document, not the passage's in its chapter
}

var levels = map[Genre][]level{
	Scripture: {{name: "Book", kind: commonplace.PlaceDocument}, {name: "Chapter", kind: commonplace.PlaceChapter}},
	Drama:     {{name: "Play", kind: commonplace.PlaceDocument}, {name: "Act", kind: commonplace.PlaceAct}, {name: "Scene", kind: commonplace.PlaceScene}},
	Prose: {{name: "Book", kind: commonplace.PlaceDocument}, {name: "Chapter", kind: commonplace.PlaceChapter, of: true},
		{name: "Paragraph", kind: commonplace.PlaceParagraph, of: true}},
	Latin: {{name: "Book", kind: commonplace.PlaceDocument}},
}

// Marked are the texts of all passages of a document with their positional
// tokens: those that say what begins there, from the largest to the smallest,
// those that say where the passage stands ([Book@n], n the decile, 0 to 9), the
// text, and those that say what ends, from the smallest to the largest.
//
//	[Starts-Book] [Starts-Chapter] [Book@0] [Chapter@0] In the beginning ...
//
// They follow passages.places: a passage in no place of a kind (a title page)
// gets no token of it. sections are for [Latin] alone, whose [Starts-Section]
// and [Ends-Section] stand where an edition's sections begin and end, also
// within a passage: code points of the document, in order and apart.
func Marked(genre Genre, passages []commonplace.Passage, sections []commonplace.Span) ([]string, error) {
	kinds, ok := levels[genre]
	if !ok {
		return nil, fmt.Errorf("genre %q is not known: use %s, %s, %s or %s", genre, Scripture, Drama, Prose, Latin)
	}
	if len(sections) > 0 && genre != Latin {
		return nil, fmt.Errorf("sections are given for genre %s: only %s has marks within passages", genre, Latin)
	}
	passages = inOrder(passages)
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.Text
	}
	if err := markSections(passages, sections, texts); err != nil {
		return nil, err
	}
	for i, p := range passages {
		var starts, at, ends string
		for _, l := range kinds {
			place, ok := placeOf(p, l.kind)
			if !ok {
				continue
			}
			if place.First {
				starts += "[Starts-" + l.name + "] "
			}
			if place.Last {
				ends = " [Ends-" + l.name + "]" + ends
			}
			decile := place.Decile
			if l.of {
				decile = 10 * place.Index / max(1, place.Count)
			}
			at += fmt.Sprintf("[%s@%d] ", l.name, decile)
		}
		texts[i] = starts + at + texts[i] + ends
	}
	return texts, nil
}

// placeOf is the innermost place of a kind.
func placeOf(p commonplace.Passage, kind string) (commonplace.Place, bool) {
	for _, place := range slices.Backward(p.Places) {
		if place.Kind == kind {
			return place, true
		}
	}
	return commonplace.Place{}, false
}

// The marks of sections.
const (
	startsSection = "[Starts-Section] "
	endsSection   = " [Ends-Section]"
)

// markSections puts the marks of sections where they begin and end in the texts.
func markSections(passages []commonplace.Passage, sections []commonplace.Span, texts []string) error {
	type mark struct {
		at     int
		starts bool
	}
	var marks []mark // at one place, the end of a section comes before the start of the next
	for i, s := range sections {
		if s.End <= s.Begin || i > 0 && s.Begin < sections[i-1].End {
			return fmt.Errorf("section %d of %d is [%d:%d]: sections must be in order, apart, and not empty", i+1, len(sections), s.Begin, s.End)
		}
		if first, last := touched(passages, int64(s.Begin), int64(s.End)); first == last {
			continue // nothing but white space
		}
		marks = append(marks, mark{s.Begin, true}, mark{s.End, false})
	}
	next := 0
	for i, p := range passages {
		var b strings.Builder
		offsets := commonplace.NewOffsets(p.Text)
		from := 0
		for next < len(marks) {
			m := marks[next]
			// A start at a passage's end is the next passage's; an end is this one's.
			if m.at > int(p.End) || m.at == int(p.End) && m.starts {
				break
			}
			next++
			to := offsets.Byte(max(0, m.at-int(p.Begin)))
			b.WriteString(p.Text[from:to])
			if m.starts {
				b.WriteString(startsSection)
			} else {
				b.WriteString(endsSection)
			}
			from = to
		}
		b.WriteString(p.Text[from:])
		// What ends in the gap before the next passage ends here.
		for next < len(marks) && !marks[next].starts && (i+1 == len(passages) || marks[next].at <= int(passages[i+1].Begin)) {
			b.WriteString(endsSection)
			next++
		}
		texts[i] = b.String()
	}
	return nil
}

var positionToken = regexp.MustCompile(`\[(?:(?:Starts|Ends)-[A-Z][a-z]+|[A-Z][a-z]+@[0-9])\] ?`)

// Unmarked is a text that [Marked] made without its positional tokens, and how
// many there were: a model has each in its vocabulary as one piece.
func Unmarked(marked string) (text string, tokens int) {
	text = positionToken.ReplaceAllStringFunc(marked, func(string) string { tokens++; return "" })
	return strings.TrimSpace(text), tokens
}
