package segment

import (
	"runtime"
	"strings"
	"testing"

	commonplace "github.com/commonplace/commonplace"
)

// A text of nothing but verses or headings takes little for each: a hostile one has two
// units in six bytes, or a number that counts nothing in three.
func TestHeadingsTakeLittle(t *testing.T) {
	const n = 100_000
	seg, err := Parse("words:200")
	if err != nil {
		t.Fatal(err)
	}
	for unit, most := range map[string]struct{ bytes, objects uint64 }{
		"1:1 O\n": {300, 1}, // 64 for each of two units
		"I\n\n":   {600, 2},
	} {
		text := strings.Repeat(unit, n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range Passages(commonplace.Document{Text: text}, seg) {
		}
		runtime.ReadMemStats(&after)
		if bytes, objects := (after.TotalAlloc-before.TotalAlloc)/n, (after.Mallocs-before.Mallocs)/n; bytes > most.bytes || objects >= most.objects {
			t.Errorf("%q took %d bytes and %d objects", unit, bytes, objects)
		}
	}
}
