// Package eval says how good a ranking is.
//
// An [Evaluation] takes documents one by one. Of each document it needs how often every
// passage is quoted, and what score every system gives it:
//
//	e := eval.New([]eval.System{{Name: "model"}, {Name: "position"}}, eval.Options{})
//	err := e.Add(eval.Document{ID: "alice", Counts: counts, Scores: [][]float64{scores, eval.Position(len(counts))}})
//	fmt.Print(e.Result().Text())
//
// The figures are means over documents, as in the papers, each with a bootstrap interval, and
// with a permutation test against the first system. [Constant], [Position], [BM25],
// [Content] and [Only] are baselines.
//
// Every metric is also a plain function over one document or one query: [NDCG],
// [AveragePrecision], [AUC], [SpanF1] and others.
//
// # Ties
//
// A model may give many passages one score. The order of the rows does not decide then: each
// metric is the mean over all orders of the tied passages, computed exactly (McSherry
// and Najork 2008, "Computing information retrieval performance measures efficiently in
// the presence of tied scores"). So [Constant], which says nothing, has exactly the
// figures that random orders have on average.
//
// # What is undefined
//
// A metric that has no value, such as the correlation with counts that are all
// equal, is NaN. An Evaluation leaves it out of the mean and says over how many
// documents the mean is.
//
// # Two NDCGs
//
// [QuotabilityNDCG] is the form of "Content-based models of quotation", section
// 7.1, which does not discount the second rank. [NDCG] is the common one. They
// give different numbers and have different names everywhere.
package eval
