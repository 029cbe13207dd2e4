package records

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/bounded"
)

func TestLines(t *testing.T) {
	in := NewLines(context.Background(), strings.NewReader("a\r\n\n"+strings.Repeat("x", 200_000)+"\nlast"), bounded.Limits{Line: 100})
	for i, want := range []string{"a", "", "!", "last"} {
		got, err := in.Next()
		if errors.Is(err, ErrLong) {
			got, err = []byte("!"), nil
		}
		if err != nil || string(got) != want || in.Number != i+1 {
			t.Errorf("line %d: %q, %v, number %d", i+1, got, err, in.Number)
		}
	}
	if _, err := in.Next(); err != io.EOF {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewLines(ctx, strings.NewReader("a"), bounded.Limits{}).Next(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// listedRecords lists records as fields between bars, broken ones as their first line's number and !.
func listedRecords(text string, limit int) []string {
	in := NewLines(context.Background(), strings.NewReader(text), bounded.Limits{Line: int64(limit)})
	var got []string
	for {
		fields, line, err := Next(in, ',')
		var broken *Broken
		switch {
		case err == io.EOF:
			return got
		case errors.As(err, &broken):
			got = append(got, string(rune('0'+line))+"!")
		case err != nil:
			return append(got, err.Error())
		default:
			got = append(got, string(rune('0'+line))+strings.Join(fields, "|"))
		}
	}
}

func TestRecords(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"a,b\n\n\"c\nd\",e\nf,g\n", []string{"1a|b", "3c\nd|e", "5f|g"}},
		{"a,\"open\nb,c\nd,e", []string{"1!", "2b|c", "3d|e"}},
		{"a,\"open\n" + strings.Repeat("b,c\n", 3) + "d,\"x\"\n", []string{"1!", "2b|c", "3b|c", "4b|c", "5d|x"}},
		{"a\"b,c\nd,e\n", []string{"1!", "2d|e"}},
		{"\xff,a\nb,c", []string{"1!", "2b|c"}},
		{strings.Repeat("x", 300) + "\na,b", []string{"1!", "2a|b"}},
		{"", nil},
	} {
		if got := listedRecords(c.text, 200); !slices.Equal(got, c.want) {
			t.Errorf("%.40q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// Every line that is not blank is in exactly one record, good or broken.
func FuzzRecords(f *testing.F) {
	f.Add("a,\"b\nc\"\n\"d\ne,f\n\"")
	f.Add("\"\"\"\n\",\"\r\n\xff")
	f.Fuzz(func(t *testing.T, text string) {
		in := NewLines(context.Background(), strings.NewReader(text), bounded.Limits{Line: 50})
		before, n := 0, 0
		for {
			_, line, err := Next(in, ',')
			if err == io.EOF {
				break
			}
			if line <= before {
				t.Fatalf("%q: line %d after %d", text, line, before)
			}
			before = line
			if n++; n > strings.Count(text, "\n")+1 {
				t.Fatalf("%q: %d records", text, n)
			}
		}
	})
}

// A quotation mark that is never closed before very many lines costs about their
// bytes, and no time that grows with their square.
func TestManyLines(t *testing.T) {
	text := "a,b\n\"" + strings.Repeat("\n", 1<<20) + "c,d\n"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	in := NewLines(context.Background(), strings.NewReader(text), bounded.Limits{})
	good, broken := 0, 0
	for {
		_, _, err := Next(in, ',')
		var b *Broken
		if err == io.EOF {
			break
		}
		if errors.As(err, &b) {
			broken++
		} else {
			good++
		}
	}
	runtime.ReadMemStats(&after)
	if good != 2 || broken != 1 {
		t.Errorf("%d good, %d broken", good, broken)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
		t.Errorf("%d MB for a text of %d", took>>20, len(text)>>20)
	}
	wide := strings.Repeat(",", maxFields+1) + "\na,b\n"
	in = NewLines(context.Background(), strings.NewReader(wide), bounded.Limits{})
	if _, _, err := Next(in, ','); err == nil || !strings.Contains(err.Error(), "fields") {
		t.Error(err)
	}
	if fields, _, err := Next(in, ','); err != nil || len(fields) != 2 {
		t.Error(fields, err)
	}
	in = NewLines(context.Background(), strings.NewReader("a\nb\nc\n"), bounded.Limits{Records: 2})
	for range 2 {
		if _, _, err := Next(in, ','); err != nil {
			t.Error(err)
		}
	}
	var over *bounded.Error
	if _, _, err := Next(in, ','); !errors.As(err, &over) || over.Limit != "limits.records" {
		t.Error(err)
	}
}

// A line of the limit's length is no line over it, whatever its break.
func TestALineOfTheLimit(t *testing.T) {
	for _, end := range []string{"", "\n", "\r\n"} {
		for over, want := range []error{nil, ErrLong} {
			in := NewLines(t.Context(), strings.NewReader(strings.Repeat("x", 9+over)+end), bounded.Limits{Line: 9})
			if line, err := in.Next(); err != want || err == nil && len(line) != 9 {
				t.Errorf("%d over, break %q: %q, %v", over, end, line, err)
			}
			if _, err := in.Next(); err != io.EOF {
				t.Errorf("%d over, break %q: then %v", over, end, err)
			}
		}
	}
}
