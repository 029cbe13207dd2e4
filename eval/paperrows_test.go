package eval

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// printed are lines of the papers' tables, as our copies of the papers have them, and the row
// and the metrics that their numbers are of. A dash skips a number.
var printed = []struct{ dataset, row, paper, line, metrics string }{
	{"triples", "paper A, RA-MTR, QuoteR, table 3", "ra-mtr-adak-mukherjee", "RA-MTR (ours)\t45.74\t57.25\t38.71\t49.38\t43.40\t53.45", "F1, F1 top 3"},
	{"triples", "paper A, multi-task SpanBERT-large, QuoteR, table 4", "ra-mtr-adak-mukherjee", "Multi-task using SpanBERT-large (Ours)\t77±0.4\t86.1 ±0.2", "EM positive, -, F1 positive"},
	{"triples", "paper A, sequence tagger, QuoteR, section 7", "ra-mtr-adak-mukherjee", "the model correctly predicts the BIO labels for 48.1% of the instances", "BIO exact"},
	{"triples", "paper A, sentence-bert + Llama-3 re-ranking, QuoteR, table 7", "ra-mtr-adak-mukherjee", "sentence-bert + Llama-3 re-ranking\t0.48\t0.57\t0.41\t0.44\t0.47\t0.54", "-, Acc@1, Acc@3"},
	{"triples", "paper A, BM25, QuoteR, table 7", "ra-mtr-adak-mukherjee", "BM25\t0.15\t0.18\t0.09\t0.16\t0.13\t0.19", "-, Acc@1, Acc@3"},
	{"triples", "paper A, paraphrased contexts, QuoteR, Appendix D", "ra-mtr-adak-mukherjee", "the rephrased contexts are - 0.19 and 0.18 for QuoteR and Gandhi data respectively", "word overlap"},
	{"triples", "paper A, paraphrased contexts, QuoteR, Appendix D", "ra-mtr-adak-mukherjee", "average *Faithfulness* of 0.84 and 0.88 for the QuoteR and Gandhi data respectively", "faithfulness"},
	{"triples", "paper A, multi-task without a context, QuoteR, table 6", "ra-mtr-adak-mukherjee", "Multi-task (Ours)\t22.00±0.80\t38.20±0.70", "EM positive, -, F1 positive"},
	{"triples", "paper A, first sentence, QuoteR, table 4", "ra-mtr-adak-mukherjee", "First sentence\t0.55\t6.31", "EM positive, F1 positive"},
	{"triples", "paper A, last sentence, QuoteR, table 4", "ra-mtr-adak-mukherjee", "Last sentence\t1.08\t5.88", "EM positive, F1 positive"},
	{"queries", "paper B, combined BERT", "context-based-quotation-recommendation-maclaughlin", "10. Combined (6 + 8)\t<b>53.2</b>\t<b>40.5</b>\t<b>59.1</b>\t<b>68.2</b>", "-, -, -, mAP, Acc@1, Acc@3, Acc@5"},
	{"queries", "paper B, combined BERT", "context-based-quotation-recommendation-maclaughlin", "7. Combined (1 + 5)\t<b>22.8</b>\t12.0\t<b>59.0</b>\t<b>34.5</b>", "-, -, -, EM positive, EM, F1 positive, F1"},
	{"queries", "paper B, BM25", "context-based-quotation-recommendation-maclaughlin", "2. BM25\t39.9\t28.4\t43.5\t51.5", "-, -, mAP, Acc@1, Acc@3, Acc@5"},
	{"queries", "paper B, TF-IDF", "context-based-quotation-recommendation-maclaughlin", "1. TF-IDF\t39.0\t27.3\t42.5\t50.7", "-, mAP, Acc@1, Acc@3, Acc@5"},
	{"queries", "paper B, paragraph", "context-based-quotation-recommendation-maclaughlin", "1. Paragraph (Full)\t2.9\t0.6\t42.2\t24.4", "-, EM positive, EM, F1 positive, F1"},
	{"queries", "paper B, first sentence", "context-based-quotation-recommendation-maclaughlin", "2. Paragraph (1st-Sent)\t4.8\t1.2\t28.3\t10.7", "-, -, EM positive, EM, F1 positive, F1"},
	{"queries", "paper B, last sentence", "context-based-quotation-recommendation-maclaughlin", "3. Paragraph (Last-Sent)\t5.5\t1.4\t30.6\t12.8", "-, EM positive, EM, F1 positive, F1"},
	{"replies", "paper D, Reddit", "when-and-what-to-quote-wang", "Our Model\t39.9\t35.8\t41.2\t40.1\t35.7\t28.4\t38.8\t36.2", "-, -, -, -, MAP, P@1, P@3, NDCG@5"},
	{"replies", "paper D, Reddit", "when-and-what-to-quote-wang", "<b>Our Model</b> - PLM\t<b>82.4</b> 80.1\t89.3 84.5\t<b>81.0</b> 78.8\t<b>87.3</b> 80.4\t89.8 83.9\t<b>87.1</b> 79.8", "-, -, -, -, -, -, when F1, -, when recall, -, when accuracy, -"},
	{"replies", "paper D, AllYes, Reddit", "when-and-what-to-quote-wang", "Random AllYes BiLSTM\t52.2 71.3 76.8\t49.6 <b>100</b> 80.4\t49.8 55.4 70.1\t50.5 68.1 77.9\t49.8 <b>100</b> 79.3\t49.6 51.6 78.0", "-, -, -, -, -, -, -, -, -, -, when F1, -, -, when recall, -, -, when accuracy, -"},
	{"replies", "paper D, Random, Reddit", "when-and-what-to-quote-wang", "Random AllYes BiLSTM\t52.2 71.3 76.8\t49.6 <b>100</b> 80.4\t49.8 55.4 70.1\t50.5 68.1 77.9\t49.8 <b>100</b> 79.3\t49.6 51.6 78.0", "-, -, -, -, -, -, -, -, -, when F1, -, -, when recall, -, -, when accuracy, -, -"},
	{"replies", "paper D, Random, Reddit", "when-and-what-to-quote-wang", "Random Frequency\t0.6 7.1\t0.1 2.6\t0.1 7.1\t0.3 6.6\t0.5 4.7\t0.1 1.0\t0.1 3.0\t0.1 2.9", "-, -, -, -, -, -, -, -, MAP, -, P@1, -, P@3, -, NDCG@5, -"},
	{"replies", "paper D, Frequency, Reddit", "when-and-what-to-quote-wang", "Random Frequency\t0.6 7.1\t0.1 2.6\t0.1 7.1\t0.3 6.6\t0.5 4.7\t0.1 1.0\t0.1 3.0\t0.1 2.9", "-, -, -, -, -, -, -, -, -, MAP, -, P@1, -, P@3, -, NDCG@5"},
	{"windows", "paper E, dense-RELiC, 4/4", "relic-literary-evidence", "\t4/4\t9.6\t19.8\t25.5\t33.5\t52.9\t61.9\t370.9\t65.0", "-, -, recall@1, recall@3, recall@5, recall@10, recall@50, recall@100, mean rank, proxy accuracy"},
	{"windows", "paper E, BM25, 4/4", "relic-literary-evidence", "BM25\t4/4\t1.2\t2.7\t4.1\t6.7\t14.6\t19.6\t1435.6", "-, -, -, recall@1, recall@3, recall@5, recall@10, recall@50, recall@100, mean rank"},
	{"windows", "paper E, random", "relic-literary-evidence", "random\t\t0.0\t0.1\t0.1\t0.2\t1.0\t2.0\t2520.5\t33.3", "recall@1, recall@3, recall@5, recall@10, recall@50, recall@100, mean rank, proxy accuracy"},
	{"counts", "paper C, Poisson regression, KJB-CA", paperC, "PR\t19.5\t25.8\t26.9\t30.0\t35.8\t41.1\t27.3\t32.3", columnsC},
	{"counts", "paper C, SVM-rank, KJB-CA", paperC, "SVM^{rank}\t12.7\t17.0\t19.7\t23.1\t29.9\t35.4\t33.4\t21.6", columnsC},
	{"counts", "paper C, LambdaMART, KJB-CA", paperC, "λ MART\t18.4\t18.1\t20.2\t22.7\t28.6\t34.8\t23.4\t13.3", columnsC},
	{"counts", "paper C, RoBERTa single, KJB-CA", paperC, "RoBERTA <i>single</i>\t24.8\t27.1\t30.4\t34.6\t41.2\t46.0\t41.0\t34.3", columnsC},
	{"counts", "paper C, RoBERTa pair, KJB-CA", paperC, "RoBERTA pair\t19.3\t26.0\t28.9\t32.0\t37.5\t43.1\t39.8\t25.8", columnsC},
	{"counts", "paper C, RoBERTa seq, KJB-CA", paperC, "RoBERTAseq\t\t\t\t\t\t\t42.0\t31.9\t31.3", "rho"},
	{"KJB-JA", "paper C, Poisson regression, KJB-JA", paperC, "27.3\t32.3\t33.0\t33.6\t34.7\t39.7\t45.3\t21.1", "-, " + columnsC},
	{"KJB-JA", "paper C, SVM-rank, KJB-JA", paperC, "33.4\t21.6\t23.0\t24.7\t28.8\t34.3\t41.1\t23.9", "-, " + columnsC},
	{"KJB-JA", "paper C, LambdaMART, KJB-JA", paperC, "23.4\t13.3\t18.6\t21.4\t25.2\t31.7\t38.1\t20.4", "-, " + columnsC},
	{"KJB-JA", "paper C, RoBERTa single, KJB-JA", paperC, "41.0\t34.3\t35.3\t35.9\t38.5\t44.3\t49.8\t30.9", "-, " + columnsC},
	{"KJB-JA", "paper C, RoBERTa pair, KJB-JA", paperC, "39.8\t25.8\t25.6\t27.1\t30.8\t38.1\t44.1\t29.2", "-, " + columnsC},
	{"KJB-JA", "paper C, RoBERTa seq, KJB-JA", paperC, "42.0\t31.9\t31.3\t33.7\t37.7\t43.6\t49.2\t34.1", "-, " + columnsC},
	{"LAT-EJC", "paper C, Poisson regression, LAT-EJC", paperC, "PR\t28.0\t27.8\t27.6\t28.2\t29.5\t31.0\t12.1", columnsC},
	{"LAT-EJC", "paper C, SVM-rank, LAT-EJC", paperC, "SVM^{rank}\t25.5\t25.0\t26.6\t27.7\t29.8\t31.9\t16.3", columnsC},
	{"LAT-EJC", "paper C, XLM-R single, LAT-EJC", paperC, "XLM-R _{single}\t29.4\t30.2\t30.1\t30.6\t32.0\t33.6\t14.1", columnsC},
	{"LAT-EJC", "paper C, XLM-R pair, LAT-EJC", paperC, "XLM-R _{pair}\t25.1\t26.2\t27.0\t27.9\t29.5\t31.5\t16.5", columnsC},
	{"LAT-EJC", "paper C, XLM-R seq, LAT-EJC", paperC, "XLM-R _{seq}\t35.8\t35.6\t36.3\t35.8\t37.0\t38.7\t19.4", columnsC},
}

const (
	paperC   = "content-based-models-of-quotation-maclaughlin-smith"
	columnsC = "qNDCG@1, qNDCG@3, qNDCG@5, qNDCG@10, qNDCG@25, qNDCG@50, rho"
)

// Each figure is the one that a line of the paper has there, and no figure lacks a line.
func TestPaperRowsAreOfThePapers(t *testing.T) {
	rows := map[string]map[string]float64{}
	for dataset, all := range map[string][]paperRow{"KJB-JA": bibleInArticles, "LAT-EJC": latinInArticles} {
		for _, r := range all {
			rows[dataset+r.name] = r.values
		}
	}
	for dataset, all := range paperRows {
		for _, r := range all {
			rows[dataset+r.name] = r.values
		}
	}
	seen := map[string]int{}
	for _, p := range printed {
		values, there := rows[p.dataset+p.row]
		if !there {
			t.Errorf("no row %q of %s", p.row, p.dataset)
		}
		numbers := numbersOf(p.line)
		for i, metric := range strings.Split(p.metrics, ", ") {
			if metric == "-" {
				continue
			}
			want := numbers[i]
			if metric != "mean rank" && !(strings.Contains(p.row, "table 7") || strings.Contains(p.row, "Appendix D")) { // which has shares
				want /= 100
			}
			if got, there := values[metric]; !there || got-want > 1e-9 || want-got > 1e-9 {
				t.Errorf("%s, %s: %v, and the paper has %v", p.row, metric, got, want)
			}
			seen[p.dataset+p.row]++
		}
		text, err := os.ReadFile(filepath.Join("..", "..", "shared", "papers", p.paper+".txt"))
		if err == nil && !strings.Contains(string(text), p.line) {
			t.Errorf("%s: the paper has no line %q", p.row, p.line)
		}
	}
	for row, values := range rows {
		if seen[row] != len(values) {
			t.Errorf("%s: %d of %d figures were compared", row, seen[row], len(values))
		}
	}
}

// numbersOf are the numbers of a line, also those of its words.
func numbersOf(line string) []float64 {
	var numbers []float64
	for _, field := range strings.FieldsFunc(strings.NewReplacer("<b>", "", "</b>", "").Replace(line), func(r rune) bool { return (r < '0' || r > '9') && r != '.' }) {
		if x, err := strconv.ParseFloat(strings.TrimSuffix(field, "."), 64); err == nil {
			numbers = append(numbers, x)
		}
	}
	return numbers
}

// A system has the row of its own kind: a ranker of one's own that of the same ranker.
func TestPaperFigure(t *testing.T) {
	for _, c := range []struct{ dataset, system, metric, want string }{
		{"triples", "recommend: bm25, model", "F1 positive", "paper A, multi-task SpanBERT-large, QuoteR, table 4"},
		{"triples", "recommend: bm25, model", "F1", "paper A, RA-MTR, QuoteR, table 3"},
		{"triples", "recommend: bm25, model", "BIO exact", "paper A, sequence tagger, QuoteR, section 7"},
		{"triples", "recommend: bm25, model, without a context", "F1 positive", "paper A, multi-task without a context, QuoteR, table 6"},
		{"triples", "recommend: bm25, model, without a context", "F1", ""},
		{"triples", "recommend: bm25", "Acc@1", "paper A, BM25, QuoteR, table 7"},
		{"triples", "bm25", "Acc@3", "paper A, BM25, QuoteR, table 7"},
		{"triples", "last sentence", "EM positive", "paper A, last sentence, QuoteR, table 4"},
		{"triples", "whole passage", "EM positive", ""},
		{"windows", "recommend: model", "recall@10", "paper E, dense-RELiC, 4/4"},
		{"windows", "recommend: towers", "proxy accuracy", "paper E, dense-RELiC, 4/4"},
		{"windows", "random", "mean rank", "paper E, random"},
		{"windows", "tfidf", "mean rank", ""},
		{"counts", "svm-rank", "rho", "paper C, SVM-rank, KJB-CA"},
		{"counts", "my-poisson", "qNDCG@1", "paper C, Poisson regression, KJB-CA"},
		{"counts", "quotability-features", "qNDCG@5", "paper C, RoBERTa single, KJB-CA"},
		{"counts", "5 fold models", "AUC", ""},
		{"counts", "length", "rho", ""},
	} {
		if row, value := PaperFigure(c.dataset, c.system, c.metric); row != c.want || (value == nil) != (row == "") {
			t.Errorf("%s, %s, %s: %q, want %q", c.dataset, c.system, c.metric, row, c.want)
		}
	}
	if len(References) != 17 || References[1].Name != "paper C, SVM-rank, KJB-CA" || int(1000*References[6].Figures["qNDCG@1"]+.5) != 323 {
		t.Errorf("%v", References)
	}
}
