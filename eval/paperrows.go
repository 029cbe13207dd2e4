package eval

// paperRow is a row of a paper's table, and for which of our systems it stands.
type paperRow struct {
	name    string
	systems []string           // baselines; none: what is no baseline
	ranker  string             // that a system's name has in it; none: any model
	values  map[string]float64 // by metric, shares of one, but for ranks
}

// paperRows are rows of the papers by dataset, of their own data and models. The first row
// of a system that has a metric is the one that stands beside it. Of several sizes and
// variants of a paper's own model it is the one that the paper calls its best.
var paperRows = map[string][]paperRow{
	"triples": {
		{"paper A, RA-MTR, QuoteR, table 3", nil, "", map[string]float64{"F1": .4574, "F1 top 3": .5725}},
		{"paper A, multi-task SpanBERT-large, QuoteR, table 4", nil, "", map[string]float64{"EM positive": .77, "F1 positive": .861}},
		{"paper A, sequence tagger, QuoteR, section 7", nil, "", map[string]float64{"BIO exact": .481}},
		{"paper A, sentence-bert + Llama-3 re-ranking, QuoteR, table 7", nil, "", map[string]float64{"Acc@1": .48, "Acc@3": .57}},
		{"paper A, multi-task without a context, QuoteR, table 6", nil, WithoutContext, map[string]float64{"EM positive": .22, "F1 positive": .382}},
		{"paper A, BM25, QuoteR, table 7", []string{"bm25"}, "", map[string]float64{"Acc@1": .15, "Acc@3": .18}},
		{"paper A, paraphrased contexts, QuoteR, Appendix D", []string{"paraphrases"}, "", map[string]float64{"word overlap": .19, "faithfulness": .84}},
		{"paper A, first sentence, QuoteR, table 4", []string{"first sentence"}, "", map[string]float64{"EM positive": .0055, "F1 positive": .0631}},
		{"paper A, last sentence, QuoteR, table 4", []string{"last sentence"}, "", map[string]float64{"EM positive": .0108, "F1 positive": .0588}},
	},
	"queries": {
		{"paper B, combined BERT", nil, "", map[string]float64{"mAP": .532, "Acc@1": .405, "Acc@3": .591, "Acc@5": .682, "EM": .12, "F1": .345, "EM positive": .228, "F1 positive": .59}},
		{"paper B, BM25", []string{"bm25"}, "", map[string]float64{"mAP": .399, "Acc@1": .284, "Acc@3": .435, "Acc@5": .515}},
		{"paper B, TF-IDF", []string{"tfidf"}, "", map[string]float64{"mAP": .39, "Acc@1": .273, "Acc@3": .425, "Acc@5": .507}},
		{"paper B, paragraph", []string{"whole passage"}, "", map[string]float64{"EM": .006, "F1": .244, "EM positive": .029, "F1 positive": .422}},
		{"paper B, first sentence", []string{"first sentence"}, "", map[string]float64{"EM": .012, "F1": .107, "EM positive": .048, "F1 positive": .283}},
		{"paper B, last sentence", []string{"last sentence"}, "", map[string]float64{"EM": .014, "F1": .128, "EM positive": .055, "F1 positive": .306}},
	},
	"replies": {
		{"paper D, Reddit", nil, "", map[string]float64{"MAP": .357, "P@1": .284, "P@3": .388, "NDCG@5": .362, "when F1": .873, "when recall": .898, "when accuracy": .871}},
		{"paper D, AllYes, Reddit", []string{AlwaysQuote}, "", map[string]float64{"when F1": .681, "when recall": 1, "when accuracy": .516}},
		{"paper D, Random, Reddit", []string{"random"}, "", map[string]float64{"MAP": .005, "P@1": .001, "P@3": .001, "NDCG@5": .001, "when F1": .505, "when recall": .498, "when accuracy": .496}},
		{"paper D, Frequency, Reddit", []string{"majority"}, "", map[string]float64{"MAP": .047, "P@1": .01, "P@3": .03, "NDCG@5": .029}},
	},
	"windows": {
		{"paper E, dense-RELiC, 4/4", nil, "", recalls(370.9, 9.6, 19.8, 25.5, 33.5, 52.9, 61.9, 65)},
		{"paper E, BM25, 4/4", []string{"bm25"}, "", recalls(1435.6, 1.2, 2.7, 4.1, 6.7, 14.6, 19.6)},
		{"paper E, random", []string{"random"}, "", recalls(2520.5, 0, .1, .1, .2, 1, 2, 33.3)},
	},
	"counts": bibleInNewspapers,
}

// recalls are a row of paper E's table 3, which may end in the accuracy of the proxy task.
func recalls(meanRank float64, hundredths ...float64) map[string]float64 {
	values := map[string]float64{"mean rank": meanRank}
	for i, v := range hundredths {
		values[[]string{"recall@1", "recall@3", "recall@5", "recall@10", "recall@50", "recall@100", "proxy accuracy"}[i]] = v / 100
	}
	return values
}

// Rows of paper C's table 5: the King James Bible, quoted in Chronicling America and in all of
// JSTOR. Our copy of the paper lacks the NDCG of RoBERTa seq in the newspapers.
var (
	bibleInNewspapers = []paperRow{
		rowC("Poisson regression, KJB-CA", "poisson", 19.5, 25.8, 26.9, 30.0, 35.8, 41.1, 27.3),
		rowC("SVM-rank, KJB-CA", "svm-rank", 12.7, 17.0, 19.7, 23.1, 29.9, 35.4, 33.4),
		rowC("LambdaMART, KJB-CA", "lambdamart", 18.4, 18.1, 20.2, 22.7, 28.6, 34.8, 23.4),
		rowC("RoBERTa single, KJB-CA", "", 24.8, 27.1, 30.4, 34.6, 41.2, 46.0, 41.0),
		rowC("RoBERTa pair, KJB-CA", "", 19.3, 26.0, 28.9, 32.0, 37.5, 43.1, 39.8),
		{"paper C, RoBERTa seq, KJB-CA", nil, "", map[string]float64{"rho": .42}},
	}
	bibleInArticles = []paperRow{
		rowC("Poisson regression, KJB-JA", "poisson", 32.3, 33.0, 33.6, 34.7, 39.7, 45.3, 21.1),
		rowC("SVM-rank, KJB-JA", "svm-rank", 21.6, 23.0, 24.7, 28.8, 34.3, 41.1, 23.9),
		rowC("LambdaMART, KJB-JA", "lambdamart", 13.3, 18.6, 21.4, 25.2, 31.7, 38.1, 20.4),
		rowC("RoBERTa single, KJB-JA", "", 34.3, 35.3, 35.9, 38.5, 44.3, 49.8, 30.9),
		rowC("RoBERTa pair, KJB-JA", "", 25.8, 25.6, 27.1, 30.8, 38.1, 44.1, 29.2),
		rowC("RoBERTa seq, KJB-JA", "", 31.9, 31.3, 33.7, 37.7, 43.6, 49.2, 34.1),
	}
)

// latinInArticles are rows of paper C's table 6: Latin works, quoted in the Early Journal Collection of
// JSTOR. Our copy of the paper lacks most of LambdaMART's row. Of table 5 its rows of
// literature and of Shakespeare have lost their order, so they are not here.
var latinInArticles = []paperRow{
	rowC("Poisson regression, LAT-EJC", "poisson", 28.0, 27.8, 27.6, 28.2, 29.5, 31.0, 12.1),
	rowC("SVM-rank, LAT-EJC", "svm-rank", 25.5, 25.0, 26.6, 27.7, 29.8, 31.9, 16.3),
	rowC("XLM-R single, LAT-EJC", "", 29.4, 30.2, 30.1, 30.6, 32.0, 33.6, 14.1),
	rowC("XLM-R pair, LAT-EJC", "", 25.1, 26.2, 27.0, 27.9, 29.5, 31.5, 16.5),
	rowC("XLM-R seq, LAT-EJC", "", 35.8, 35.6, 36.3, 35.8, 37.0, 38.7, 19.4),
}

// rowC has qNDCG at 1, 3, 5, 10, 25 and 50, and rho.
func rowC(name, ranker string, hundredths ...float64) paperRow {
	values := map[string]float64{}
	for i, v := range hundredths {
		values[metrics[i].name] = v / 100
	}
	return paperRow{"paper C, " + name, nil, ranker, values}
}
