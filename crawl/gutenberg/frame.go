// Package gutenberg knows what a Project Gutenberg file looks like: the frame
// around the book (header, credits, licence), what the header says of the book,
// and where a mirror keeps the files.
//
// [Find] says where the body is and never changes the text:
//
//	frame := gutenberg.Find(text)
//	body := text[frame.Begin:frame.End]
//
// It looks for the START and END lines of files since about 2004, for the end
// of the "small print" of the files before, for German and French end lines,
// and for the credits that stand between a START line and the title. Markers
// count only where frames stand: at the front and, for the weaker ones, at the
// very end, so that a licence inside a body does not end the book.
//
// Two failures of other tools shaped it: a Shakespeare of 5.6 MB cut to 5 KB
// and a French book cut to nothing. When more than half of a book would go, the
// book is kept whole and marked so. The Gutenberg licence and the small print,
// where they are recognised as such, are not part of the book in this count,
// or no short story would ever be freed of its licence.
package gutenberg

import "strings"

// Status says what became of a frame. The values are those of the column
// documents.frame_status.
type Status string

// What [Find] can say.
const (
	Removed   Status = "removed"    // start and end were found
	NoStart   Status = "no start"   // only an end was found; the body begins at 0
	NoEnd     Status = "no end"     // only a start was found; the body ends with the text
	None      Status = "none"       // neither; the body is the text
	KeptWhole Status = "kept whole" // more than half would have gone; the body is the text
)

// Frame is where a book's body is in its file, in bytes, and why.
type Frame struct {
	Begin, End int      // the body: text[Begin:End]
	Markers    []string // the lines taken for frame, in order, trimmed
	Status     Status
}

// Body is the part of the text that the frame encloses.
func (f Frame) Body(text string) string { return text[f.Begin:f.End] }

// Find finds the frame of a file. The body begins and ends with a character
// that is not white space, or is empty.
func Find(text string) Frame {
	begin, startMarkers := findStart(text)
	end, endMarkers := findEnd(text, begin)
	f := Frame{Begin: begin, End: end, Markers: append(startMarkers, endMarkers...)}
	switch hasStart, hasEnd := len(startMarkers) > 0, len(endMarkers) > 0; {
	case hasStart && hasEnd:
		f.Status = Removed
	case hasStart:
		f.Status = NoEnd
	case hasEnd:
		f.Status = NoStart
	default:
		return Frame{End: len(text), Status: None}
	}
	f.skipCredits(text)
	f.trim(text)
	if f.removesTooMuch(text) {
		f.Begin, f.End, f.Status = 0, len(text), KeptWhole
	}
	return f
}

// removesTooMuch says that more than half of the book would go. What is plainly
// header, licence or small print is no part of the book.
func (f *Frame) removesTooMuch(text string) bool {
	gone := 0
	if head := text[:f.Begin]; !isLicence(head) && !isHeader(head) {
		gone += others(head)
	}
	if foot := text[f.End:]; !isLicence(foot) {
		gone += others(foot)
	}
	return gone > f.End-f.Begin
}

// headerLimit is more than any header without small print is long, and
// licenceLimit than any licence or small print.
const (
	headerLimit  = 8 << 10
	licenceLimit = 48 << 10
)

// isHeader recognises a header since 2004 by its fields.
func isHeader(part string) bool {
	return len(part) <= headerLimit && containsFold(part, "gutenberg") &&
		(strings.Contains(part, "\nTitle:") || strings.HasPrefix(part, "Title:") || ebookNumber.MatchString(part))
}

// isLicence recognises Gutenberg's licence and small print by their own words.
func isLicence(part string) bool {
	if len(part) > licenceLimit {
		return false
	}
	seen := 0
	for _, words := range []string{
		"Gutenberg",
		"Section 1.  General Terms of Use", "Section 1. General Terms of Use",
		"Literary Archive Foundation", "1.E.1", "1.F.3",
		"LIMITED WARRANTY", "Small Print!", "SMALL PRINT!",
		"DISTRIBUTION UNDER", "INDEMNITY", "Michael S. Hart",
		"copying and distributing", "trademark",
	} {
		if strings.Contains(part, words) {
			seen++
		}
	}
	return seen >= 4
}

// others is how many bytes of a part stand in paragraphs that do not speak of
// Gutenberg's own affairs.
func others(part string) int {
	n := 0
	for i := 0; i < len(part); {
		begin, end := paragraph(part, i, licenceLimit)
		if begin == end {
			break
		}
		if !isOwnAffair(part[begin:end]) {
			n += end - begin
		}
		i = end
	}
	return n
}

// trim narrows the body to what is between white space.
func (f *Frame) trim(text string) {
	body := text[f.Begin:f.End]
	f.Begin += len(body) - len(strings.TrimLeft(body, space))
	f.End = f.Begin + len(strings.TrimRight(text[f.Begin:f.End], space))
}

// space is what is trimmed at a body's ends: white space, the byte order mark
// and the end-of-file mark of DOS.
const space = " \t\r\n\f\v\u00a0\ufeff\x1a"
