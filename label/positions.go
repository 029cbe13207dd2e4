package label

import (
	"fmt"
	"slices"
	"sort"
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

// Sections are the parts of a document by the name of their level, such as
// "Chapter", each in order and without overlap. The whole document needs none.
type Sections map[string][]commonplace.Span

// level is one kind of part in a genre's tokens.
type level struct {
	name   string
	whole  bool // the document itself
	within bool // [Chapter@n] is the passage's place in its chapter, not the chapter's in the document
	inside bool // marks stand where the section begins and ends, also within a passage; no decile
}

var levels = map[Genre][]level{
	Scripture: {{name: "Book", whole: true}, {name: "Chapter", within: true}},
	Drama:     {{name: "Play", whole: true}, {name: "Act", within: true}, {name: "Scene", within: true}},
	Prose:     {{name: "Book", whole: true}, {name: "Chapter"}, {name: "Paragraph"}},
	Latin:     {{name: "Book", whole: true}, {name: "Section", inside: true}},
}

// Marked are the texts of all passages of a document with their positional
// tokens: those that say what begins there, from the largest to the smallest,
// those that say where the passage stands ([Book@n], n the decile, 0 to 9), the
// text, and those that say what ends, from the smallest to the largest.
//
//	[Starts-Book] [Starts-Chapter] [Book@0] [Chapter@0] In the beginning ...
//
// A passage belongs to the section in which it begins. One that begins in none
// of a level (a title page) gets no token of that level.
func Marked(genre Genre, passages []commonplace.Passage, sections Sections) ([]string, error) {
	kinds, ok := levels[genre]
	if !ok {
		return nil, fmt.Errorf("genre %q is not known: use %s, %s, %s or %s", genre, Scripture, Drama, Prose, Latin)
	}
	passages = inOrder(passages)
	n := len(passages)
	starts, places, ends := make([]string, n), make([]string, n), make([]string, n)
	texts := make([]string, n)
	for i, p := range passages {
		texts[i] = p.Text
	}
	for _, l := range kinds {
		if l.inside {
			if err := markInside(l.name, passages, sections[l.name], texts); err != nil {
				return nil, err
			}
			continue
		}
		of, count, err := membership(l, passages, sections[l.name])
		if err != nil {
			return nil, err
		}
		for i := 0; i < n; {
			last := i
			for last+1 < n && of[last+1] == of[i] {
				last++
			}
			if of[i] >= 0 {
				starts[i] += "[Starts-" + l.name + "] "
				ends[last] = " [Ends-" + l.name + "]" + ends[last]
			}
			for k := i; k <= last && of[i] >= 0; k++ {
				at, total := of[i], count // the section's place in the document
				if l.whole || l.within {
					at, total = k-i, last-i+1
				}
				places[k] += fmt.Sprintf("[%s@%d] ", l.name, 10*at/total)
			}
			i = last + 1
		}
	}
	for i := range texts {
		texts[i] = starts[i] + places[i] + texts[i] + ends[i]
	}
	return texts, nil
}

// membership is the section of each passage, -1 for none, and how many there are.
func membership(l level, passages []commonplace.Passage, sections []commonplace.Span) ([]int, int, error) {
	of := make([]int, len(passages))
	if l.whole {
		return of, 1, nil
	}
	if err := ordered(l.name, sections); err != nil {
		return nil, 0, err
	}
	for i, p := range passages {
		at := sort.Search(len(sections), func(k int) bool { return sections[k].Begin > int(p.Begin) }) - 1
		if at >= 0 && int(p.Begin) >= sections[at].End {
			at = -1
		}
		of[i] = at
	}
	return of, len(sections), nil
}

func ordered(name string, sections []commonplace.Span) error {
	for i, s := range sections {
		if s.End <= s.Begin || i > 0 && s.Begin < sections[i-1].End {
			return fmt.Errorf("%s %d of %d is [%d:%d]: sections must be in order, apart, and not empty", name, i+1, len(sections), s.Begin, s.End)
		}
	}
	return nil
}

// markInside puts the marks of sections where they begin and end in the texts.
func markInside(name string, passages []commonplace.Passage, sections []commonplace.Span, texts []string) error {
	if err := ordered(name, sections); err != nil {
		return err
	}
	type mark struct {
		at   int
		text string
	}
	var marks []mark // ends before starts at one place, as sections are in order
	for _, s := range sections {
		if first, last := touched(passages, int64(s.Begin), int64(s.End)); first == last {
			continue // nothing but white space
		}
		marks = append(marks, mark{s.Begin, "[Starts-" + name + "] "}, mark{s.End, " [Ends-" + name + "]"})
	}
	slices.SortStableFunc(marks, func(a, b mark) int { return a.at - b.at })
	next := 0
	for i, p := range passages {
		var b strings.Builder
		offsets := commonplace.NewOffsets(p.Text)
		from := 0
		for next < len(marks) {
			m := marks[next]
			starts := strings.HasPrefix(m.text, "[")
			// A start at a passage's end is the next passage's; an end is this one's.
			if m.at > int(p.End) || m.at == int(p.End) && starts {
				break
			}
			next++
			if m.at < int(p.Begin) && !starts {
				continue // ended between passages: the last one has it already
			}
			to := offsets.Byte(max(0, m.at-int(p.Begin)))
			b.WriteString(p.Text[from:to])
			b.WriteString(m.text)
			from = to
		}
		b.WriteString(p.Text[from:])
		texts[i] = b.String()
		// What ends in the gap before the next passage ends here.
		for next < len(marks) && !strings.HasPrefix(marks[next].text, "[") && (i+1 == len(passages) || marks[next].at <= int(passages[i+1].Begin)) {
			texts[i] += marks[next].text
			next++
		}
	}
	return nil
}
