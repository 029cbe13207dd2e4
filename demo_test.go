package commonplace_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
	"github.com/commonplace/commonplace"
)

// The demo library's truth is written down by hand in testdata/demo and would
// rot without this test: every row must say what the texts say, a damaged
// quotation must be damaged in the way that its kind names, and no row may be
// missing. The frame and the Latin-1 bytes are read here the plain way, so that
// the test owes nothing to the code that it serves.

const demo = "testdata/demo/"

// demoRow is one row of truth.jsonl.
type demoRow struct {
	QuoteID      string `json:"quote_id"`
	DerivedID    string `json:"derived_id"`
	DerivedBegin int    `json:"derived_begin"`
	DerivedEnd   int    `json:"derived_end"`
	DerivedText  string `json:"derived_text"`
	SourceID     string `json:"source_id"`
	SourceBegin  int    `json:"source_begin"`
	SourceEnd    int    `json:"source_end"`
	SourceText   string `json:"source_text"`
	Kind         string `json:"kind"`
}

func demoLines[T any](t *testing.T, name string) []T {
	t.Helper()
	file, err := os.Open(demo + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var rows []T
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var row T
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		if err := d.Decode(&row); err != nil {
			t.Fatalf("%s, line %d: %v", name, len(rows)+1, err)
		}
		rows = append(rows, row)
	}
	return rows
}

// demoTexts are the decoded bodies of a folder by id.
func demoTexts(t *testing.T, folder string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	names, _ := filepath.Glob(demo + folder + "/*")
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		id := filepath.Base(name)
		if before, zipped := strings.CutSuffix(id, ".gz"); zipped {
			r, err := gzip.NewReader(bytes.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			if raw, err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
			id = before
		}
		text := string(raw)
		if strings.Contains(text, "encoding: ISO-8859-1") {
			latin := make([]rune, len(raw))
			for i, b := range raw {
				latin[i] = rune(b)
			}
			text = string(latin)
		}
		if !utf8.ValidString(text) {
			t.Fatalf("%s is not in the encoding that it declares", name)
		}
		if _, after, ok := strings.Cut(text, "*** START OF "); ok {
			_, after, _ = strings.Cut(after, "***")
			text, _, _ = strings.Cut(after, "*** END OF ")
			text = strings.TrimSpace(text)
		}
		texts[strings.TrimSuffix(id, ".txt")] = text
	}
	return texts
}

func TestDemoIsVaried(t *testing.T) {
	books, essays := demoTexts(t, "books"), demoTexts(t, "essays")
	for _, c := range []struct {
		texts   map[string]string
		n, size int
	}{{books, 3, 2500}, {essays, 3, 1000}} {
		if len(c.texts) != c.n {
			t.Errorf("%d texts, want %d", len(c.texts), c.n)
		}
		for id, text := range c.texts {
			if n := len(strings.Fields(text)); n < c.size {
				t.Errorf("%s has %d words, want %d", id, n, c.size)
			}
		}
	}
	for id, mark := range map[string]string{"the-salt-ledger": "\r\n", "weathers": "façade", "the-clockmakers-daughters": "ACT III"} {
		if !strings.Contains(books[id], mark) {
			t.Errorf("%s has no %q", id, mark)
		}
	}
	if raw, _ := os.ReadFile(demo + "books/weathers.txt"); utf8.Valid(raw) {
		t.Error("weathers.txt must be Latin-1")
	}
	if n := len(demoLines[commonplace.Quote](t, "quotes.jsonl")); n < 40 {
		t.Errorf("%d quotes", n)
	}
}

func TestDemoTruth(t *testing.T) {
	books, derived := demoTexts(t, "books"), demoTexts(t, "essays")
	ids := map[string]bool{}
	for _, q := range demoLines[commonplace.Quote](t, "quotes.jsonl") {
		if ids[q.ID] {
			t.Errorf("two quotes %s", q.ID)
		}
		ids[q.ID], derived[q.ID] = true, q.Text
	}
	kinds := map[string]int{}
	type place struct {
		derived    string
		begin, end int
		source     string
	}
	places := map[place][]commonplace.Span{}
	known := map[string]bool{}
	rows := demoLines[demoRow](t, "truth.jsonl")
	for i, row := range rows {
		id := row.QuoteID + row.DerivedID
		if (row.QuoteID == "") == (row.DerivedID == "") || derived[id] == "" || books[row.SourceID] == "" {
			t.Fatalf("line %d: no such text: %+v", i+1, row)
		}
		for _, s := range []struct {
			text       string
			begin, end int
			want       string
		}{{derived[id], row.DerivedBegin, row.DerivedEnd, row.DerivedText}, {books[row.SourceID], row.SourceBegin, row.SourceEnd, row.SourceText}} {
			if got := commonplace.Slice(s.text, commonplace.Span{Begin: s.begin, End: s.end}); got != s.want || got != strings.TrimSpace(got) || got == "" {
				t.Errorf("line %d: [%d:%d] is %q, not %q", i+1, s.begin, s.end, got, s.want)
			}
		}
		if why := wrongKind(row); why != "" {
			t.Errorf("line %d: %s: %s\n%q\n%q", i+1, row.Kind, why, row.SourceText, row.DerivedText)
		}
		kinds[row.Kind]++
		known[id] = true
		p := place{id, row.DerivedBegin, row.DerivedEnd, row.SourceID}
		places[p] = append(places[p], commonplace.Span{Begin: row.SourceBegin, End: row.SourceEnd})
	}
	for _, kind := range []string{"exact", "case", "punctuation", "hyphen", "ocr-low", "ocr-mid", "ocr-high", "ellipsis", "bracket", "words", "spelling", "cut", "interposed", "block", "swapped"} {
		if kinds[kind] == 0 {
			t.Errorf("no quotation of kind %s", kind)
		}
	}

	// Whatever stands in a book word for word has a row for each place.
	for _, row := range rows {
		for source, text := range books {
			if n := occurrences(text, row.SourceText); n > 0 && !strings.Contains("ellipsis interposed", row.Kind) {
				p := place{row.QuoteID + row.DerivedID, row.DerivedBegin, row.DerivedEnd, source}
				if len(places[p]) != n {
					t.Errorf("%s [%d:%d] stands in %s at %d places and has %d rows: %q", p.derived, p.begin, p.end, source, n, len(places[p]), row.SourceText)
				}
			}
		}
	}
	for id := range ids {
		for source, text := range books {
			if !known[id] && occurrences(text, derived[id]) > 0 {
				t.Errorf("%s stands in %s and has no row", id, source)
			}
		}
	}
}

// wrongKind says why a quotation is not damaged in the way that it claims.
func wrongKind(row demoRow) string {
	collapse := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	source, derived := collapse(row.SourceText), collapse(row.DerivedText)
	fold, plain := strings.ToLower(source), strings.ToLower(derived)
	words, said := letters(source), letters(derived)
	similarity := 1 - float64(levenshtein.ComputeDistance(words, said))/float64(max(len([]rune(words)), len([]rune(said))))
	between := func(low, high float64) string {
		if similarity < low || similarity >= high {
			return fmt.Sprintf("similarity is %.3f", similarity)
		}
		return ""
	}
	yes := func(ok bool, otherwise string) string {
		if ok {
			return ""
		}
		return otherwise
	}
	switch row.Kind {
	case "exact", "swapped":
		return yes(source == derived, "differs")
	case "cut":
		return yes(fold == plain, "differs")
	case "case":
		return yes(source != derived && words == said, "must differ in case alone, or nearly")
	case "punctuation":
		return yes(fold != plain && words == said, "must differ in punctuation")
	case "block":
		return yes(strings.Contains(row.DerivedText, "\n") || strings.Contains(row.DerivedText, " / "), "is not in lines") + yes(words == said, "differs")
	case "hyphen":
		joined := strings.ReplaceAll(row.DerivedText, "-\n", "")
		return yes(joined != row.DerivedText && letters(joined) == words, "must differ by hyphens at line ends alone")
	case "ocr-low":
		return between(0.93, 1)
	case "ocr-mid":
		return between(0.80, 0.96)
	case "ocr-high":
		return between(0.70, 0.90)
	case "words", "spelling":
		return between(0.70, 1)
	case "interposed":
		return between(0.60, 1)
	case "bracket":
		return yes(strings.Contains(derived, "["), "has no bracket") + between(0.70, 1)
	case "ellipsis":
		rest := words
		for _, part := range regexp.MustCompile(`\.( ?\.)+`).Split(derived, -1) {
			_, after, ok := strings.Cut(rest, letters(part))
			if !ok {
				return "the source has not " + part
			}
			rest = after
		}
		return yes(rest == "" && similarity < 1, "must end together, with something left out")
	}
	return "unknown kind"
}

// letters are the letters and digits of a text in lower case, in words.
func letters(s string) string {
	s = strings.NewReplacer("'", "", "’", "").Replace(strings.ToLower(s))
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// occurrences counts where the words stand in a row in a text.
func occurrences(text, words string) int {
	return strings.Count(" "+strings.ReplaceAll(letters(text), " ", "  ")+" ", " "+strings.ReplaceAll(letters(words), " ", "  ")+" ")
}
