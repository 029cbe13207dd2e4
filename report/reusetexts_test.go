package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// textsRun writes a run of a long book with letters beyond the BMP before and in its
// matches, a hostile one that has its words, and a third whose rights are reserved. Matches
// overlap, one passage is twice in the other book, one was found from the other side, and
// one from both.
func textsRun(t *testing.T) (dir string, left, right commonplace.Document, matches [][2]commonplace.Span) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run & <b>")
	var texts [2][]rune
	add := func(side int, s string) commonplace.Span {
		begin := len(texts[side])
		texts[side] = append(texts[side], []rune(s)...)
		return commonplace.Span{Begin: begin, End: len(texts[side])}
	}
	fill := func(side, lines int) {
		for i := range lines {
			add(side, fmt.Sprintf("Line %d of 𝔘nicode, naïve.\r\n\r\n", i))
		}
	}
	const sea, tide, moon = "the sea is calm to-night, ", "the 𝔱ide is full, ", "the moon lies fair"
	cliffs := strings.Repeat("the cliffs of 𝔈ngland stand, glimmering and vast\n", 400)
	add(0, "𝔘 "+hostile)
	fill(0, 900)
	a := add(0, sea)
	a.End = add(0, tide).End
	b := commonplace.Span{Begin: a.End - len([]rune(tide)), End: add(0, moon).End}
	fill(0, 9000)
	c := add(0, cliffs)
	add(1, hostile)
	fill(1, 200)
	d := add(1, sea+tide)
	fill(1, 3000)
	e := add(1, sea+tide)
	f := add(1, tide+moon)
	g := add(1, cliffs)
	matches = [][2]commonplace.Span{{a, d}, {a, e}, {b, f}, {c, g}}
	left = commonplace.Document{ID: "a", Title: "Left", Text: string(texts[0]), Characters: int64(len(texts[0])), Rights: "public domain"}
	right = commonplace.Document{ID: hostileID, Title: hostile, Text: string(texts[1]), Characters: int64(len(texts[1])), Rights: "CC0"}
	closed := commonplace.Document{ID: "closed", Text: sea + "and reserved", Characters: 38, Rights: "all rights reserved", Metadata: []commonplace.Field{{Name: "abstract", Value: "RESERVED FIELD"}}}
	match := func(name string, source, derived commonplace.Document, x, y commonplace.Span) commonplace.Alignment {
		cut := func(d commonplace.Document, s commonplace.Span) string { return string([]rune(d.Text)[s.Begin:s.End]) }
		return commonplace.Alignment{ID: name, SourceID: source.ID, SourceBegin: int64(x.Begin), SourceEnd: int64(x.End), SourceText: cut(source, x), Similarity: 1, MatchedWords: 5,
			DerivedID: derived.ID, DerivedBegin: int64(y.Begin), DerivedEnd: int64(y.End), DerivedText: cut(derived, y)}
	}
	alignments := []commonplace.Alignment{
		match("1", left, right, a, d), match("2", left, right, a, e), match("3", left, right, b, f),
		match("4", right, left, g, c), match("5", right, left, d, a), match("6", left, closed, commonplace.Span{Begin: a.Begin, End: a.Begin + 20}, commonplace.Span{End: 20}),
	}
	shards := make([][]commonplace.Document, 3)
	for _, d := range []commonplace.Document{left, right, closed} {
		k := table.ShardOf(d.ID, len(shards))
		shards[k] = append(shards[k], d)
	}
	for _, s := range shards {
		slices.SortFunc(s, func(a, b commonplace.Document) int { return table.Documents.Compare(&a, &b) })
	}
	slices.SortFunc(alignments, func(a, b commonplace.Alignment) int { return table.Alignments.Compare(&a, &b) })
	commitShards(t, dir, table.Documents, "crawl", nil, shards)
	commit(t, dir, table.Alignments, "align", []string{"documents"}, alignments)
	commit(t, dir, table.Clusters, "cluster", []string{"documents", "alignments"}, []commonplace.Cluster{
		{Cluster: "closed:0-20", Documents: 2, Copies: 2, DocID: "a", Begin: int64(a.Begin), End: int64(a.Begin) + 20, Text: "the sea is calm to-n"},
		{Cluster: "closed:0-20", Documents: 2, Copies: 2, DocID: "closed", End: 20, Text: "RESERVED WORDS"}})
	return dir, left, right, matches
}

// anyone is a rule of rights that knows one statement to be closed.
func anyone(rights string) bool { return rights != "" && !strings.Contains(rights, "reserved") }

// scripted is what a script gives to the page.
func scripted(t *testing.T, script []byte) (id string, piece int, text string) {
	t.Helper()
	row, ok := bytes.CutPrefix(bytes.TrimSuffix(script, []byte(")\n")), []byte("commonplaceText("))
	if !ok || bytes.ContainsAny(script, "<>") || bytes.Contains(script, []byte("\u2028")) {
		t.Fatalf("%.200q", script)
	}
	if err := json.Unmarshal(fmt.Appendf(nil, "[%s]", row), &[]any{&id, &piece, &text}); err != nil {
		t.Fatal(err)
	}
	return id, piece, text
}

// A text is that of the table, in pieces; what may not be shown, and what there is not, is
// not there.
func TestTexts(t *testing.T) {
	dir, left, right, _ := textsRun(t)
	texts, err := NewTexts(t.Context(), dir, anyone)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // read, and kept
		for _, d := range []commonplace.Document{left, right} {
			var whole strings.Builder
			n := 0
			for ; ; n++ {
				script, err := texts.Piece(t.Context(), d.ID, n)
				if errors.Is(err, fs.ErrNotExist) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				id, piece, text := scripted(t, script)
				if id != d.ID || piece != n || len([]rune(text)) > textPiece {
					t.Errorf("%q, piece %d of %q, %d", id, piece, d.ID, n)
				}
				whole.WriteString(text)
			}
			if whole.String() != d.Text || n != int(d.Characters+textPiece-1)/textPiece {
				t.Errorf("%q: %d pieces, which are not its text", d.ID, n)
			}
		}
	}
	if left.Characters <= textPiece {
		t.Error("the test has no text of two pieces")
	}
	for _, c := range []struct {
		id    string
		piece int
	}{{"closed", 0}, {"nobody", 0}, {"", 0}, {"a", -1}, {"a", 1 << 30}, {"../a", 0}} {
		if script, err := texts.Piece(t.Context(), c.id, c.piece); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q, %d: %q, %v", c.id, c.piece, script, err)
		}
	}
	all, err := NewTexts(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := all.Piece(t.Context(), "closed", 0); err != nil {
		t.Error(err)
	}
	left.Text = "another"
	commit(t, dir, table.Documents, "crawl", nil, []commonplace.Document{left})
	for _, id := range []string{"a", "closed"} {
		if script, err := all.Piece(t.Context(), id, 0); !errors.Is(err, ErrRebuilt) {
			t.Errorf("%s of the next build: %q, %v", id, script, err)
		}
	}
}

// Few texts are kept, and the one that was asked for among them.
func TestTextsKeepFew(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	var documents []commonplace.Document
	for i := range 3 * textsKept {
		documents = append(documents, commonplace.Document{ID: fmt.Sprintf("%02d", i), Text: fmt.Sprint("text ", i)})
	}
	commit(t, dir, table.Documents, "crawl", nil, documents)
	texts, err := NewTexts(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range append(documents, documents...) {
		script, err := texts.Piece(t.Context(), d.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, text := scripted(t, script); text != d.Text || len(texts.kept) > textsKept {
			t.Errorf("%s: %q, and %d are kept", d.ID, text, len(texts.kept))
		}
	}
}

// Only where they are wanted are texts beside the page, and never words that may not be shown.
func TestReuseTexts(t *testing.T) {
	dir, left, right, _ := textsRun(t)
	var parts []string
	o := Options{PageSize: 3000, Part: func(content []byte) (string, error) { // too little for one file
		parts = append(parts, string(content))
		return fmt.Sprintf("part-%d.js", len(parts)), nil
	}}
	if page := writeReuse(t, dir, o); strings.Contains(page, `"x":[`) || len(parts) == 0 || strings.Contains(strings.Join(parts, ""), "Line 7 of") {
		t.Errorf("texts that nobody wanted, in %d parts", len(parts))
	}
	parts = nil
	o.Texts, o.Open = true, anyone
	page := writeReuse(t, dir, o)
	got := map[string]string{}
	for _, part := range parts {
		if strings.HasPrefix(part, "commonplaceText(") {
			id, _, text := scripted(t, []byte(part))
			got[id] += text
		}
		if strings.Contains(part, "and reserved") || strings.Contains(part, `"the sea is calm to-n"`) {
			t.Errorf("words of a closed text: %.200s", part)
		}
	}
	if len(got) != 2 || got["a"] != left.Text || got[hostileID] != right.Text {
		t.Errorf("texts of %d documents, which are not theirs", len(got))
	}
	if strings.Contains(page, "RESERVED") || !strings.Contains(page, `"x":["part-`) || !strings.Contains(page, `"r":true`) {
		t.Error("the page has words of a closed text, or does not say where texts are")
	}
	if all := writeReuse(t, dir, Options{}); !strings.Contains(all, "RESERVED WORDS") || !strings.Contains(all, "RESERVED FIELD") || strings.Contains(all, `"r":true`) {
		t.Error("without the option words are withheld")
	}
}

// Both texts side by side: every match is marked in both, at its offsets, and leads to its
// counterpart and back, by mouse and by keyboard.
func TestBothTextsInABrowser(t *testing.T) {
	t.Parallel()
	ctx, complaints := browser(t)
	dir, left, right, matches := textsRun(t)
	cut := func(d commonplace.Document, s commonplace.Span) string { return string([]rune(d.Text)[s.Begin:s.End]) }
	do(t, ctx, chromedp.EmulateViewport(1280, 900))
	at := "#texts?source=a&target=" + url.QueryEscape(hostileID)
	for _, how := range []string{"beside", "in one file", "asked for"} {
		folder := t.TempDir()
		path := filepath.Join(folder, "reuse.html")
		o := Options{Texts: true, Open: anyone, PageSize: 2000} // too little for one file
		if how != "in one file" {
			n := 0
			o.Part = func(content []byte) (string, error) {
				n++
				name := fmt.Sprintf("part-%d.js", n)
				return name, os.WriteFile(filepath.Join(folder, name), content, 0o644)
			}
		}
		if how == "asked for" { // a file answers, whatever is asked of it
			o.Texts, o.TextsAt = false, "text.js"
			texts, err := NewTexts(t.Context(), dir, anyone)
			if err != nil {
				t.Fatal(err)
			}
			var all []byte
			for _, of := range []struct {
				id    string
				piece int
			}{{"a", 0}, {"a", 1}, {hostileID, 0}} {
				script, err := texts.Piece(t.Context(), of.id, of.piece)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, script...)
			}
			if err := os.WriteFile(filepath.Join(folder, o.TextsAt), all, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(path, []byte(writeReuse(t, dir, o)), 0o644); err != nil {
			t.Fatal(err)
		}
		open := func(fragment, shows string) {
			t.Helper()
			do(t, ctx, navigate("file://"+path+fragment)...)
			wait(t, ctx, fmt.Sprintf(`document.getElementById("view").textContent.includes(%q)`, shows))
			accessible(t, ctx, how+fragment)
		}
		open("#pair?source=a&target="+url.QueryEscape(hostileID), "Read both texts")
		run(t, ctx, `document.querySelector("a.button").click()`)
		wait(t, ctx, `document.querySelectorAll(".whole").length === 2`)
		for side, d := range []commonplace.Document{left, right} {
			column := fmt.Sprintf(`document.querySelectorAll(".whole")[%d]`, side)
			if !value[bool](t, ctx, fmt.Sprintf(`%s.textContent === %s`, column, quoted(t, d.Text))) {
				t.Errorf("%s: side %d is not its text", how, side)
			}
			if n := value[int](t, ctx, column+`.children.length`); d.ID == "a" && n < 5 {
				t.Errorf("%s: a long text is in %d blocks", how, n)
			}
			for k, m := range matches {
				marked := value[string](t, ctx, fmt.Sprintf(`[...%s.querySelectorAll("a.link")].filter((a) => a.matches.includes(%d)).map((a) => a.textContent).join("")`, column, k))
				if marked != cut(d, m[side]) {
					t.Errorf("%s: match %d on side %d marks %q, not %q", how, k, side, marked, cut(d, m[side]))
				}
			}
			// The keyboard stops once at each match, and where two begin at one place once for both.
			stops := value[string](t, ctx, column+`.querySelectorAll("a.link:not([tabindex])").length + " of " + (`+column+`.querySelectorAll("a.link").length > 30)`)
			if want := []string{"3 of true", "4 of true"}[side]; stops != want {
				t.Errorf("%s: %s marks on side %d, not %s", how, stops, side, want)
			}
		}
		// The last part of a long match, of which the other is far down.
		seen := func(side int) string {
			return fmt.Sprintf(`(() => { const c = document.querySelectorAll(".whole")[%d], e = document.activeElement, a = c.getBoundingClientRect(), b = e.getBoundingClientRect(); return c.contains(e) && e.classList.contains("on") && b.top >= a.top - 1 && b.bottom <= a.bottom + 1; })()`, side)
		}
		run(t, ctx, `(() => { const a = [...document.querySelectorAll(".whole")[0].querySelectorAll("a.link")].at(-1); a.scrollIntoView({ block: "center" }); a.click(); })()`)
		wait(t, ctx, seen(1))
		do(t, ctx, chromedp.KeyEvent("\r"))
		wait(t, ctx, seen(0))
		hash := value[string](t, ctx, `location.hash`)
		if want := fmt.Sprintf("at=%d-%d", matches[3][0].Begin, matches[3][1].Begin); !strings.HasSuffix(hash, want) {
			t.Errorf("%s: the address is %s, without %s", how, hash, want)
		}
		// One passage that the other text has twice leads to both in turn.
		turns := value[string](t, ctx, `[1, 2, 3].map(() => { document.querySelectorAll(".whole")[0].querySelector("a.link").click(); return [...document.querySelectorAll(".whole")[1].querySelectorAll("a.link")].indexOf(document.activeElement); }).join()`)
		if turns != "0,1,0" {
			t.Errorf("%s: it leads to the marks %s", how, turns)
		}
		open(fmt.Sprintf("%s&at=%d-%d", at, matches[2][0].Begin, matches[2][1].Begin), "Both texts")
		wait(t, ctx, seen(0))
		wait(t, ctx, `(() => { const [a, b] = [...document.querySelectorAll(".whole")].map((e) => e.querySelector(".on").getBoundingClientRect().top); return Math.abs(a - b) < 2; })()`)
		wait(t, ctx, `document.documentElement.scrollWidth <= innerWidth && [...document.querySelectorAll(".whole")].every((e) => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight && e.scrollWidth <= e.clientWidth; })`)
		shot(t, ctx, "both-texts-"+strings.ReplaceAll(how, " ", "-"))
		open(at+"&at=1-1", "Both texts")
		open("#pair?source=a&target=closed", "their rights do not permit it")
		open("#texts?source=a&target=closed", "no such two texts")
		open("#match?source=a&target="+url.QueryEscape(hostileID)+fmt.Sprintf("&at=%d-%d", matches[0][0].Begin, matches[0][1].Begin), "in both texts")
		if value[bool](t, ctx, `window.harm !== undefined`) {
			t.Error("a text ran as a script")
		}
	}
	path := filepath.Join(t.TempDir(), "reuse.html")
	if err := os.WriteFile(path, []byte(writeReuse(t, dir, Options{})), 0o644); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, navigate("file://"+path+"#pair?source=a&target=closed")...)
	wait(t, ctx, `document.getElementById("view").textContent.includes("The page of commonplace serve has them")`)
	for _, said := range complaints() {
		t.Error(said)
	}
}

// quoted is a text as a script has it.
func quoted(t *testing.T, s string) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
