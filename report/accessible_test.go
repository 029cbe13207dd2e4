package report

import (
	"context"
	_ "embed"
	"testing"
)

// The rules of WCAG 2.2 that a page of this kind can break: axe-core has more of
// them, but does not lie in any module.
//
//go:embed testdata/accessible.js
var accessibleJS string

// accessible says which rules what is on the screen breaks.
func accessible(t *testing.T, ctx context.Context, what string) {
	t.Helper()
	for _, broken := range value[[]string](t, ctx, accessibleJS) {
		t.Errorf("%s: %s", what, broken)
	}
}

// A checker that finds nothing wrong with a wrong page would pass everything.
func TestAccessibleFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	ctx, _ := browser(t)
	run(t, ctx, `document.documentElement.lang = ""; document.title = "";
		document.body.innerHTML = '<main><h1>A</h1><h3 id="a">B</h3><p id="a" style="color:#aaa;background:#fff">pale</p><button></button><input><img src="data:," role="img"><a href="#x" aria-labelledby="nowhere"></a><table><tr><td>1</td></tr></table><ul><p>no item</p></ul><span tabindex="3">x</span><button style="width:9px;height:9px;padding:0;border:0" aria-label="small"></button></main>'`)
	broken := value[[]string](t, ctx, accessibleJS)
	for _, rule := range []string{"language", "title", "heading", "id", "contrast", "button", "input", "image", "link", "table", "list", "tabindex", "target"} {
		found := false
		for _, b := range broken {
			found = found || len(b) > len(rule) && b[:len(rule)] == rule
		}
		if !found {
			t.Errorf("nothing is found against the rule %q: %q", rule, broken)
		}
	}
}
