package segment

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	commonplace "github.com/commonplace/commonplace"
)

// prose is a paragraph that nothing takes for a heading, longer than any entry of a table of contents.
var prose = strings.TrimSpace(strings.Repeat("The mill stood by the water and turned when the water came down from\nthe hills, and nobody in the village could say who had built it first.\n", 12))

// told writes an outline as indented lines: kind and title.
func toldOutline(text string) []string {
	s := outline(text)
	var out []string
	for _, u := range s.headed[1:] {
		depth := 0
		for p := u.parent; p > 0; p = s.headed[p].parent {
			depth++
		}
		out = append(out, strings.Repeat(" ", depth)+ranks[u.rank]+" "+u.title)
	}
	return out
}

func TestOutline(t *testing.T) {
	book := func(parts ...string) string {
		var b strings.Builder
		for _, p := range parts {
			if p == "" {
				p = prose
			}
			b.WriteString(p + "\n\n\n")
		}
		return b.String()
	}
	for _, c := range []struct {
		name string
		text string
		want []string
	}{
		{"numerals", book("CHAPTER I.", "", "CHAPTER II.", ""), []string{"chapter CHAPTER I.", "chapter CHAPTER II."}},
		{"words and titles", book("Chapter One", "The Miller", "", "Chapter Twenty-One: The Flood", "", "CHAPTER TWENTY TWO", ""),
			[]string{"chapter Chapter One", "chapter Chapter Twenty-One: The Flood", "chapter CHAPTER TWENTY TWO"}},
		{"title on the next line", book("CHAPTER 3\nIn Which It Rains", "", "CHAPTER 4\nin which it rains on and on, and so the story comes\nto no end; a summary of the chapter", ""),
			[]string{"chapter CHAPTER 3 In Which It Rains", "chapter CHAPTER 4 in which it rains on and on, and so the story comes to no end; a summary of the chapter"}},
		{"parts and numbers alone", book("PART I", "I", "", "II.", "", "PART THE SECOND", "I", "", "II", ""),
			[]string{"part PART I", " chapter I", " chapter II.", "part PART THE SECOND", " chapter I", " chapter II"}},
		{"parts of books and books of parts", book("BOOK ONE: 1805", "PART I", "CHAPTER I", "", "PART II", "CHAPTER I", "", "BOOK TWO", "PART I", ""),
			[]string{"book BOOK ONE: 1805", " part PART I", "  chapter CHAPTER I", " part PART II", "  chapter CHAPTER I", "book BOOK TWO", " part PART I"}},
		{"parts hold books", book("PART I", "BOOK I", "", "BOOK II", "", "PART II", "BOOK III", ""),
			[]string{"part PART I", " book BOOK I", " book BOOK II", "part PART II", " book BOOK III"}},
		{"contents by line", book("CONTENTS", "CHAPTER I. The Miller\nCHAPTER II. The Flood\nCHAPTER III. The End", "CHAPTER I. The Miller", "", "CHAPTER II. The Flood", ""),
			[]string{"chapter CHAPTER I. The Miller", "chapter CHAPTER II. The Flood"}},
		{"contents by paragraph", book("CONTENTS", "CHAPTER I.", "CHAPTER II.", "CHAPTER III.", "CHAPTER I.", "", "CHAPTER II.", "", "CHAPTER III.", ""),
			[]string{"chapter CHAPTER I.", "chapter CHAPTER II.", "chapter CHAPTER III."}},
		{"contents that nothing announces", book("BOOK ONE", "CHAPTER I", "CHAPTER II", "BOOK TWO", "CHAPTER I", "BOOK ONE", "CHAPTER I", "", "CHAPTER II", "", "BOOK TWO", "CHAPTER I", ""),
			[]string{"book BOOK ONE", " chapter CHAPTER I", " chapter CHAPTER II", "book BOOK TWO", " chapter CHAPTER I"}},
		{"collection", book("Contents", "THE MILL\nTHE FLOOD\nA LETTER HOME", "THE MILL", "I", "", "II", "", "THE FLOOD", "", "A LETTER HOME", ""),
			[]string{"part THE MILL", " chapter I", " chapter II", "part THE FLOOD", "part A LETTER HOME"}},
		{"essays", book("CONTENTS", "The Mill\n\nThe Flood", "", "THE MILL", "", "THE FLOOD", ""), []string{"chapter THE MILL", "chapter THE FLOOD"}},
		{"contents that say what a story is about", book("CONTENTS", "INTRODUCTION by a Friend\n\nTHE BOOK OF RAIN\n\nHANDS, concerning the Miller\n\nMOTHER: about a widow\n\nThe Flood, Rain, and Hail", "INTRODUCTION", "by a Friend", "", "THE BOOK OF RAIN", "", "HANDS", "", "MOTHER", "", "The Flood", ""),
			[]string{"chapter INTRODUCTION", "chapter THE BOOK OF RAIN", "chapter HANDS", "chapter MOTHER"}},
		{"a list of illustrations", book("CONTENTS", "THE MILL\nTHE FLOOD", "ILLUSTRATIONS", "On the Water", "Rain", "Hail", "On the Water", "The Miller", "", "THE MILL", "", "THE FLOOD", ""),
			[]string{"chapter THE MILL", "chapter THE FLOOD"}},
		{"illustrations among the titles", book("CONTENTS", "List of Illustrations", "THE MILL", "THE FLOOD", "THE RAIN", "THE MILL", "", "THE FLOOD", "", "THE RAIN", ""),
			[]string{"chapter THE MILL", "chapter THE FLOOD", "chapter THE RAIN"}},
		{"illustrations among the titles, with pages", book("CONTENTS", "PREFACE    5", "List of Illustrations    9", "THE MILL    11", "THE FLOOD    30", "THE MILL", "", "THE FLOOD", ""),
			[]string{"chapter THE MILL", "chapter THE FLOOD"}},
		{"illustrations among the titles and then their list", book("CONTENTS", "THE MILL", "ILLUSTRATIONS", "THE FLOOD", "ILLUSTRATIONS", "On the Water", "Rain", "On the Water", "The Miller", "", "THE MILL", "", "THE FLOOD", ""),
			[]string{"chapter THE MILL", "chapter THE FLOOD"}},
		{"a list of illustrations below titles of a paragraph each", book("CONTENTS", "THE MILL", "THE FLOOD\n\n", "ILLUSTRATIONS", "On the Water", "Rain", "Hail", "On the Water", "The Miller", "", "THE MILL", "", "THE FLOOD", ""),
			[]string{"chapter THE MILL", "chapter THE FLOOD"}},
		{"a poem inside that counts from two", book("I", "", "II", "", "III", "", "IV", "", "V", "", "II", "", "III", "", "VI", "", "VII", "", "VIII", ""),
			[]string{"chapter I", "chapter II", "chapter III", "chapter IV", "chapter V", "chapter VI", "chapter VII", "chapter VIII"}},
		{"a poem inside that counts up to the next number", book("I", "", "II", "", "III", "", "IV", "", "II", "", "III", "", "IV", "", "V", "", "VI", ""),
			[]string{"chapter I", "chapter II", "chapter III", "chapter IV", "chapter V", "chapter VI"}},
		{"a count from two in another part", book("PART I", "I", "", "II", "", "III", "", "PART II", "II", "", "III", "", "IV", ""),
			[]string{"part PART I", " chapter I", " chapter II", " chapter III", "part PART II", " chapter II", " chapter III", " chapter IV"}},
		{"a narrator twice", book("CONTENTS", "TOLD BY ANN\nTOLD BY BOB\nTOLD BY ANN", "TOLD BY ANN", "", "TOLD BY BOB", "", "TOLD BY ANN", ""),
			[]string{"chapter TOLD BY ANN", "chapter TOLD BY BOB", "chapter TOLD BY ANN"}},
		{"a title that somebody says", book("CONTENTS", "ANN MILLER\nBOBBY", "ANN MILLER", "", "“Ann Miller!”", "BOBBY SMITH", "", "BOBBY", ""), []string{"chapter ANN MILLER", "chapter BOBBY"}},
		{"a title that is the last words too", book("CONTENTS", "WAS IT RAIN?\nTHE FLOOD", "WAS IT RAIN?", "CHAPTER I", "", "CHAPTER II", "Was it Rain?", "THE FLOOD", ""),
			[]string{"part WAS IT RAIN?", " chapter CHAPTER I", " chapter CHAPTER II", "part THE FLOOD"}},
		{"first sections without a number", book("CONTENTS", "THE MILL\nTHE FLOOD\nTHE END", "THE MILL", "", "II", "", "III", "", "THE FLOOD", "I", "", "II", "", "THE END", "", "II", "", "III", ""),
			[]string{"part THE MILL", " chapter II", " chapter III", "part THE FLOOD", " chapter I", " chapter II", "part THE END", " chapter II", " chapter III"}},
		{"a conclusion in a collection", book("CONTENTS", "THE MILL\nTHE FLOOD\nTHE RAIN", "THE MILL", "I", "", "", "II", "", "", "Conclusion", "", "", "THE FLOOD", "", "1. WATER", "", "", "2. STONE", "", "", "THE RAIN", ""),
			[]string{"chapter THE MILL", " section I", " section II", " section Conclusion", "chapter THE FLOOD", "chapter 1. WATER", "chapter 2. STONE", "chapter THE RAIN"}},
		{"preface and epilogue", book("PREFACE", "", "PART I", "CHAPTER I", "", "EPILOGUE", "CHAPTER I", "", "CHAPTER II", ""),
			[]string{"chapter PREFACE", "part PART I", " chapter CHAPTER I", "part EPILOGUE", " chapter CHAPTER I", " chapter CHAPTER II"}},
		{"play", book("ACT I", "SCENE I. A mill.", "", "SCENE II. The same.", "", "ACT II. SCENE I.\nAthens", ""),
			[]string{"act ACT I", " scene SCENE I. A mill.", " scene SCENE II. The same.", "act ACT II. SCENE I. Athens", " scene ACT II. SCENE I. Athens"}},
		{"first folio", book("Actus primus. Scoena Prima.", "", "Scena Secunda.", "", "Actus Secundus. Scena Prima.", ""),
			[]string{"act Actus primus. Scoena Prima.", " scene Actus primus. Scoena Prima.", " scene Scena Secunda.", "act Actus Secundus. Scena Prima.", " scene Actus Secundus. Scena Prima."}},
		{"acts in words", book("FIRST ACT", "", "THE SECOND ACT", ""), []string{"act FIRST ACT", "act THE SECOND ACT"}},
		{"ornaments", book("— I —", "", "[ 2 ]", "", "_CHAPTER V_", ""), []string{"chapter — I —", "chapter [ 2 ]", "chapter _CHAPTER V_"}},
		{"french and german", book("CHAPITRE PREMIER", "", "Erstes Kapitel", "", "LIVRE DEUXIÈME", ""), []string{"chapter CHAPITRE PREMIER", "chapter Erstes Kapitel", "book LIVRE DEUXIÈME"}},
		{"prose", book("", "Chapter 3 of the book tells of it.", "", "Part II, The Country of the Saints, deals with it.", "", "I am", "I", "", "Act one was over.", "", "One", "The", "1815", "7.", "Letter after letter came.", ""), nil},
		{"a heading with nothing below", book("", "CHAPTER X"), nil},
		{"numbered notes at the end", book("CHAPTER I", "", "CHAPTER II", "", "CHAPTER III", "", "CHAPTER IV", "", "CHAPTER V", "", "Chapter 1.", "a: b", "Chapter 2.", "c: d", "Chapter 3.", "e: f", "Chapter 4.", "x", "Chapter 5.", "y"),
			[]string{"chapter CHAPTER I", "chapter CHAPTER II", "chapter CHAPTER III", "chapter CHAPTER IV", "chapter CHAPTER V"}},
	} {
		for _, text := range []string{c.text, strings.ReplaceAll(c.text, "\n", "\r\n")} {
			if got := toldOutline(text); !slices.Equal(got, c.want) {
				t.Errorf("%s:\ngot  %q\nwant %q", c.name, got, c.want)
			}
		}
	}
}

// The shared books have these many units, counted in the printed tables of contents.
func TestOutlineOfRealBooks(t *testing.T) {
	const folder = "../../shared/data/books"
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the shared books are not here")
	}
	for name, want := range map[string]string{
		"../twain/a-connecticut-yankee-in-king-arthur-s-court":         "chapter 45",
		"../twain/life-on-the-mississippi":                             "chapter 61", // and the appendix
		"../twain/the-innocents-abroad":                                "chapter 62",
		"../twain/the-prince-and-the-pauper":                           "chapter 34",
		"../twain/adventures-of-huckleberry-finn":                      "chapter 43",                         // none of the list of illustrations
		"../twain/the-30-000-bequest-and-other-stories":                "part 30 chapter 26",                 // of 31 titles one goes over two lines
		"../twain/what-is-man-and-other-essays":                        "chapter 15 section 26",              // the first of thirteen has no number
		"collins-wilkie-the-woman-in-white":                            "book 2 part 9 chapter 5 section 51", // of twelve narrators two stand in the epochs' titles, one has a longer title than in the contents
		"collins-wilkie-the-law-and-the-lady":                          "part 2 chapter 50",
		"dostoyevsky-fyodor-crime-and-punishment":                      "part 6 chapter 40 section 2",
		"dostoyevsky-fyodor-notes-from-the-underground":                "part 2 chapter 21",
		"doyle-arthur-conan-a-study-in-scarlet":                        "part 2 chapter 14",
		"shakespeare-william-macbeth":                                  "act 5 scene 29",
		"austen-jane-emma":                                             "volume 3 chapter 55",
		"austen-jane-pride-and-prejudice":                              "chapter 61",
		"austen-jane-northanger-abbey":                                 "chapter 31",
		"carroll-lewis-alice-s-adventures-in-wonderland":               "chapter 12",
		"dickens-charles-david-copperfield":                            "chapter 64",
		"dickens-charles-great-expectations":                           "chapter 59",
		"dickens-charles-oliver-twist":                                 "chapter 53",
		"dostoyevsky-fyodor-the-idiot":                                 "part 4 chapter 50",
		"doyle-arthur-conan-the-adventures-of-sherlock-holmes":         "chapter 12 section 3",
		"garnett-constance-anna-karenina":                              "part 8 chapter 239",
		"joyce-james-ulysses":                                          "chapter 18",
		"kafka-franz-metamorphosis":                                    "chapter 3",
		"kafka-franz-the-trial":                                        "chapter 10",
		"maude-aylmer-war-and-peace":                                   "book 17 chapter 365",
		"trollope-anthony-the-warden":                                  "chapter 21",
		"verne-jules-around-the-world-in-eighty-days":                  "chapter 37",
		"verne-jules-facing-the-flag":                                  "chapter 18",
		"wharton-edith-the-reef":                                       "book 5 chapter 39",
		"wilde-oscar-an-ideal-husband":                                 "act 4",
		"wilde-oscar-the-picture-of-dorian-gray":                       "chapter 13",
		"wodehouse-p-g-pelham-grenville-three-men-and-a-maid":          "chapter 16 section 6",
		"carroll-lewis-alice-in-wonderland-a-dramatization-of-lewis-c": "act 3 scene 7",
	} {
		text := gunzip(t, filepath.Join(folder, name+".txt.gz"))
		if end := strings.LastIndex(text, "END OF TH"); end >= 0 {
			text = text[:end] // without the licence and its sections
		}
		s := outline(text)
		var got []string
		for i, n := range s.count {
			if n > 0 && i > 0 && ranks[i] != commonplace.PlaceParagraph && ranks[i] != commonplace.PlaceSpeech {
				got = append(got, fmt.Sprintf("%s %d", ranks[i], n))
			}
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%s: %s, want %s", name, g, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	text := "CHAPTER I.\n\nOne.\n\nTwo.\n" + prose + "\n\nCHAPTER II.\n\n" + prose + "\n\nLast.\n"
	seg, _ := Parse("paragraphs")
	passages := slices.Collect(Passages(commonplace.Document{ID: "d", Text: text}, seg))
	if len(passages) != 6 {
		t.Fatalf("%d passages", len(passages))
	}
	tell := func(p commonplace.Passage) string {
		var out []string
		for _, pl := range p.Places {
			s := fmt.Sprintf("%s %d/%d %d/%d p%d/%d @%d", pl.Kind, pl.Index, pl.Count, pl.IndexWithin, pl.CountWithin, pl.PassageIndex, pl.Passages, pl.Decile)
			if pl.First {
				s += " first"
			}
			if pl.Last {
				s += " last"
			}
			out = append(out, s)
		}
		return strings.Join(out, "; ")
	}
	for i, want := range []string{
		"document 0/1 0/1 p0/6 @0 first; chapter 0/2 0/2 p0/3 @0 first; paragraph 0/6 0/3 p0/1 @0 first last",
		"document 0/1 0/1 p1/6 @1; chapter 0/2 0/2 p1/3 @3; paragraph 1/6 1/3 p0/1 @0 first last",
		"document 0/1 0/1 p2/6 @3; chapter 0/2 0/2 p2/3 @6 last; paragraph 2/6 2/3 p0/1 @0 first last",
		"document 0/1 0/1 p3/6 @5; chapter 1/2 1/2 p0/3 @0 first; paragraph 3/6 0/3 p0/1 @0 first last",
		"document 0/1 0/1 p4/6 @6; chapter 1/2 1/2 p1/3 @3; paragraph 4/6 1/3 p0/1 @0 first last",
		"document 0/1 0/1 p5/6 @8 last; chapter 1/2 1/2 p2/3 @6 last; paragraph 5/6 2/3 p0/1 @0 first last",
	} {
		if got := tell(passages[i]); got != want {
			t.Errorf("passage %d:\ngot  %s\nwant %s", i, got, want)
		}
		if heading := i == 0 || i == 3; passages[i].Heading != heading {
			t.Errorf("passage %d: heading %v", i, passages[i].Heading)
		}
	}
	if title := passages[4].Places[1].Title; title != "CHAPTER II." {
		t.Errorf("title %q", title)
	}
}

func TestSpeakers(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"shakespeare", "ACT I. SCENE I.\nAthens\n\nEnter THESEUS\n\n  THESEUS. Now, fair\n    Draws on apace;\n  HIPPOLYTA. Four days\n  THESEUS. Go.\n  HIPPOLYTA. No.\n  THESEUS. Go, Sir.\n  HIPPOLYTA. No. EXIT. THE MOON. No one.\nEND\n",
			"|||THESEUS|THESEUS|HIPPOLYTA|THESEUS|HIPPOLYTA|THESEUS|HIPPOLYTA|HIPPOLYTA"},
		{"folio", "Actus primus. Scoena Prima.\n\n  Orl. As I\nremember\n  Adam. Yonder\n  Orl. Goe\n  Adam. Sir\n  Orl. Now\n  Adam. So.\n", "|Orl|Orl|Adam|Orl|Adam|Orl|Adam"},
		{"wilde", "FIRST ACT\n\nLADY MARKBY.  Ah, yes.\n\nIt goes on.\n\nLORD GORING.  [Rising.]  No.\n\nLADY MARKBY.  A.\n\nLORD GORING.  B.\n\nLADY MARKBY.  A.\n\nLORD GORING.  B.\n", "|LADY MARKBY|LADY MARKBY|LORD GORING|LADY MARKBY|LORD GORING|LADY MARKBY|LORD GORING"},
		{"novel", "CHAPTER I\n\nMR. DARCY. He\n\nMR. DARCY. He\n\nMR. DARCY. He\n\nMR. DARCY. He\n", "||||"},
	} {
		seg, _ := Parse("lines")
		var got []string
		for p := range Passages(commonplace.Document{ID: "d", Text: c.text}, seg) {
			got = append(got, p.Speaker)
		}
		if g := strings.Join(got, "|"); g != c.want {
			t.Errorf("%s: %s, want %s", c.name, g, c.want)
		}
	}
}

// Units nest, are in order and lie in the text, whatever it is.
func FuzzOutline(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Add("CONTENTS\n\nI. A\nII. B\n\nCHAPTER I\n\nx\n\nPART ONE\n\nACT I. SCENE II.\n\n  Tom. x\n")
	f.Add("I\n\n[2]\n\n— III —\n\nTHE LAST BOOK\n\n1. A\n\n2. B\n\nFIRST EPILOGUE\n\nCHAPTER THE FIRST\n\nx")
	f.Fuzz(func(t *testing.T, text string) {
		s := outline(text)
		before := 0
		for i, u := range s.headed {
			if u.begin < before || u.end < u.begin || u.end > len(text) || u.begin+int(u.head) > len(text) {
				t.Fatalf("%q: unit %d: %+v", text, i, u)
			}
			if u.parent >= 0 && (s.headed[u.parent].begin > u.begin || s.headed[u.parent].end < u.end) {
				t.Fatalf("%q: unit %d %+v is not inside %+v", text, i, u, s.headed[u.parent])
			}
			before = u.begin
		}
		for _, flat := range [][]unit{s.speeches, s.paragraphs} {
			end := 0
			for _, u := range flat {
				if u.begin < end || u.end < u.begin || u.end > len(text) {
					t.Fatalf("%q: %+v after %d", text, u, end)
				}
				end = u.end
			}
		}
	})
}
