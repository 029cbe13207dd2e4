package report

import (
	"flag"
	"fmt"
	"slices"
	"testing"
)

var lookFlag = flag.String("look", "", "with -page: fragment of a page of text reuse whose time is measured, such as #pair?source=a&target=b")

// BenchmarkReusePage measures a page of text reuse that was made before: how long it takes to
// open, and then to show what a fragment names, for the first time and again. It reports the
// medians in milliseconds, with the frame that shows it.
//
//	go test ./report -run '^$' -bench ReusePage -benchtime 5x -page /tmp/reuse.html -look '#texts?source=a&target=b'
func BenchmarkReusePage(b *testing.B) {
	if *pageFlag == "" || *lookFlag == "" {
		b.Skip("it needs -page and -look")
	}
	ctx, _ := browser(b)
	until := `new Promise((done) => {
		const begin = performance.now(), root = document.documentElement;
		const look = () => root.dataset.shown === location.hash ? requestAnimationFrame(() => setTimeout(() => { window.took = performance.now() - begin; })) : requestAnimationFrame(look);
		window.took = 0;
		location.hash = %q;
		look();
	})`
	times := map[string][]float64{}
	for b.Loop() {
		do(b, ctx, navigate("file://"+*pageFlag)...)
		wait(b, ctx, `document.documentElement.dataset.shown !== undefined`)
		times["open"] = append(times["open"], value[float64](b, ctx, `performance.now()`))
		for _, look := range []string{"first", "back", "again"} {
			to := *lookFlag
			if look == "back" {
				to = "#documents"
			}
			run(b, ctx, fmt.Sprintf(until, to))
			wait(b, ctx, "window.took > 0")
			times[look] = append(times[look], value[float64](b, ctx, "window.took"))
		}
	}
	for _, look := range []string{"open", "first", "again"} {
		slices.Sort(times[look])
		b.ReportMetric(times[look][len(times[look])/2], look+"-ms")
	}
}
