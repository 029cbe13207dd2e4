package export

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// purposeText is what the card of a purpose says.
type purposeText struct {
	row     string // what a row is
	columns string
	use     string // what to do with it
	prints  string // what its train.py prints after the name of a file
	heads   []string
}

var purposeTexts = map[string]purposeText{
	ForTags: {"one row a passage, with all quotes that stand in it, and passages without one",
		"`text`; its `tokens` and their IOB2 `tags` (O, B-QUOTE, I-QUOTE); `spans`, the quotes as code points of `text`; `cut_begin` and `cut_end` say that the first quote begins in an earlier passage, or the last ends in a later one",
		"Give `tokens` to a tokenizer with `is_split_into_words=True`, and each tag to the pieces of its token: B to the first of a B, I to the rest. Where `cut_begin` holds, the first B is no beginning: do not teach it. Where `cut_end` holds, the last quote has no end in this passage: do not teach one. `commonplace_train` does so.",
		"rows, F1 of tokens, F1 of whole quotes", []string{"tag"}},
	ForSpans: {"one row a context and a passage, with the words that the context quotes of it",
		"`context`, and of articles its two parts, `title` and `body`; `passage`; `spans`, what the context quotes as code points of `passage`, none where the passage is a wrong one; `cut_begin` and `cut_end` as the quotation goes on beyond the passage; the rows of one `id` belong together",
		"A reader of questions and answers: the context is the question. With the wrong passages of an `id` beside the right one, normalise over all of them (shared norm). Where `cut_begin` holds, do not teach a start; where `cut_end` holds, no end. `commonplace_train` does so.",
		"rows, mean F1 of the span that it chooses", []string{"span", "reader", "tag"}},
	ForRank: {"one row a context and a candidate, right or wrong",
		"`context`, and of articles its two parts, `title` and `body`; `passage`, the candidate; `label`, 1 where it is right; the rows of one `id` belong together",
		"Listwise: a softmax over the rows of one `id`. Pointwise: each row alone, yes or no.",
		"contexts, share with the right candidate first", []string{"rank", "yes-no"}},
	ForPairs: {"one row a context and its right candidate",
		"`context` (the anchor); `passage` (the positive); `negatives`, texts of wrong candidates; `doc_id` says whose candidate it is",
		"Two towers: the other rows of a batch are negatives too, and those of one `doc_id` are the hard ones.",
		"rows, share with the right candidate first", []string{"embed"}},
	ForCounts: {"one row a passage, with how often it is quoted; a file for each fold",
		"`text`; `marked`, the same with positional tokens; `count`; `doc_id` and `index` say where it stands, `position` and `places` where in the document, for features",
		"Leave a fold out, train on the others, and judge by document. Where counts come from a list that is cut off, 0 may be a low one.",
		"passages, Spearman's rho", []string{"quotability", "quotability-sequence", "poisson", "svm-rank", "lambdamart"}},
	ForReplies: {"one row a conversation and what follows it",
		"`context`, the turns with `<eos>` between them; `target`; `label`, `<quo>` where the target is a quotation and `<gen>` where it is not; `quotation`, its number in `quotations.jsonl`, -1 for `<gen>`",
		"What to quote: classify the `<quo>` rows over `quotations.jsonl`. When to quote: tell `<quo>` from `<gen>`.",
		"rows, share with the right quotation", []string{"choice", "seq2seq"}},
}

// withoutEncoder are the heads that read features and terms.
var withoutEncoder = []string{"poisson", "svm-rank", "lambdamart"}

// card is the README.md beside the rows.
func (x *purpose) card() string {
	text := purposeTexts[x.name]
	var b strings.Builder
	fmt.Fprintf(&b, "# Rows for %s\n\nA JSON object a line: %s.\n\n", x.name, text.row)
	b.WriteString("| file | rows |\n| --- | ---: |\n")
	for _, part := range slices.Sorted(maps.Keys(x.files)) {
		fmt.Fprintf(&b, "| `%s.jsonl` | %s |\n", part, thousands(x.Stats.Rows[part]))
	}
	fmt.Fprintf(&b, "\n**Columns**: %s.\n\n**What to do with it**: %s\n\n", text.columns, text.use)
	if x.about != "" {
		fmt.Fprintf(&b, "%s ", x.about)
	}
	fmt.Fprintf(&b, "Of several editions of a work the first is here; %s rows of the others are left out.", thousands(x.Stats.Copies))
	if x.asks() {
		fmt.Fprintf(&b, " Of the wrong candidates of a context, %v %% are the nearest to it by BM25; the others were drawn.", math.Round(100*x.job.options.Nearest))
		fmt.Fprintf(&b, " No passage is in two splits. One that is an answer in test is in test alone, else one of validation in validation alone; %s answers of the other splits are left out by that. Half of the other texts are wrong candidates of training alone, a quarter of validation and a quarter of test. Only the quotations of `replies`, a closed list, are in all splits. Candidates of `windows` are runs of sentences: a sentence may be in runs of two splits.", thousands(x.Stats.Elsewhere))
		if x.Stats.Missing > 0 {
			fmt.Fprintf(&b, " **%s of the wrong candidates that were asked for are missing**: their documents have too few.", thousands(x.Stats.Missing))
		}
	}
	if x.Stats.Withheld > 0 {
		fmt.Fprintf(&b, " %s are left out because their rights do not allow to give their texts on.", thousands(x.Stats.Withheld))
	}
	if warning := x.thin(); warning != "" {
		fmt.Fprintf(&b, "\n\n**%s**", warning)
	}
	fmt.Fprintf(&b, "\n\nThe ten lines of `train.py` train a small model of words. They print how good it is on each file (%s); `train` is in sample:\n\n", text.prints)
	fmt.Fprintf(&b, "    pip install scikit-learn seqeval\n    python %s/train.py\n\n", x.name)
	b.WriteString("A model folder for `commonplace` (from a checkout of it; docs/models.md):\n\n")
	for _, head := range text.heads {
		encoder := " --encoder CHECKPOINT"
		if slices.Contains(withoutEncoder, head) {
			encoder = ""
		}
		fmt.Fprintf(&b, "    PYTHONPATH=models python -m commonplace_train %s --data FOLDER%s --out MODEL\n", head, encoder)
	}
	if x.name != ForReplies {
		b.WriteString("\n`training.jsonl` names what a model of these rows was taught by, so that `commonplace eval` leaves it out or says so.\n")
	}
	return b.String()
}
