package files

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// What is kept of a table does not keep its other columns: they are counted nowhere.
func TestOtherColumnsAreNotKept(t *testing.T) {
	const rows = 20
	var table strings.Builder
	table.WriteString("id,document,text,count,more\n")
	for n := range rows {
		table.WriteString("q" + strconv.Itoa(n) + ",d" + strconv.Itoa(n) + ",Words that somebody wrote,7," + strings.Repeat("x", 1<<20) + "\n")
	}
	path := csvFile(t, table.String())
	table.Reset()
	var kept []any
	for name, read := range map[string]func() (any, error){
		"quotations": func() (any, error) {
			var quotes []commonplace.Quote
			for q, err := range ReadQuotes(t.Context(), path, QuoteOptions{}) {
				if err != nil {
					return nil, err
				}
				quotes = append(quotes, q)
			}
			return quotes, nil
		},
		"counts": func() (any, error) {
			return ReadCounts(t.Context(), path, map[string]string{"text": "text"}, bounded.Limits{})
		},
		"passages": func() (any, error) { return ReadPassages(t.Context(), path, nil, Options{}) },
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		all, err := read()
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, all)
		runtime.GC()
		runtime.ReadMemStats(&after)
		if more := int64(after.HeapAlloc) - int64(before.HeapAlloc); more > rows<<20/4 {
			t.Errorf("%s: %d MB are kept", name, more>>20)
		}
	}
	runtime.KeepAlive(kept)
}
