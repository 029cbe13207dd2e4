package eval

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
