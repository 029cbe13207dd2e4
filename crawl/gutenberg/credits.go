package gutenberg

import "strings"

// credit is how a paragraph begins that thanks those who made the file. All in
// lower case.
var credits = []string{
	"produced by ", "e-text prepared by", "etext prepared by", "this etext was prepared", "this etext was produced",
	"this e-text was", "this ebook was ", "this file was produced", "this text was prepared", "text prepared by",
	"prepared by ", "transcribed from", "transcribed by", "this etext was transcribed", "this etext was scanned",
	"scanned by", "scanned and proofed by", "scanned and proofread by", "digitized by", "proofread by", "html version by", "updated by",
	"credits:", "special thanks", "project gutenberg's etext of", "the project gutenberg etext of", "the project gutenberg ebook of",
	"this project gutenberg", "[this etext was", "[this file was", "note: project gutenberg also has",
	"project gutenberg has the other volume", "images of the original pages are available",
	"online distributed proofreading team", "distributed proofreading", "(this file was produced",
	"[project gutenberg editor's note", "[project gutenberg editor’s note", "note: images of the original",
	"editorial note: project gutenberg", "[\"small print\"",
}

// creditLimit is the longest paragraph that is taken for a credit.
const creditLimit = 2000

// skipCredits moves the begin of a body past credits, notices and, in the plays
// of the First Folio, the letters of the director and the scanner.
func (f *Frame) skipCredits(text string) {
	for range 12 {
		begin, end := paragraph(text[:f.End], f.Begin, creditLimit)
		if begin == end || end-begin >= creditLimit {
			return
		}
		p := text[begin:end]
		switch {
		case isCredit(p), f.thanked(text, p):
			f.Begin = end
		case isNotice(p) && strings.Contains(p, ">>"):
			f.Begin = begin + strings.Index(p, ">>") + 2
		case hasPrefixFold(p, "executive director's notes"):
			after := folioNotesEnd(text[:f.End], end)
			if after == 0 {
				return
			}
			f.Begin = after
		default:
			return
		}
		first, _, _ := strings.Cut(p, "\n")
		f.addStartMarker(strings.Trim(first, space))
	}
}

func isCredit(p string) bool {
	p = strings.TrimLeft(p, space)
	for _, c := range credits {
		if hasPrefixFold(p, c) {
			return true
		}
	}
	return false
}

// thanked says that a short paragraph under the START line is again in the
// footer, after "Produced by" or by itself: names of those who made the file.
func (f *Frame) thanked(text, p string) bool {
	names := flat(p)
	if len(names) < 8 || len(names) > 200 {
		return false
	}
	foot := text[f.End:min(len(text), f.End+2000)]
	for i := 0; i < len(foot); {
		begin, end := paragraph(foot, i, creditLimit)
		if begin == end {
			break
		}
		if flat(foot[begin:end]) == names || flat(foot[begin:end]) == "Produced by "+names {
			return true
		}
		i = end
	}
	return false
}

// flat is a paragraph on one line.
func flat(p string) string { return strings.Join(strings.Fields(p), " ") }

// addStartMarker puts a line after the markers of the start, before those of the end.
func (f *Frame) addStartMarker(s string) {
	at := len(f.Markers)
	for at > 0 && (isStarredEnd(f.Markers[at-1]) || isSoftEnd(f.Markers[at-1])) {
		at--
	}
	f.Markers = append(f.Markers[:at], append([]string{s}, f.Markers[at:]...)...)
}

// folioNotesEnd is the byte after the scanner's signature that closes the notes
// at the head of each play of the First Folio (eBooks 2235 to 2270), 0 if there is none.
func folioNotesEnd(text string, from int) int {
	const limit = 12000
	notes := text[from:min(len(text), from+limit)]
	mail := strings.Index(notes, "haradda@aol.com")
	if mail < 0 {
		return 0
	}
	sign := strings.Index(notes[mail:], "David Reed")
	if sign < 0 {
		return 0
	}
	return from + mail + sign + len("David Reed")
}
