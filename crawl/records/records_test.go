package records

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	in := NewLines(context.Background(), strings.NewReader("a\r\n\n"+strings.Repeat("x", 200_000)+"\nlast"), 100)
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
	if _, err := NewLines(ctx, strings.NewReader("a"), 0).Next(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// told lists records as fields between bars, broken ones as their first line's number and !.
func told(text string, limit int) []string {
	in := NewLines(context.Background(), strings.NewReader(text), limit)
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
		if got := told(c.text, 200); !slices.Equal(got, c.want) {
			t.Errorf("%.40q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// Every line that is not blank is in exactly one record, good or broken.
func FuzzRecords(f *testing.F) {
	f.Add("a,\"b\nc\"\n\"d\ne,f\n\"")
	f.Add("\"\"\"\n\",\"\r\n\xff")
	f.Fuzz(func(t *testing.T, text string) {
		in := NewLines(context.Background(), strings.NewReader(text), 50)
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
