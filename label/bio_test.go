package label

import (
	"strings"
	"testing"
)

func TestPieceTags(t *testing.T) {
	for _, c := range []struct {
		tags   string
		pieces []int
		want   string
	}{
		{"O B I O", []int{2, 3, 2, 1}, "O O B I I I I O"},
		{"B", []int{1}, "B"},
		{"O B I I", []int{1, 0, 0, 2}, "O B I"}, // the B is handed on; its word has I after it
		{"B O I", []int{0, 1, 1}, "O I"},        // but not past the quote's end
		{"", nil, ""},
	} {
		got := strings.Join(PieceTags(strings.Fields(c.tags), c.pieces), " ")
		if got != c.want {
			t.Errorf("%s with %v: %s, want %s", c.tags, c.pieces, got, c.want)
		}
	}
}
