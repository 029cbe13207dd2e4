package ranking

import (
	"slices"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
)

// A model that the trainer wrote has the name of its OUT, and two models never have one name.
func TestModelNames(t *testing.T) {
	for _, test := range []struct{ folders, want []string }{
		{[]string{"/out/spans/model", "/out/ranker/model"}, []string{"spans", "ranker"}},
		{[]string{"models/span", "../joint/choice"}, []string{"span", "choice"}},
		{[]string{"model", "../model", "./model", "gs://bucket/model"}, []string{"model", "../model", "./model", "bucket"}},
		{[]string{"/a/spans/model", "/b/spans/model", "/c/ranker/model/"}, []string{"a/spans", "b/spans", "ranker"}},
		{[]string{"/a/spans/model", "/a/spans"}, []string{"spans/model", "spans"}}, // without where the project lies
		{[]string{"/a/x/model", "/a/x", "/b/x/model"}, []string{"x/model", "a/x", "b/x"}},
		{[]string{"/a/x/model", "/a/x/model"}, []string{"x", "x"}}, // one model
		{nil, []string{}},
	} {
		if got := modelNames(test.folders); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, want %q", test.folders, got, test.want)
		}
	}
	r := config.Recommend{Retrieve: "/towers/model", Models: []config.RankModel{{Model: "/spans/model"}, {Model: "/ranker/model"}}}
	if got := systemName(r); got != "recommend: towers, spans + ranker" {
		t.Errorf("%q", got)
	}
	if r.Retrieve = ""; systemName(r) != "recommend: all, spans + ranker" {
		t.Errorf("%q", systemName(r))
	}
}
