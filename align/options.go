package align

import (
	"fmt"
	"slices"
	"strings"
)

// Options are the aligner's settings. The zero value stands for [Defaults]. To change a
// setting, start from Defaults: in other values a zero has the meaning that the field documents.
type Options struct {
	// Match is how a quote of a list must match: [MatchSimilar], which is the default, or [MatchExact].
	// Exact matches need nothing else: every place of the string is found, however common it is.
	Match string
	// QuoteChance is the number of chance matches that are accepted per quote of a
	// list over the whole collection. The threshold in bits follows from it.
	QuoteChance float64
	// MaxFalse is the share of false finds that is accepted among those of a list: finds with less evidence than
	// QuoteChance asks for are reported where the list's other entries make them likely, and finds that these make
	// unlikely are not ([QuoteList.Learn]). 0 reports what QuoteChance asks for, whatever the list.
	MaxFalse float64
	// DocumentChance is the number of chance matches that are accepted per million
	// letters of derived text over the whole collection.
	DocumentChance float64
	// MinSimilarity drops matches whose identity over the aligned part is lower, 0 to 1.
	// 1 keeps only matches that are equal after folding.
	MinSimilarity float64
	// MinWords drops matches between documents that span fewer words of the source.
	// Quotes of a list are found however short, if their evidence is enough.
	MinWords int
	// PerQuote is the number of matches that are kept per quote and document, best first; 0 keeps all.
	PerQuote int
	// Places is the number of occurrences in the collection that are reported for one
	// derived span (editions of the same passage), best first; 0 reports all.
	Places int
	Apart  bool // who searches is no document of the collection, whatever its id
	// OldestFirst says that of text at very many places, of which one is searched for, it is that of the
	// oldest document, which all others may quote if only older documents are quoted. [Stats] must
	// have been counted with it.
	OldestFirst bool
	// Ignore are phrases whose words are no evidence between documents: a match of nothing else is not
	// reported. Case and punctuation do not matter.
	Ignore *Ignored
	// MinConfidence drops marked quotations ([MergeMarked]) whose confidence is lower, 0 to 1.
	MinConfidence float64
}

// Defaults are the settings that the documentation's figures were measured with.
func Defaults() Options {
	return Options{Match: MatchSimilar, QuoteChance: 0.01, DocumentChance: 0.025, MinSimilarity: 0.7, MinWords: 5, MinConfidence: 0.9}
}

// orDefaults is o, or the defaults where nothing is set.
func (o Options) orDefaults() Options {
	if o == (Options{}) {
		return Defaults()
	}
	return o
}

// Validate reports which setting is wrong and what would be right.
func (o Options) Validate() error {
	switch {
	case o.Match != "" && !slices.Contains(Matches, o.Match):
		return fmt.Errorf("align: match is %q; give %s", o.Match, strings.Join(Matches, " or "))
	case !(o.QuoteChance > 0):
		return fmt.Errorf("align: quote_chance is %v; give a number above 0, such as 0.01", o.QuoteChance)
	case !(o.DocumentChance > 0):
		return fmt.Errorf("align: document_chance is %v; give a number above 0, such as 0.025", o.DocumentChance)
	case !(o.MinSimilarity >= 0 && o.MinSimilarity <= 1):
		return fmt.Errorf("align: min_similarity is %v; give a number from 0 to 1", o.MinSimilarity)
	case !(o.MinConfidence >= 0 && o.MinConfidence <= 1):
		return fmt.Errorf("align: min_confidence is %v; give a number from 0 to 1", o.MinConfidence)
	case !(o.MaxFalse >= 0 && o.MaxFalse < 1):
		return fmt.Errorf("align: max_false is %v; give a number from 0 (off) to below 1, such as 0.01", o.MaxFalse)
	case o.MinWords < 0:
		return fmt.Errorf("align: min_words is %d; give 0 or more", o.MinWords)
	case o.PerQuote < 0:
		return fmt.Errorf("align: per_quote is %d; give 0 (all) or more", o.PerQuote)
	case o.Places < 0:
		return fmt.Errorf("align: places is %d; give 0 (all) or more", o.Places)
	}
	return nil
}
