package report

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// On a phone no view is wider than the screen.
func TestReuseOnAPhoneInABrowser(t *testing.T) {
	t.Parallel()
	ctx, _ := browser(t)
	path := filepath.Join(t.TempDir(), "reuse.html")
	if err := os.WriteFile(path, []byte(writeReuse(t, reuseRun(t), Options{})), 0o644); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, chromedp.EmulateViewport(360, 700))
	for at, want := range map[string]string{
		"": "by documents", "#documents?by=series&is=two": "Clough", "#time": "When it was quoted", "#network": "with most matches", "#clusters": "4 documents",
		"#book?id=a": "By", "#pair?source=a&target=c": "Left what is quoted", "#match?source=a&target=c&at=0-200": "the see is calm", "#search?q=see+calm": "1 match",
	} {
		do(t, ctx, navigate("file://"+path+at)...)
		wait(t, ctx, fmt.Sprintf(`document.getElementById("view").textContent.includes(%q)`, want))
		if over := value[int](t, ctx, `document.documentElement.scrollWidth - 360`); over > 0 {
			t.Errorf("%q: %d pixels too wide", at, over)
		}
		// A word at the head of a column is not broken.
		if broken := value[string](t, ctx, `[...document.querySelectorAll(".list th")].filter((th) => { const r = document.createRange(); r.selectNodeContents(th); return r.getClientRects().length > th.textContent.split(" ").length; }).map((th) => th.textContent).join()`); broken != "" {
			t.Errorf("%q: broken words in %s", at, broken)
		}
	}
}
