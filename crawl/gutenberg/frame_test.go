package gutenberg

import (
	"strings"
	"testing"
)

const licence = `
*** START: FULL LICENSE ***

THE FULL PROJECT GUTENBERG LICENSE
Section 1.  General Terms of Use and Redistributing Project Gutenberg-tm
electronic works. 1.E.1 The Project Gutenberg Literary Archive Foundation owns
the trademark. 1.F.3 LIMITED WARRANTY. Professor Michael S. Hart is the originator.
`

const header = `The Project Gutenberg EBook of The Mill, by Ann Author

This eBook is for the use of anyone anywhere at no cost.

Title: The Mill

Author: Ann Author

Release Date: March 18, 2006 [EBook #1438]

Language: English

`

const smallPrint = `***START**THE SMALL PRINT!**FOR PUBLIC DOMAIN ETEXTS**START***
Why is this "Small Print!" statement here?  You know: lawyers.
INDEMNITY  DISTRIBUTION UNDER "PROJECT GUTENBERG-tm" trademark
`

var story = "THE MILL\n\n" + strings.Repeat("The mill stood by the water, and the water by the mill.\n", 60) + "\nTHE END"

func TestFind(t *testing.T) {
	const start = "*** START OF THIS PROJECT GUTENBERG EBOOK THE MILL ***\n\n"
	const end = "\n\n*** END OF THIS PROJECT GUTENBERG EBOOK THE MILL ***\n"
	const oldEnd = "\n\n*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*\n\n"
	for _, c := range []struct {
		name, text, body string
		status           Status
	}{
		{"new", header + start + story + end + licence, story, Removed},
		{"the, not this", header + strings.Replace(start, "THIS", "THE", 1) + story + strings.Replace(end, "THIS", "THE", 1) + licence, story, Removed},
		{"no space after the stars", header + "***START OF THE PROJECT GUTENBERG EBOOK THE MILL***\n" + story + "\n***END OF THE PROJECT GUTENBERG EBOOK THE MILL***\n", story, Removed},
		{"leading spaces", header + "   " + start + story + "\n   " + strings.TrimLeft(end, "\n") + licence, story, Removed},
		{"lower case", header + strings.ToLower(start) + story + strings.ToLower(end), story, Removed},
		{"crlf", strings.ReplaceAll(header+start+story+end+licence, "\n", "\r\n"), strings.ReplaceAll(story, "\n", "\r\n"), Removed},
		{"cr", strings.ReplaceAll(header+start+story+end+licence, "\n", "\r"), strings.ReplaceAll(story, "\n", "\r"), Removed},
		{"byte order mark", "\ufeff" + start + story + end, story, Removed},
		{"copyrighted", header + "*** START OF THE COPYRIGHTED PROJECT GUTENBERG EBOOK, THE MILL ***\n" + story + "\n*** END OF THE COPYRIGHTED PROJECT GUTENBERG EBOOK ***\n", story, Removed},
		{"long title", header + "*** START OF THIS PROJECT GUTENBERG EBOOK THE MILL, BY THE\nWATER, COMPLETE ***\n\n" + story + "\n\n*** END OF THIS PROJECT GUTENBERG EBOOK THE MILL, BY\nTHE WATER ***\n" + licence, story, Removed},
		{"credits", header + start + "\n\nProduced by A. Volunteer, B. Volunteer and the\nOnline Distributed Proofreading Team\n\n\n" + story + "\n\nEnd of the Project Gutenberg EBook of The Mill, by\nAnn Author" + end + licence, story, Removed},
		{"credits only below", header + start + "An Anonymous Volunteer, and\nDavid Widger\n\n\n" + story + end + "\nProduced by An Anonymous Volunteer, and David Widger\n" + licence, story, Removed},
		{"small print", "Project Gutenberg's Etext of The Mill\n\n" + smallPrint + oldEnd + story + "\n\nEnd of Project Gutenberg's Etext of The Mill\n", story, Removed},
		{"start above small print", header + start + smallPrint + oldEnd + story + end, story, Removed},
		{"world library", "***** SMALL PRINT! for COMPLETE SHAKESPEARE *****\nThe etext ...\n****   SMALL PRINT! FOR __ COMPLETE SHAKESPEARE ****\n\n<<THIS ELECTRONIC VERSION IS\nPROVIDED BY PROJECT GUTENBERG.>>\n\n" +
			story + "\n\n<<THIS ELECTRONIC VERSION IS\nPROVIDED BY PROJECT GUTENBERG.>>\n\nEnd of this Etext of The Complete Works\n", story, Removed},
		{"licence inside the body", header + start + story + "\n\n" + smallPrint + oldEnd + story + "\n\n<<PROVIDED BY PROJECT GUTENBERG>>\n\n" + story + end + licence,
			story + "\n\n" + smallPrint + oldEnd + story + "\n\n<<PROVIDED BY PROJECT GUTENBERG>>\n\n" + story, Removed},
		{"german", header + start + story + "\n\nEnde dieses Projekt Gutenberg Etextes Die Mühle, von Ann Author\n" + end, story, Removed},
		{"german alone", header + start + story + "\n\nEnde dieses Project Gutenberg Etextes Die Mühle\n", story, Removed},
		{"french alone", header + start + story + "\n\nFin de Project Gutenberg's Le Moulin, by Ann Author\n", story, Removed},
		{"french project", header + start + story + "\n\nFin du projet Gutenberg\n\nFin de The Project Gutenberg Etext of Le Moulin\n", story + "\n\nFin du projet Gutenberg", Removed},
		{"small print without the second star", "Project Gutenberg Etext of The Mill\n\n" + smallPrint + "\n*END THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.12.12.00*END*\n\n\nThis etext was produced from the 1908\nedition by A. Volunteer\n\n" + story + "\n\nEnd of The Project Gutenberg Etext of The Mill, by Ann\n", story, Removed},
		{"german etext", header + start + story + "\n\nEnde dieses Etextes Die Mühle\n", story, Removed},
		{"copyrighted etext", header + start + story + "\n\n**This is a COPYRIGHTED Project Gutenberg Etext, Details Above**\n", story, Removed},
		{"no start", story + end + licence, story, NoStart},
		{"no end", header + start + story, story, NoEnd},
		{"no end but a licence", header + start + story + "\n" + licence, story, Removed},
		{"neither", story, story, None},
		{"words of an end in prose", story + "\nThe end of the project was near, said Gutenberg.\nEnd of an etext.", story + "\nThe end of the project was near, said Gutenberg.\nEnd of an etext.", None},
		{"two starts, a book between", header + start + story + "\n" + start + story + end, story + "\n" + start + story, Removed},
		{"two ends", header + start + story + end + story + end, story + end + story, Removed},
		{"end before start", header + end + start + story, story, NoEnd},
		{"header only", header + start, "", NoEnd},
		{"start and end only", header + start + "\n \r\n" + end + licence, "", Removed},
		{"empty", "", "", None},
		{"short book, long licence", header + start + "A poem." + end + licence + strings.Repeat("More of the licence, 1.E.1 and so on.\n", 500), "A poem.", Removed},
	} {
		f := Find(c.text)
		if got := f.Body(c.text); got != c.body || f.Status != c.status {
			t.Errorf("%s: %s, body %q, markers %q\nwant %s, %q", c.name, f.Status, abridged(got), f.Markers, c.status, abridged(c.body))
		}
	}
}

// What is not plainly licence and is more than half of the text is kept, whatever the markers say.
func TestKeptWhole(t *testing.T) {
	const start = "*** START OF THIS PROJECT GUTENBERG EBOOK THE MILL ***\n"
	const end = "\n*** END OF THIS PROJECT GUTENBERG EBOOK THE MILL ***\n"
	for name, text := range map[string]string{
		"end near the start":  start + "Chapter 1" + end + story + story,
		"start near the end":  story + strings.Repeat("x\n", 900) + start + "The end.",
		"french, cut to none": "Fin de Project Gutenberg" + "\n" + story,
	} {
		f := Find(text)
		if f.Status != KeptWhole || f.Begin != 0 || f.End != len(text) {
			t.Errorf("%s: %+v of %d bytes", name, f, len(text))
		}
		if len(f.Markers) == 0 {
			t.Errorf("%s: the markers that were not believed are not told", name)
		}
	}
}

func abridged(s string) string {
	if len(s) > 200 {
		return s[:100] + " ... " + s[len(s)-100:]
	}
	return s
}

func TestParseHeader(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       Header
	}{
		{"new", header + "Character set encoding: UTF-8\n\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n" + story,
			Header{"The Mill", "Ann Author", "English", "UTF-8", "March 18, 2006", 1438}},
		{"title over lines", "Title: The Mill,\n       or the Water\n\nAuthor: A. B.\n\nRelease Date: June 1, 2020 [eBook #62345]\n\n*** START OF THE PROJECT GUTENBERG EBOOK X ***\n" + story,
			Header{"The Mill, or the Water", "A. B.", "", "", "June 1, 2020", 62345}},
		{"posting date", "Title: X\nAuthor: Y\nPosting Date: August 26, 2008 [EBook #1342]\nRelease Date: June, 1998\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n" + story,
			Header{"X", "Y", "", "", "June, 1998", 1342}},
		{"nineties", "**Welcome To The World of Free Plain Vanilla Electronic Texts**\n\n\nThe Tragedy of the Mill\n\nby William Author\n\nJune, 1999 [Etext #1778]\n\n*END*THE SMALL PRINT! FOR*END*\n" + story,
			Header{"The Tragedy of the Mill", "William Author", "", "", "June, 1999", 1778}},
		{"first line alone", "The Project Gutenberg EBook of The Mill, by Ann Author\n\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n" + story,
			Header{"The Mill", "Ann Author", "", "", "", 0}},
		{"possessive", "Project Gutenberg's The Mill, by Ann Author\n\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n" + story,
			Header{"The Mill", "Ann Author", "", "", "", 0}},
		{"nothing", story, Header{}},
	} {
		if got := ParseHeader(c.text, Find(c.text)); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

// The body is always a part of the text between characters, and what is removed is reported.
func FuzzFind(f *testing.F) {
	const start = "*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n"
	const end = "\n*** END OF THIS PROJECT GUTENBERG EBOOK X ***\n"
	for _, s := range []string{"", "***", start, end, start + end, end + start, start + start + "a" + end + end, header + start + story + end + licence,
		start + "Produced by\n\n<<gutenberg>>\n\na<<gutenberg>>" + end, "*END*THE SMALL PRINT", "<<", ">>" + end,
		"Project Gutenberg's Etext of X\n\nExecutive Director's Notes:\nharadda@aol.com\nDavid Reed\n\nX\n" + end, "End of Project Gutenberg\r***\r\r", "\ufeff\xff" + start + "\xe2\x80" + end} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		frame := Find(text)
		if frame.Begin < 0 || frame.End < frame.Begin || frame.End > len(text) {
			t.Fatalf("%q: body [%d, %d)", text, frame.Begin, frame.End)
		}
		for _, at := range []int{frame.Begin, frame.End} {
			if at < len(text) && text[at]&0xc0 == 0x80 && at > 0 && text[at-1] >= 0xc0 {
				t.Fatalf("%q: %d is inside a character", text, at)
			}
		}
		if frame.End-frame.Begin < len(text) && len(frame.Markers) == 0 {
			t.Fatalf("%q: cut without a marker: %+v", text, frame)
		}
		ParseHeader(text, frame)
	})
}

// A text of nothing but START lines is not looked at anew for each of them.
func TestManyStarts(t *testing.T) {
	const mark = "*** START OF THE PROJECT GUTENBERG EBOOK A ***\n\n"
	prose := strings.Repeat("The weather was fine, and nobody said a word of it.\n\n", 40)
	for n, want := range map[int]int{mostMarks - 1: 2, mostMarks: 1} {
		text := mark + prose + strings.Repeat("*** START OF THE PROJECT GUTENBERG EBOOK B ***\n", n) + strings.Repeat("Of Project Gutenberg.\n", 200) + "\n" + mark + prose
		if _, marks := findStart(text); len(marks) != want {
			t.Errorf("%d marks that do not count: %q", n, marks)
		}
	}
}
