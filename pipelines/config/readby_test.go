package config

import (
	"fmt"
	"slices"
	"testing"
)

// Every path that a run reads is read by a stage.
func TestStagesReadAllInputs(t *testing.T) {
	c := &Config{
		Sources: []Source{{Files: []string{""}, Metadata: []string{""}}}, Quotes: make([]QuoteList, 1), Spans: make([]SpanFile, 1),
		Conversations: make([]Conversations, 1), Score: Score{Folds: []string{""}}, Recommend: Recommend{Retrieve: "/model", Models: make([]RankModel, 1)},
	}
	for i, p := range c.allPaths() {
		*p = fmt.Sprintf("/path%d", i)
	}
	var read []string
	for stage := range readBy {
		read = append(read, c.ReadBy(stage)...)
	}
	inputs := c.Inputs()
	if len(inputs) < 12 {
		t.Fatal(inputs)
	}
	for _, path := range inputs {
		if !slices.Contains(read, path) {
			t.Errorf("no stage reads %s, say readBy", path)
		}
	}
}

// Addresses are places, too.
func TestFetchedPlaces(t *testing.T) {
	c := &Config{Sources: []Source{{Fetch: Fetch{Mirrors: []string{"https://mirror.example/"}}}, {Fetch: Fetch{Endpoint: "https://pages.example/"}}}}
	if got := c.ReadBy("crawl"); !slices.Equal(got, []string{"https://mirror.example/", "https://pages.example/"}) {
		t.Errorf("%q", got)
	}
}
