package features

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// docs/features.md is written from [Features] (-update) and held to them.
func TestDocs(t *testing.T) {
	var b strings.Builder
	b.WriteString(intro)
	for _, g := range []struct {
		title    string
		features []Feature
	}{
		{"Words and marks", lexical}, {"Yes or no", present}, {"Parts of speech", spoken}, {"Position in the document", placed},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n| feature | what it is | source |\n|---|---|---|\n", g.title)
		for i := 0; i < len(g.features); i++ {
			f := g.features[i]
			if strings.HasSuffix(f.Name, "_decile_0") {
				f.Name, f.Means = strings.TrimSuffix(f.Name, "0")+"0 … 9", strings.Replace(f.Means, "tenth 0", "that tenth", 1)
				i += deciles - 1
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.ReplaceAll(f.Name, " … ", "` … `"), strings.ReplaceAll(f.Means, "|", `\|`), f.Source)
		}
	}
	b.WriteString(outro)
	const path = "../../docs/features.md"
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != b.String() {
		t.Errorf("%s does not say what the features are; write it with go test ./infer/features -run Docs -update", path)
	}
}

const intro = `# Features

These numbers describe a passage for the small quotability models. They follow Appendix E of
"Content-based Models of Quotation" (MacLaughlin and Smith 2021). That appendix takes most of
them from Bendersky and Smith 2012, Tan et al. 2018 and Danescu-Niculescu-Mizil et al. 2012.
The column *source* names the origin of each. This page is written from the code by
` + "`go test ./infer/features -run Docs -update`" + `.

- **Rates.** Where the paper counts words, we divide by the number of words. So a verse of
  25 words and a paragraph of 200 are comparable.
- **Word lists** are in [lexicon.txt](../infer/features/lexicon.txt). They are our own, except
  the paper's 20 quantifiers. The paper takes its abstract nouns from a website. Ours are a
  list of about 240 and twelve endings (-ness, -ity, -tion, -sion, -hood, -ship, -dom, -ism,
  -ence, -ance, -ment, -tude).
- **Sections.** The paper counts in which section a Latin sentence starts and in which it
  ends. A passage has the places of the units in which it begins, so there is one section.
  Where a text has no sections, the features of paragraphs say the same of its paragraphs.
- **Parts of speech** are tagged by the library prose v3, with the tags of the Penn Treebank.
  [Our list of older English](../infer/features/tags.txt) (thou, hath, unto ...) adds words that
  its training newspapers lack.
- **Cost.** Only the features that a model names are computed. Without parts of speech no
  tagger runs.
- **In Python** models/shipped/features.py defines the same features. A test compares both with one file
  of expected values.
`

const outro = `
## Bags of terms

A model folder may list the n-grams that the model reads (` + "`terms.txt`" + `). These are one to three
words in lower case, and triples of parts of speech in capitals, such as DET NOUN VERB (Appendix
E.1 and E.2; the paper has unigrams, bigrams and triples of parts of speech). The graph gets
the line number of each term in the passage and its count. It multiplies them by TF-IDF weights.

The words of a list can be lemmas of English words: *speak* for *spake* and *speaketh*. The program
takes the endings off that the word's tag names, as morphy of WordNet does, if a known word stays.
[lemmas.txt](../infer/features/lemmas.txt) has the words and irregular forms that this needs, from WordNet 3.0,
and [forms.txt](../infer/features/forms.txt) our own. Contractions are two words: *do not* for *don't*.

Lemmas of other languages, such as Latin, are a list in the model's folder (` + "`forms`" + `): *amo* for *amat* and *amavit*.
A word that the list lacks stays as it is. ` + "`commonplace_train --lemmas`" + ` takes the list from the dictionaries of
simplemma, which know about 50 languages. By its authors' measurements it finds 85 to 90 in 100 Latin lemmas. A form
that may be of two words has one lemma there, and *-que* stays at its word. Of every 100 Latin forms 14 lead to
a lemma that leads to another itself, as *adpello* to *appello*, so such a word can have two terms. Capitals other than
A to Z stay, and the list has none: a Greek or Russian word that begins a sentence keeps its form. Such models have no triples of parts of
speech, since the tagger is for English. The paper lemmatises with Stanza.

## Language models

Appendix E.2 of the paper compares two language models, one of quotable text and one of all text
(the background). The feature is the mean over a passage's words of ln p(quotable) - ln
p(background). It is a sum of weights of words and of pairs of words. A model's graph may contain
these weights; the feature is then called ` + "`language_model`" + ` in its reasons. The two models that
come with the program do not use it.

The pipeline computes the weights in its table ` + "[language](tables.md#language)" + `. The weights for a
fold do not use the quotations of that fold's documents. models/shipped/language.py reads the table, and can
compute the same weights for other passages. ` + "`models/shipped/train.py --own-folds`" + ` trains rankers with the table's
columns ` + "`background`" + ` and ` + "`quotable`" + ` ([results](rankings.md#the-language-models-of-the-pipeline)). The
paper's quotable text is 5,200 quotations from a website. Ours are the quotations that the pipeline found.
`
