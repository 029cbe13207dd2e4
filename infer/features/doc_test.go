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
		{"Words and marks", lexical}, {"Yes or no", present}, {"Parts of speech", spoken}, {"Places", placed},
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

What the small quotability models read of a passage, after Appendix E of "Content-based
models of quotation" (MacLaughlin and Smith 2021), which took most of it from Bendersky
and Smith 2012, Tan et al. 2018 and Danescu-Niculescu-Mizil et al. 2012. Written from
the code by ` + "`go test ./infer/features -run Docs -update`" + `.

Where the paper counts, these are rates per word, so that a verse of 25 words and a
paragraph of 200 stand on one scale. Word lists are data,
[lexicon.txt](../infer/features/lexicon.txt), our own but for the paper's 20 quantifiers;
abstract nouns are our list of about 240 and twelve endings (-ness, -ity, -tion, -sion,
-hood, -ship, -dom, -ism, -ence, -ance, -ment, -tude), since the paper's list is a
website's. Parts of speech are those of prose v3 in the Penn Treebank's tags, with
[a list of older English](../infer/features/tags.txt) (thou, hath, unto ...) that its
newspapers lack.

A feature that a model does not name costs nothing: without parts of speech no tagger
runs. The same definition in Python, models/features.py, is held to the same golden file.
`

const outro = `
## Bags of terms

A model folder may list the n-grams that it reads (` + "`terms.txt`" + `): one to three words in
lower case, and triples of parts of speech in capitals, such as DET NOUN VERB (Appendix
E.1 and E.2; the paper's are unigrams, bigrams and triples of speech). The graph gets
their numbers and how often the passage has each, and weighs them by TF-IDF.

## Language models

The ratio of quotable text and background (Appendix E.2) is computed in the graph
(` + "`language_model`" + ` in its reasons): the mean over a passage's words of ln p(quotable) - ln
p(background), by bigram models of which the quotable one is smoothed by the background.
That is a sum of weights of words and of pairs of words, which stand in the graph. The
pipeline counts and weighs them in its table ` + "[language](tables.md#language)" + `, for every fold
without what its documents are quoted for; models/language.py reads them, and makes the
same models of passages that no table has. Training reads the columns ` + "`background`" + ` and
` + "`quotable`" + ` alone and weighs the terms anew, which are those that at least 30 passages of the
two runs and their windows have (` + "`LEAST`" + ` in models/make.py): the weights in the graph are
not the column ` + "`weight`" + `. The paper's quotable text is 5,200 quotations of a website; ours
are the quotations that the pipeline found.
`
