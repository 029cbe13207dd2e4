package segment

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	commonplace "github.com/commonplace/commonplace"
)

func TestVerses(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"The First Book\n\n1:1 In the beginning the mill\nstood. 1:2 And it turned.\n\n1:3 And it rested. 2:1 Then", []string{"The First Book", "In the beginning the mill\nstood.", "And it turned.", "And it rested.", "Then"}},
		{"{1:1} One {1:2} Two", []string{"One", "Two"}},
		{"[1:1] One [1:2] Two", []string{"One", "Two"}},
		{"01:001:001 One\n01:001:002 Two at 10:30 in the morning, 2:1 odds", []string{"One", "Two at 10:30 in the morning,", "odds"}},
		{"1:1 One 1:2 Two 1:9 is no verse 7:7 nor this 1:3 Three", []string{"One", "Two 1:9 is no verse 7:7 nor this", "Three"}},
		{"CHAPTER 1\n\n1 One\nmore\n2 Two\n5 cattle\n3. Three\n\nCHAPTER 2\n\n1 Again\n2 Twice", []string{"CHAPTER 1", "One\nmore", "Two\n5 cattle", "Three", "CHAPTER 2", "Again", "Twice"}},
		{"No verse at all.\n\nNone.", []string{"No verse at all.", "None."}},
	} {
		if got := cutBy(t, "verses", c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q:\ngot  %q\nwant %q", c.text, got, c.want)
		}
	}
}

func TestScriptureHasBooksAndChapters(t *testing.T) {
	var b strings.Builder
	for _, book := range []string{"The First Book of the Mill:\nCalled Water", "The Second Book of the Mill"} {
		b.WriteString("\n\n\n" + book + "\n\n\n")
		for chapter := 1; chapter <= 3; chapter++ {
			for verse := 1; verse <= 5; verse++ {
				fmt.Fprintf(&b, "%d:%d And it turned.\n\n", chapter, verse)
			}
		}
	}
	want := []string{"book The First Book of the Mill: Called Water", " chapter 1", " chapter 2", " chapter 3", "book The Second Book of the Mill", " chapter 1", " chapter 2", " chapter 3"}
	if got := toldOutline(b.String()); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	seg, _ := Parse("verses")
	passages := slices.Collect(Passages(commonplace.Document{ID: "d", Text: b.String()}, seg))
	if len(passages) != 32 || !passages[0].Heading || passages[1].Heading {
		t.Fatalf("%d passages", len(passages))
	}
	p := passages[16+6] // 2:1 of the second book is its seventh passage, the title first
	if pl := p.Places[2]; pl.Kind != "chapter" || pl.Title != "2" || !pl.First || pl.Index != 4 || pl.IndexWithin != 1 || pl.Passages != 5 {
		t.Errorf("%+v", p.Places)
	}
}
