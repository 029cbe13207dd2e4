package group

import (
	"runtime"
	"strconv"
	"testing"

	"github.com/commonplace/commonplace"
)

// Spellings that libraries give one author: any two must be the same, whichever
// of the lines they stand on.
var spelt = [][]string{
	{"Charles Dickens", "Dickens, Charles", "Dickens, Charles, 1812-1870", "DICKENS, CHARLES", "charles dickens", "Charles John Huffam Dickens"},
	{"Mark Twain", "Twain, Mark", "Twain, Mark, 1835-1910", "Mark Twain (Samuel Clemens)", "Twain, Mark (Samuel Langhorne Clemens)"},
	{"Samuel Clemens", "Clemens, Samuel Langhorne", "Mark Twain (Samuel Clemens)"},
	{"Leo Tolstoy", "Tolstoy, Leo, graf", "Tolstoy, Leo, graf, 1828-1910", "Count Leo Tolstoy", "Tolstoy, Leo graf"},
	{"G. K. Chesterton", "Chesterton, G. K. (Gilbert Keith)", "Gilbert Keith Chesterton", "G.K. Chesterton"},
	{"H. G. Wells", "Wells, H. G. (Herbert George), 1866-1946", "Wells, Herbert George"},
	{"L. Frank Baum", "Baum, L. Frank (Lyman Frank)", "Lyman Frank Baum"},
	{"Bernard Shaw", "Shaw, Bernard", "Shaw, Bernard (George Bernard)", "George Bernard Shaw"},
	{"Honoré de Balzac", "Balzac, Honoré de", "Balzac, Honore de, 1799-1850"},
	{"Miguel de Cervantes", "Cervantes Saavedra, Miguel de", "Cervantes, Miguel de"},
	{"Arthur Conan Doyle", "Doyle, Arthur Conan", "Sir Arthur Conan Doyle", "Doyle, Arthur Conan, Sir, 1859-1930", "Conan Doyle, Arthur"},
	{"Baroness Orczy", "Orczy, Emmuska Orczy, Baroness, 1865-1947"},
	{"Okakura Kakuzō", "Okakura, Kakuzo"},
	{"Thomas à Kempis", "Thomas, à Kempis, 1380-1471"},
	{"Marcus Aurelius", "Marcus Aurelius, Emperor of Rome, 121-180"},
	{"Martin Luther King, Jr.", "King, Martin Luther, Jr."},
	{"Shakespeare", "Shakespeare, William", "William Shakespeare"},
	{"Henry James", "James, Henry"},
	{"James Joyce", "Joyce, James"},
	{"William James", "James, William"},
	{"Anne Brontë", "Brontë, Anne"},
	{"Charlotte Bronte", "Brontë, Charlotte"},
	{"Samuel Butler"},
	{"Epictetus"}, {"Plato"}, {"Homer"}, {"Winslow Homer"},
	{"孔子"},
}

func sameAuthor(a, b string) bool {
	for _, x := range AuthorNames(a) {
		for _, y := range AuthorNames(b) {
			if x.Same(y) != y.Same(x) {
				panic(a + ", " + b)
			}
			if x.Same(y) {
				return true
			}
		}
	}
	return false
}

func TestAuthorsHoweverWritten(t *testing.T) {
	linked := map[[2]int]bool{{1, 2}: true, {2, 1}: true, {25, 26}: true, {26, 25}: true} // a pseudonym that is told; a bare name is joined in doubt
	for i, spellings := range spelt {
		for _, a := range spellings {
			for j, others := range spelt {
				for _, b := range others {
					if got := sameAuthor(a, b); got != (i == j) && !linked[[2]int{i, j}] && a != b {
						t.Errorf("%q and %q: same author is %v", a, b, got)
					}
				}
			}
		}
	}
	for text, want := range map[string]string{
		"Dickens, Charles, 1812-1870": "dickens, charles", "Charles Dickens": "dickens, charles", "Tolstoy, Leo, graf": "tolstoy, leo",
		"Wells, H. G. (Herbert George)": "wells, herbert george", "Balzac, Honoré de": "balzac, honore", "Plato": "plato",
	} {
		if names := AuthorNames(text); len(names) != 1 || names[0].String() != want {
			t.Errorf("%q is %v, want %s", text, names, want)
		}
	}
	for _, text := range []string{"", "Various", "Anonymous", "unknown", " , ", "1812-1870", "()", "[", ")(", "Garnett, Constance [Translator]"} {
		if names := AuthorNames(text); len(names) != 0 {
			t.Errorf("%q has the names %v", text, names)
		}
	}
	if names := AuthorNames("Twain, Mark, 1835-1910; Warner, Charles Dudley, 1829-1900; Widger, David [Editor]"); len(names) != 2 {
		t.Errorf("two authors and an editor are %v", names)
	}
}

func TestKeepAuthors(t *testing.T) {
	authors := map[string]string{
		"a": "Twain, Mark", "b": "Mark Twain (Samuel Clemens)", "c": "Clemens, Samuel Langhorne", "d": "Warner, Charles Dudley; Twain, Mark",
		"e": "Charles Dudley Warner", "f": "Dickens, Charles", "g": "Boz", "h": "", "i": "Various", "j": "Thackeray",
	}
	works := []commonplace.Work{}
	for _, id := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		works = append(works, commonplace.Work{DocID: id, Work: id})
	}
	works[6].Work = "f" // an edition by another name
	works[7].Work = "j" // an edition that names nobody
	KeepAuthors(works, authors)
	want := []string{"clemens, samuel", "clemens, samuel", "clemens, samuel", "clemens, samuel", "clemens, samuel", "boz", "boz", "thackeray", "", "thackeray"}
	for i, w := range works {
		if w.Author != want[i] {
			t.Errorf("document %s is of %q, want %q", w.DocID, w.Author, want[i])
		}
	}
}

// Works of unknown authors cost nothing: a library may have a million of them.
func TestUnknownAuthorsCostNothing(t *testing.T) {
	works := make([]commonplace.Work, 100_000)
	for i := range works {
		works[i].Work = "w" + strconv.Itoa(i)
	}
	works[7].DocID = "known"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	KeepAuthors(works, map[string]string{"known": "Dickens, Charles"})
	runtime.ReadMemStats(&after)
	if works[7].Author != "dickens, charles" || works[8].Author != "" {
		t.Errorf("authors are %q and %q", works[7].Author, works[8].Author)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("%d works take %d bytes", len(works), took)
	}
}
