package report

import (
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"golang.org/x/image/font/gofont/goregular"
)

var (
	pageFlag  = flag.String("page", "", "page to look at instead of the test's own")
	shotsFlag = flag.String("shots", "", "folder for screenshots")
)

// browser starts a headless browser and gathers what it complains of.
func browser(t testing.TB) (ctx context.Context, complaints func() []string) {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium here: the page is not looked at in a browser")
	}
	if testing.Short() {
		t.Skip("short: the page is not looked at in a browser")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium's sandbox refuses root
	}
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 4*time.Minute) // browsers run beside one another
	t.Cleanup(cancel)
	var mu sync.Mutex
	var said []string
	say := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, fmt.Sprintf(format, args...))
	}
	err := chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			say("exception: %v", e.ExceptionDetails)
		case *runtime.EventConsoleAPICalled:
			say("console %s: %v", e.Type, e.Args)
		case *log.EventEntryAdded:
			say("log %s: %s", e.Entry.Level, e.Entry.Text)
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, "file://") && e.Request.URL != "about:blank" {
				say("request: %s", e.Request.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	call(t, ctx, network.Enable, network.EnableParams{})
	call(t, ctx, log.Enable, cdp.Empty{})
	return ctx, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return said
	}
}

func do(t testing.TB, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// navigate opens an address anew, also where only its fragment is another.
func navigate(to string) []chromedp.Action[chromedp.Void] {
	return []chromedp.Action[chromedp.Void]{chromedp.Navigate("about:blank"), chromedp.Navigate(to)}
}

func call[P, R any](t testing.TB, ctx context.Context, command cdp.Command[P, R], params P) {
	t.Helper()
	if _, err := chromedp.Call(ctx, command, params); err != nil {
		t.Fatal(err)
	}
}

// run runs a script whose value does not matter.
func run(t testing.TB, ctx context.Context, script string) {
	t.Helper()
	value[bool](t, ctx, script+"; true")
}

// wait waits until a condition holds. While a page comes there is no place to
// ask, which is an error that passes.
func wait(t testing.TB, ctx context.Context, condition string) {
	t.Helper()
	var holds bool
	var err error
	for range 500 {
		if holds, err = chromedp.Run(ctx, chromedp.Evaluate[bool](condition)); err == nil && holds {
			return
		}
		do(t, ctx, chromedp.Sleep(20*time.Millisecond))
	}
	t.Fatalf("%s: %v, %v", condition, holds, err)
}

func value[T any](t testing.TB, ctx context.Context, script string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script))
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return v
}

// shot keeps a picture for people, when asked to.
func shot(t *testing.T, ctx context.Context, name string) {
	if *shotsFlag == "" {
		return
	}
	do(t, ctx, chromedp.Sleep(200*time.Millisecond))
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*shotsFlag, name+".png"), png, 0o644); err != nil {
		t.Fatal(err)
	}
}

func testPage(t *testing.T) string {
	t.Helper()
	path := *pageFlag
	if path == "" {
		path = filepath.Join(t.TempDir(), "page.html")
		if err := os.WriteFile(path, []byte(write(t, testRun(t), Options{Judge: evaluated(t)})), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

func TestInABrowser(t *testing.T) {
	t.Parallel()
	ctx, complaints := browser(t)
	page := testPage(t)
	for _, screen := range []struct {
		name          string
		width, height int64
		scheme        string
	}{{"desktop", 1280, 900, "light"}, {"desktop", 1280, 900, "dark"}, {"phone", 390, 844, "light"}, {"phone", 390, 844, "dark"}} {
		t.Run(screen.name+" "+screen.scheme, func(t *testing.T) {
			options := []chromedp.EmulateViewportOption{}
			if screen.name == "phone" {
				options = append(options, chromedp.EmulateMobile)
			}
			call(t, ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
				{Name: "prefers-color-scheme", Value: screen.scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
			do(t, ctx, chromedp.EmulateViewport(screen.width, screen.height, options...), chromedp.Navigate("about:blank"), chromedp.Navigate(page))
			wait(t, ctx, `document.querySelector("#cards .card") !== null`)
			look(t, ctx, screen.name+"-"+screen.scheme)
		})
	}
	if said := complaints(); len(said) > 0 {
		t.Errorf("the browser complains:\n%s", strings.Join(said, "\n"))
	}
}

// withinEdges says what of an element runs over its edge, whatever fonts the machine has: in
// a font that the test brings, as wide as Arial, and spread to the width of DejaVu Sans and Verdana,
// the widest that pages are usually shown in.
func withinEdges(t *testing.T, ctx context.Context, element string) {
	t.Helper()
	run(t, ctx, `window.pinned ??= new FontFace("Pinned", Uint8Array.from(atob("`+base64.StdEncoding.EncodeToString(goregular.TTF)+`"), (c) => c.charCodeAt(0))).load()
		.then((font) => { document.fonts.add(font); window.pinnedStyle = new CSSStyleSheet(); document.adoptedStyleSheets = [window.pinnedStyle]; })`)
	wait(t, ctx, `window.pinnedStyle !== undefined`)
	for _, spread := range []string{"0", ".08em"} {
		run(t, ctx, `window.pinnedStyle.replaceSync("* { font-family: Pinned !important; letter-spacing: `+spread+` !important }")`)
		if over := value[int](t, ctx, element+`.scrollWidth - `+element+`.clientWidth`); over > 0 {
			t.Errorf("%s, letters spread by %s: %d pixels too wide", element, spread, over)
		}
	}
	run(t, ctx, `window.pinnedStyle.replaceSync("")`)
}

// look goes through the page on one screen.
func look(t *testing.T, ctx context.Context, name string) {
	withinEdges(t, ctx, "document.documentElement")
	accessible(t, ctx, "the page")
	for _, part := range []string{"passages", "books", "evaluation", "distributions", "features", "run"} {
		if value[bool](t, ctx, `!!document.getElementById("`+part+`")`) {
			run(t, ctx, `document.getElementById("`+part+`").scrollIntoView()`)
			shot(t, ctx, name+"-"+part)
		}
	}
	// Open the first passage that is quoted; read it; go on; close.
	run(t, ctx, `scrollTo(0, 0)`)
	shot(t, ctx, name+"-top")
	run(t, ctx, `document.getElementById("quoted").value = "yes"; document.getElementById("quoted").dispatchEvent(new Event("change")); document.querySelector("#cards .card").click()`)
	wait(t, ctx, `document.getElementById("reader").open`)
	shot(t, ctx, name+"-reader")
	if n := value[int](t, ctx, `document.querySelectorAll("#reader-body mark").length * document.querySelectorAll("#reader-body .lines > span").length`); n == 0 {
		t.Error("no quotation is marked or set word by word")
	}
	if n := value[int](t, ctx, `document.querySelectorAll("#reader-body .reasons .up").length * document.querySelectorAll("#reader-body .reasons .down").length`); n != 1 && *pageFlag == "" {
		t.Errorf("%d reasons up and down, expected one of each", n)
	}
	withinEdges(t, ctx, `document.getElementById("reader")`)
	accessible(t, ctx, "the reader")
	first := value[string](t, ctx, `location.hash`)
	do(t, ctx, chromedp.Click(chromedp.CSS("#next")))
	if next := value[string](t, ctx, `location.hash`); next == first || len(next) < 2 {
		t.Errorf("the next passage is %q after %q", next, first)
	}
	do(t, ctx, chromedp.Click(chromedp.CSS("#close")))
	wait(t, ctx, `!document.getElementById("reader").open && location.hash === "#?quoted=yes"`)
	// The best lines of the first book as a card.
	run(t, ctx, `document.querySelector(".book details").open = true; document.querySelector(".book").scrollIntoView()`)
	accessible(t, ctx, "a book")
	shot(t, ctx, name+"-book")
	run(t, ctx, `document.querySelector(".to-card").click()`)
	wait(t, ctx, `document.getElementById("card").open && document.querySelectorAll("#card-body blockquote").length > 0`)
	withinEdges(t, ctx, `document.getElementById("card")`)
	accessible(t, ctx, "the card")
	shot(t, ctx, name+"-card")
	do(t, ctx, chromedp.Click(chromedp.CSS("#card-close")))
	wait(t, ctx, `!document.getElementById("card").open`)
}

func TestFindingPassages(t *testing.T) {
	t.Parallel()
	if *pageFlag != "" {
		t.Skip("another page is looked at")
	}
	ctx, complaints := browser(t)
	page := testPage(t)
	do(t, ctx, chromedp.Navigate(page))
	status := func(begins string) {
		t.Helper()
		wait(t, ctx, `document.getElementById("status").textContent.startsWith("`+begins+`")`)
	}
	status("120 lines")
	// Accents and case do not matter; all words must be there.
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#search"), "NAIVE onerror"))
	status("40 of 120")
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#search"), " nowhere"))
	status("None of 120")
	run(t, ctx, `document.getElementById("search").value = ""; document.getElementById("search").dispatchEvent(new Event("input"))`)
	status("120 lines")
	run(t, ctx, `document.getElementById("book").value = [...document.getElementById("book").options].find((o) => o.text === "FIRST").value; document.getElementById("book").dispatchEvent(new Event("change"))`)
	status("40 of 120")
	run(t, ctx, `document.getElementById("quoted").value = "yes"; document.getElementById("quoted").dispatchEvent(new Event("change"))`)
	status("1 of 120")
	// What is asked for stands in the address, and the address finds it again.
	address := value[string](t, ctx, `location.hash`)
	if !strings.Contains(address, "quoted=yes") || !strings.Contains(address, "book=first") {
		t.Errorf("the address is %q", address)
	}
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page+address))
	status("1 of 120")
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page+"#?length=short&quoted=no"))
	status("None of 120")
	// A link names its passage, whatever its id; the text is shown as it is.
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page+"#"+fragment(hostileID+":000000")))
	wait(t, ctx, `document.getElementById("reader").open`)
	if text := value[string](t, ctx, `document.querySelector("#reader .reading").textContent`); !strings.Contains(text, hostile) {
		t.Errorf("the reader shows %q", text)
	}
	// Broken lines flow again, paragraphs stay apart, and each character has its place.
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page+"#second:000005"))
	wait(t, ctx, `document.getElementById("reader").open`)
	if text := value[string](t, ctx, `document.querySelector("#reader .reading").textContent`); !strings.Contains(text, "you learn.  On it flows. \n \nPa") || !strings.Contains(text, "you learn. \n \nA new paragraph.") {
		t.Errorf("the reader shows %q", text)
	}
	// The best line comes first, and is marked where the passage has it.
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page+"#first:000003"))
	wait(t, ctx, `document.getElementById("reader").open`)
	line := value[string](t, ctx, `document.querySelector("#reader-body .line").textContent + "|" + [...document.querySelectorAll("#reader-body .best")].map((e) => e.textContent).join("")`)
	if want := "Paſsage 3 of a book, naïve 𝔘nicode; the sea is calm to-night, and then you lear"; !strings.HasPrefix(line, "n.") || !strings.HasSuffix(line, want+"|"+want) {
		t.Errorf("the line, and what is marked as it: %q", line)
	}
	if value[bool](t, ctx, `"harm" in window || document.images.length > 0`) {
		t.Error("a text of a book was taken for HTML or script")
	}
	if said := complaints(); len(said) > 0 {
		t.Errorf("the browser complains:\n%s", strings.Join(said, "\n"))
	}
}

// TestHowQuick says how long a page takes to load and a search takes to answer; the
// machine decides, so it demands nothing but an answer.
//
//	go test ./report -run HowQuick -v -args -page books.html
func TestHowQuick(t *testing.T) {
	ctx, _ := browser(t)
	do(t, ctx, chromedp.Navigate(testPage(t)))
	wait(t, ctx, `document.querySelector("#cards .card") !== null && performance.getEntriesByType("navigation")[0].loadEventEnd > 0`)
	t.Log(value[string](t, ctx, `(() => {
		const n = performance.getEntriesByType("navigation")[0], ms = (x) => Math.round(x) + " ms";
		return "first drawn " + ms(performance.getEntriesByName("first-contentful-paint")[0]?.startTime) + ", DOMContentLoaded " + ms(n.domContentLoadedEventEnd) + ", load " + ms(n.loadEventEnd);
	})()`))
	for _, words := range []string{"love", "love life", ""} {
		run(t, ctx, `window.answered = 0; window.asked = performance.now();
			new MutationObserver((_, o) => { o.disconnect(); window.answered = performance.now() - window.asked; }).observe(document.getElementById("status"), { childList: true, characterData: true, subtree: true });
			document.getElementById("search").value = "`+words+`"; document.getElementById("search").dispatchEvent(new Event("input"))`)
		wait(t, ctx, `window.answered > 0`)
		t.Logf("%q: %s after %.0f ms, of which 90 wait for the next letter", words, value[string](t, ctx, `document.getElementById("status").textContent`), value[float64](t, ctx, `window.answered`))
	}
}

// On paper there is nothing to press, and nothing runs over the edge.
func TestInPrint(t *testing.T) {
	t.Parallel()
	ctx, complaints := browser(t)
	call(t, ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	do(t, ctx, chromedp.EmulateViewport(720, 1000), chromedp.Navigate(testPage(t)))
	wait(t, ctx, `document.querySelector("#cards .card") !== null`)
	if shows := value[string](t, ctx, `[".contents", "#filters", "#more", ".skip"].filter((s) => document.querySelector(s).checkVisibility()).join(" ")`); shows != "" {
		t.Errorf("%s would be printed", shows)
	}
	withinEdges(t, ctx, "document.documentElement")
	for _, part := range []string{"passages", "books", "evaluation"} {
		run(t, ctx, `document.getElementById("`+part+`").scrollIntoView()`)
		shot(t, ctx, "print-"+part)
	}
	if said := complaints(); len(said) > 0 {
		t.Errorf("the browser complains:\n%s", strings.Join(said, "\n"))
	}
}
