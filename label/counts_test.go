package label

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

func counted(doc commonplace.Document, passages []commonplace.Passage, alignments ...commonplace.Alignment) string {
	out := ""
	for _, c := range Counts(passages, Quotations(doc.ID, alignments, nil), OverlapAny) {
		out += fmt.Sprint(c.Count)
	}
	return out
}

func TestCounts(t *testing.T) {
	doc := commonplace.Document{ID: "b", Text: "a b c d e f g h"}
	passages := cut(doc, 2) // [0,3) [4,7) [8,11) [12,15)
	essay := func(id string, derivedBegin, derivedEnd, begin, end int64) commonplace.Alignment {
		return commonplace.Alignment{DerivedID: id, DerivedBegin: derivedBegin, DerivedEnd: derivedEnd, SourceID: "b", SourceBegin: begin, SourceEnd: end}
	}
	list := func(id string, begin, end int64) commonplace.Alignment {
		return commonplace.Alignment{QuoteID: id, SourceID: "b", SourceBegin: begin, SourceEnd: end, DerivedEnd: 9}
	}
	gap := essay("x", 0, 9, 0, 15)
	gap.Parts = []commonplace.Part{{SourceBegin: 0, SourceEnd: 3}, {SourceBegin: 12, SourceEnd: 15}}
	for _, c := range []struct {
		what, want string
		rows       []commonplace.Alignment
	}{
		{"nothing", "0000", nil},
		{"part of a passage is enough", "1100", []commonplace.Alignment{essay("x", 0, 9, 2, 5)}},
		{"white space between passages is of neither", "0000", []commonplace.Alignment{essay("x", 0, 9, 3, 4)}},
		{"overlapping portions of one text are one", "1100", []commonplace.Alignment{essay("x", 0, 9, 0, 3), essay("x", 8, 12, 0, 7), essay("x", 11, 14, 0, 7)}},
		{"portions apart are two", "2000", []commonplace.Alignment{essay("x", 0, 9, 0, 3), essay("x", 9, 12, 0, 3)}},
		{"a long portion holds a later short one", "1000", []commonplace.Alignment{essay("x", 0, 20, 0, 3), essay("x", 2, 4, 0, 3), essay("x", 10, 12, 0, 3)}},
		{"other texts count apart", "2000", []commonplace.Alignment{essay("x", 0, 9, 0, 3), essay("y", 0, 9, 0, 3)}},
		{"a quote of a list counts once a passage", "1010", []commonplace.Alignment{list("q", 0, 3), list("q", 0, 2), list("q", 8, 11)}},
		{"two quotes of a list", "2000", []commonplace.Alignment{list("q", 0, 3), list("r", 0, 2)}},
		{"what an ellipsis leaves out is not quoted", "1001", []commonplace.Alignment{gap}},
		{"other documents do not count", "0000", []commonplace.Alignment{{QuoteID: "q", SourceID: "c", SourceEnd: 9}}},
	} {
		if got := counted(doc, passages, c.rows...); got != c.want {
			t.Errorf("%s: got %s, want %s", c.what, got, c.want)
		}
	}
	if counts := Counts(passages, nil, OverlapAny); counts[3].PassageID != "b:000003" || counts[3].DocID != "b" || counts[3].Index != 3 {
		t.Errorf("last row is %+v", counts[3])
	}
}

func TestCountsAgainstTheObviousWay(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		doc := randomBook(r, "b", 40)
		n := commonplace.NewOffsets(doc.Text).Len()
		passages := cut(doc, 1+r.IntN(9))
		var rows []commonplace.Alignment
		for i := range r.IntN(30) {
			begin, derived := r.IntN(n), int64(r.IntN(60))
			a := commonplace.Alignment{
				ID: fmt.Sprint(i), SourceID: "b", SourceBegin: int64(begin), SourceEnd: int64(begin + 1 + r.IntN(n-begin)),
				DerivedBegin: derived, DerivedEnd: derived + 1 + int64(r.IntN(10)),
			}
			if k := r.IntN(4); k < 2 {
				a.QuoteID = fmt.Sprint("q", k)
			} else {
				a.DerivedID = fmt.Sprint("x", k)
			}
			rows = append(rows, a)
		}
		// Portions: join any two that overlap until nothing changes.
		portion := make([]int, len(rows))
		for i := range portion {
			portion[i] = i
		}
		for changed := true; changed; {
			changed = false
			for i, a := range rows {
				for j, b := range rows {
					together := a.QuoteID != "" && a.QuoteID == b.QuoteID ||
						a.DerivedID != "" && a.DerivedID == b.DerivedID && a.DerivedBegin < b.DerivedEnd && b.DerivedBegin < a.DerivedEnd
					if together && portion[i] > portion[j] {
						portion[i], changed = portion[j], true
					}
				}
			}
		}
		for i, c := range Counts(passages, Quotations(doc.ID, rows, nil), OverlapAny) {
			distinct := map[int]bool{}
			for k, a := range rows {
				if a.SourceBegin < passages[i].End && passages[i].Begin < a.SourceEnd {
					distinct[portion[k]] = true
				}
			}
			if c.Count != int64(len(distinct)) {
				t.Fatalf("passage %d: %d, want %d", i, c.Count, len(distinct))
			}
		}
	}
}

// By half, a passage is quoted where it holds more than half of a find, or the find
// more than half of it.
func TestCountsByHalf(t *testing.T) {
	doc := commonplace.Document{ID: "b", Text: "a b c d e f g h"}
	passages := cut(doc, 2) // [0,3) [4,7) [8,11) [12,15)
	of := func(by string, times int64, finds ...Find) Quotation {
		return Quotation{By: by, Times: times, Finds: finds}
	}
	for _, c := range []struct {
		what, want string
		rows       []Quotation
	}{
		{"within a passage", "[1 0 0 0]", []Quotation{of("", 1, Find{{0, 1}})}},
		{"no half of anything", "[0 0 0 0]", []Quotation{of("", 1, Find{{2, 5}}), of("", 1, Find{{3, 4}})}},
		{"most of it in the second", "[0 1 0 0]", []Quotation{of("", 1, Find{{2, 7}})}},
		{"most of both", "[1 1 0 0]", []Quotation{of("", 1, Find{{0, 7}})}},
		{"two finds, each whole", "[1 0 1 0]", []Quotation{of("", 1, Find{{0, 1}}, Find{{8, 9}})}},
		{"once a passage, as often as it says", "[7 0 0 0]", []Quotation{of(ByReaders, 7, Find{{0, 1}}, Find{{0, 2}})}},
		{"parts of a find belong together", "[0 0 0 1]", []Quotation{of("", 1, Find{{0, 1}, {4, 5}, {12, 15}})}},
		{"overlapping parts are one", "[1 0 0 0]", []Quotation{of("", 1, Find{{0, 3}, {1, 3}, {4, 5}})}},
	} {
		var got []int64
		for _, n := range Counts(passages, c.rows, OverlapHalf) {
			got = append(got, n.Count)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: got %v, want %s", c.what, got, c.want)
		}
	}
	rows := []Quotation{of(ByReaders, 2, Find{{0, 3}}), of(ByEditors, 3, Find{{0, 3}}), of("", 4, Find{{0, 3}})}
	if n := Counts(passages, rows, OverlapHalf)[0]; n.Count != 9 || n.Readers != 2 || n.Editors != 3 {
		t.Errorf("readers, editors and others are %+v", n)
	}
}

func TestAddCounts(t *testing.T) {
	counts := []commonplace.QuoteCount{{PassageID: "a", Count: 1}, {PassageID: "b"}, {PassageID: "c", Count: 2}}
	rejects := AddCounts(counts, map[string]int64{"a": 5, "c": -1, "d": 7, "b": 0})
	if counts[0].Count != 6 || counts[1].Count != 0 || counts[2].Count != 2 {
		t.Errorf("counts %+v", counts)
	}
	if len(rejects) != 2 || rejects[0].ID != "c" || rejects[0].Reason != ReasonNegative || rejects[1].ID != "d" || rejects[1].Reason != ReasonNoSuchPassage {
		t.Errorf("rejects %+v", rejects)
	}
}

func TestCountable(t *testing.T) {
	doc := commonplace.Document{ID: "s", Characters: 10_000}
	row := func(id, derived string, begin, end, places int64) commonplace.Alignment {
		return commonplace.Alignment{ID: id, SourceID: "s", DerivedID: derived, SourceBegin: begin, SourceEnd: end, Places: places, Confidence: 0.5}
	}
	unsure := row("unsure", "novel", 0, 100, 1)
	unsure.Confidence = 0.4
	listed := commonplace.Alignment{ID: "listed", SourceID: "s", QuoteID: "q", SourceBegin: 0, SourceEnd: 9000, Places: 40, Confidence: 0.5}
	all := []commonplace.Alignment{
		unsure, row("quotes", "novel", 0, 500, 1), row("proverb", "novel", 5000, 5300, 16), row("licence", "novel", 9000, 9900, 17), listed,
		row("act 1", "play", 0, 600, 1), row("again", "play", 100, 600, 1), row("act 2", "play", 4000, 4401, 1), // 1,001 characters
		row("part 1", "essay", 0, 600, 1), row("part 1 again", "essay", 200, 600, 1), row("part 2", "essay", 4000, 4400, 1), // 1,000
	}
	for _, c := range []struct {
		name    string
		o       Countable
		kept    string
		dropped map[string]int64
	}{
		{"as it is", Countable{}, "unsure quotes proverb listed act 1 again act 2 part 1 part 1 again part 2", map[string]int64{"boilerplate": 1}},
		{"all", Countable{Boilerplate: true}, "unsure quotes proverb licence listed act 1 again act 2 part 1 part 1 again part 2", map[string]int64{}},
		{"adapted", Countable{MinConfidence: 0.5, MaxShare: 0.1}, "quotes proverb listed part 1 part 1 again part 2",
			map[string]int64{"boilerplate": 1, "below_min_confidence": 1, "of_adaptations": 3}},
	} {
		kept, dropped := c.o.Of(doc, all)
		var got []string
		for _, a := range kept {
			got = append(got, a.ID)
		}
		if strings.Join(got, " ") != c.kept || !maps.Equal(dropped, c.dropped) {
			t.Errorf("%s: %q, %v", c.name, got, dropped)
		}
	}
	sonnet := commonplace.Document{ID: "s", Characters: 600}
	if kept, dropped := (Countable{MaxShare: 0.05}).Of(sonnet, []commonplace.Alignment{row("line", "essay", 0, 45, 1)}); len(kept) != 1 {
		t.Errorf("one line of a sonnet is no adaptation: %v", dropped)
	}
}

func TestQuotationsAt(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 5))
	doc := commonplace.Document{ID: "b"}
	for range 100 {
		var rows []commonplace.Alignment
		for i := range r.IntN(12) {
			begin, derived := int64(r.IntN(50)), int64(r.IntN(30))
			a := commonplace.Alignment{
				ID: fmt.Sprint(i), SourceID: "b", SourceBegin: begin, SourceEnd: begin + 1 + int64(r.IntN(20)),
				DerivedBegin: derived, DerivedEnd: derived + 1 + int64(r.IntN(10)),
			}
			if k := r.IntN(4); k < 2 {
				a.QuoteID = fmt.Sprint("q", k)
			} else {
				a.DerivedID = fmt.Sprint("x", k)
			}
			if r.IntN(5) == 0 {
				a.SourceID = "other"
			}
			if r.IntN(3) == 0 {
				a.Parts = []commonplace.Part{{SourceBegin: a.SourceBegin, SourceEnd: a.SourceBegin + 1}, {SourceBegin: a.SourceEnd - 1, SourceEnd: a.SourceEnd}}
			}
			rows = append(rows, a)
		}
		// A passage of one character is quoted as often as the character.
		var passages []commonplace.Passage
		var places []int64
		for i := range int64(80) {
			passages = append(passages, commonplace.Passage{ID: fmt.Sprint(i), DocID: "b", Index: i, Begin: i, End: i + 1})
			places = append(places, i)
		}
		r.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] }) // passages may overlap
		got := QuotationsAt(places, Quotations(doc.ID, rows, nil))
		want := Counts(passages, Quotations(doc.ID, rows, nil), OverlapAny)
		for i, place := range places {
			if got[i] != want[place].Count {
				t.Fatalf("at %d: %d, want %d", place, got[i], want[place].Count)
			}
		}
	}
}

func TestOncePerCluster(t *testing.T) {
	of := func(derived string, begin, end int64) commonplace.Alignment {
		return commonplace.Alignment{ID: derived, DerivedID: derived, SourceBegin: begin, SourceEnd: end}
	}
	listed := of("", 0, 100)
	listed.ID, listed.QuoteID = "listed", "q"
	copies := []commonplace.Cluster{{Cluster: "page", Begin: 0, End: 1000}, {Cluster: "verse", Begin: 100, End: 200}, {Cluster: "other", Begin: 210, End: 260}}
	alignments := []commonplace.Alignment{of("a", 100, 190), of("b", 100, 200), listed, of("c", 110, 200), of("d", 0, 1000), of("e", 5, 900), of("f", 210, 250), of("g", 2000, 2100), of("h", 2000, 2100)}
	var got []string
	for _, a := range OncePerCluster(alignments, copies) {
		got = append(got, a.ID)
	}
	if want := []string{"b", "listed", "d", "f", "g", "h"}; !slices.Equal(got, want) {
		t.Errorf("%v count, not %v", got, want)
	}
}
