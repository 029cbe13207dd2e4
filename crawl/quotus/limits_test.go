package quotus

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// A cluster of very many quotes is refused before they are kept, and the next one
// is read; one that goes on for longer than a line ends the file.
func TestLargeClusters(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"many":{`)
	for i := range 5000 {
		fmt.Fprintf(&b, `"%d":{"Text":"a"},`, i)
	}
	b.WriteString(`"x":{"Text":"b"}},"deep":{"q":{"Text":"a","Align":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}},"good":{"q":{"Text":"a"}},"long":{"q":{"Text":"` + strings.Repeat("x", 1<<20) + `"}}}`)
	var got []string
	for c, err := range ReadQuotes(context.Background(), strings.NewReader(b.String()), "q.json", bounded.Limits{Memory: 500_000, Line: 200_000}) {
		if r := commonplace.RejectOf(err); r != nil {
			got = append(got, r.ID+"!"+r.Reason)
			if !strings.Contains(r.Detail, "limits.") {
				t.Errorf("%s names no limit", r.Detail)
			}
			continue
		}
		got = append(got, c.ID)
	}
	if want := "many!wrong type,deep!wrong type,good,!file over the limit"; strings.Join(got, ",") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Two quotes of one id are found whatever their number.
func TestManyQuotes(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"c":{`)
	for i := range 60_000 {
		fmt.Fprintf(&b, `"%d":{"Text":"a"},`, i%30_000)
	}
	b.WriteString(`"x":{"Text":"b"}}}`)
	for c, r := range ReadQuotes(context.Background(), strings.NewReader(b.String()), "q.json", bounded.Limits{}) {
		if r != nil || len(c.Quotes) != 60_001 {
			t.Error(len(c.Quotes), r)
		}
	}
}
