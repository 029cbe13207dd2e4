package report

import (
	"flag"
	"fmt"
	"slices"
	"testing"
)

var lookFlag = flag.String("look", "", "with -page: fragment of a page of text reuse whose time is measured, such as #pair?source=a&target=b")

// TestTimes measures a page of text reuse that was made before: how long it takes to open, and
// then to show what a fragment names, for the first time and again. Five times each, in
// milliseconds, with the frame that shows it.
//
//	go test ./report -run Times -v -page /tmp/reuse.html -look '#texts?source=a&target=b'
func TestTimes(t *testing.T) {
	if *pageFlag == "" || *lookFlag == "" {
		t.Skip("no -page and -look")
	}
	ctx, _ := browser(t)
	until := `new Promise((done) => {
		const begin = performance.now(), root = document.documentElement;
		const look = () => root.dataset.shown === location.hash ? requestAnimationFrame(() => setTimeout(() => { window.took = performance.now() - begin; })) : requestAnimationFrame(look);
		window.took = 0;
		location.hash = %q;
		look();
	})`
	times := map[string][]float64{}
	for range 5 {
		do(t, ctx, navigate("file://"+*pageFlag)...)
		wait(t, ctx, `document.documentElement.dataset.shown !== undefined`)
		times["open"] = append(times["open"], value[float64](t, ctx, `performance.now()`))
		for _, look := range []string{"first", "back", "again"} {
			to := *lookFlag
			if look == "back" {
				to = "#documents"
			}
			run(t, ctx, fmt.Sprintf(until, to))
			wait(t, ctx, "window.took > 0")
			times[look] = append(times[look], value[float64](t, ctx, "window.took"))
		}
	}
	for _, look := range []string{"open", "first", "again"} {
		slices.Sort(times[look])
		t.Logf("%s: median %.0f ms of %.0f", look, times[look][2], times[look])
	}
}
