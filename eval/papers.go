package eval

import (
	"slices"
	"strings"
)

// Reference is what a paper reached, to stand beside our figures.
type Reference struct {
	Name    string             `json:"name"`
	Figures map[string]float64 `json:"figures"` // by metric, shares of one
	Note    string             `json:"note"`    // why it cannot be compared
}

// References are rows of "Content-based models of quotation", table 5. They are
// of other documents, passages and quotations than any run's, so they remind of
// an order of magnitude and no more.
var References = []Reference{
	paperC("paper C, Poisson regression, KJB-CA", 19.5, 25.8, 26.9, 30.0, 35.8, 41.1, 27.3),
	paperC("paper C, RoBERTa single, KJB-CA", 24.8, 27.1, 30.4, 34.6, 41.2, 46.0, 41.0),
}

const notComparable = "not comparable: 66 books of the King James Bible in verses, quoted in newspapers of Chronicling America; trained on such counts"

func paperC(name string, values ...float64) Reference {
	r := Reference{Name: name, Figures: map[string]float64{}, Note: notComparable}
	for i, v := range values {
		r.Figures[metrics[i].name] = v / 100
	}
	return r
}

// paperRow is a row of a paper's table, and for which of our systems it stands.
type paperRow struct {
	name    string
	systems []string // baselines; none: what is no baseline
	values  map[string]float64
}

// paperRows are rows of the papers by dataset, as reference: of their own data and models.
var paperRows = map[string][]paperRow{
	"triples": {{"paper A, RA-MTR, QuoteR", nil, map[string]float64{"F1": .4574, "F1 top 3": .5725}}},
	"queries": {
		{"paper B, combined BERT", nil, map[string]float64{"mAP": .532, "Acc@1": .405, "Acc@3": .591, "Acc@5": .682, "EM": .12, "F1": .345, "EM positive": .228, "F1 positive": .59}},
		{"paper B, BM25", []string{"bm25"}, map[string]float64{"mAP": .399, "Acc@1": .284, "Acc@3": .435, "Acc@5": .515}},
		{"paper B, TF-IDF", []string{"tfidf"}, map[string]float64{"mAP": .39, "Acc@1": .273, "Acc@3": .425, "Acc@5": .507}},
		{"paper B, paragraph", []string{"whole passage"}, map[string]float64{"EM": .006, "F1": .244, "EM positive": .029, "F1 positive": .422}},
		{"paper B, first sentence", []string{"first sentence"}, map[string]float64{"EM": .012, "F1": .107, "EM positive": .048, "F1 positive": .283}},
		{"paper B, last sentence", []string{"last sentence"}, map[string]float64{"EM": .014, "F1": .128, "EM positive": .055, "F1 positive": .306}},
	},
	"replies": {
		{"paper D, Reddit", nil, map[string]float64{"MAP": .357, "P@1": .284, "P@3": .388, "NDCG@5": .362, "when F1": .873, "when recall": .898, "when accuracy": .871}},
		{"paper D, AllYes, Reddit", []string{AlwaysQuote}, map[string]float64{"when F1": .681, "when recall": 1, "when accuracy": .516}},
		{"paper D, Random, Reddit", []string{"random"}, map[string]float64{"MAP": .005, "P@1": .001, "P@3": .001, "NDCG@5": .001, "when F1": .505, "when recall": .498, "when accuracy": .496}},
		{"paper D, Frequency, Reddit", []string{"majority"}, map[string]float64{"MAP": .047, "P@1": .01, "P@3": .03, "NDCG@5": .029}},
	},
	"windows": {
		{"paper E, dense-RELiC, 4/4", nil, map[string]float64{"recall@1": .096, "recall@100": .619, "mean rank": 370.9}},
		{"paper E, BM25, 4/4", []string{"bm25"}, map[string]float64{"recall@1": .012, "recall@100": .196, "mean rank": 1435.6}},
	},
	"counts": {{"paper C, RoBERTa single, KJB-CA", nil, References[1].Figures}},
}

// baselines are the names of systems that no row of a model stands beside.
var baselines = []string{AlwaysQuote, "bm25", "tfidf", "first", "majority", "random", "length", "position", "first and last", "paragraph ends", "TF-IDF", "BM25", "first sentence", "last sentence", "whole passage"}

// AlwaysQuote is the system that quotes whatever was said.
const AlwaysQuote = "always"

// Recommended begins the name of a system that a config's recommend describes.
const Recommended = "recommend: "

// PaperFigure is the figure of a paper to stand beside one of ours; empty and nil without.
func PaperFigure(dataset, system, metric string) (row string, value *float64) {
	system = strings.TrimPrefix(system, Recommended)
	for _, r := range paperRows[dataset] {
		if of := r.systems; of == nil && slices.Contains(baselines, system) || of != nil && !slices.Contains(of, system) {
			continue
		}
		if v, there := r.values[metric]; there {
			return r.name, &v
		}
	}
	return "", nil
}
