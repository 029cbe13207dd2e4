package gutenberg

import (
	"regexp"
	"strconv"
	"strings"
)

// Header is what a file says of its book. Fields that it does not give are empty.
type Header struct {
	Title       string
	Author      string
	Language    string
	Encoding    string // as the header spells it
	ReleaseDate string // as the header spells it, such as March 18, 2006
	EBook       int64  // the number in [EBook #1342], 0 when there is none
}

var (
	ebookNumber = regexp.MustCompile(`(?i)\[\s*e-?(?:book|text)[\s-]*(?:#|no\.?|number)?\s*(\d{1,7})\s*\]`)
	field       = regexp.MustCompile(`^\s*(Title|Authors?|Language|Character set encoding|Release Date|Posting Date|Creator)\s*:\s*(.*)$`)
	byline      = regexp.MustCompile(`(?i)^\W*(?:the\s+)?project gutenberg(?:['’]s)?\s+(?:e-?(?:book|text)\s+)?(?:of\s+)?(.+?)(?:,)?\s+by\s+(.+?)\W*$`)
)

// ParseHeader reads the header of a file whose frame was found. Where the frame
// has no start, it reads the front of the file as far as a header can reach.
func ParseHeader(text string, f Frame) Header {
	head := text[:min(len(text), front)]
	if f.Begin > 0 {
		head = text[:f.Begin]
	} else if len(head) > 16<<10 {
		head = head[:16<<10]
	}
	var h Header
	lines := splitLines(head)
	for i, s := range lines {
		m := field.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		value := strings.TrimSpace(m[2])
		for _, more := range lines[i+1:] { // long titles go on, indented
			if strings.TrimSpace(more) == "" || strings.TrimLeft(more, " \t") == more || field.MatchString(more) {
				break
			}
			value += " " + strings.TrimSpace(more)
		}
		h.set(m[1], value)
	}
	if m := ebookNumber.FindStringSubmatch(head); m != nil {
		h.EBook, _ = strconv.ParseInt(m[1], 10, 64)
	}
	h.fromOldHeader(lines)
	return h
}

func (h *Header) set(name, value string) {
	put := func(to *string) {
		if *to == "" {
			*to = value
		}
	}
	switch name {
	case "Title":
		put(&h.Title)
	case "Author", "Authors", "Creator":
		put(&h.Author)
	case "Language":
		put(&h.Language)
	case "Character set encoding":
		put(&h.Encoding)
	case "Release Date":
		value, _, _ = strings.Cut(value, "[")
		value = strings.TrimSpace(value)
		put(&h.ReleaseDate)
	}
}

// fromOldHeader fills title, author and date from the lines of the nineties:
// the title, "by William Shakespeare", "June, 1999 [Etext #1778]"; or from the
// first line of all, "The Project Gutenberg EBook of Emma, by Jane Austen".
func (h *Header) fromOldHeader(lines []string) {
	for i, s := range lines {
		at := ebookNumber.FindStringIndex(s)
		if at == nil {
			continue
		}
		if date := strings.TrimSpace(s[:at[0]]); h.ReleaseDate == "" && !strings.Contains(date, ":") {
			h.ReleaseDate = date
		}
		if h.Title == "" {
			h.Title, h.Author = above(lines[:i], h.Author)
		}
		break
	}
	if h.Title != "" && h.Author != "" {
		return
	}
	for _, s := range lines[:min(len(lines), 40)] {
		if m := byline.FindStringSubmatch(strings.TrimSpace(s)); m != nil {
			if h.Title == "" {
				h.Title = m[1]
			}
			if h.Author == "" {
				h.Author = m[2]
			}
			return
		}
	}
}

// above reads a title and "by author" from the two paragraphs over a date line.
func above(lines []string, author string) (string, string) {
	var found []string // last paragraphs first
	for i := len(lines) - 1; i >= 0 && len(found) < 2; i-- {
		if s := strings.TrimSpace(lines[i]); s != "" {
			found = append(found, s)
		}
	}
	if len(found) == 2 && hasPrefixFold(found[0], "by ") {
		if author == "" {
			author = strings.TrimSpace(found[0][3:])
		}
		return found[1], author
	}
	const works = "The Complete Works of "
	if len(found) == 2 && strings.HasPrefix(found[1], works) { // the World Library's plays
		return found[0], strings.TrimPrefix(found[1], works)
	}
	return "", author
}

func splitLines(text string) []string {
	var lines []string
	for i := 0; i < len(text); {
		l := lineAt(text, i)
		lines = append(lines, text[l.begin:l.end])
		i = l.next
	}
	return lines
}
